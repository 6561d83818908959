"""Objects for colocation: the Secret with tokens, GenericNodes, and the Service of a Slurm outside Kubernetes."""

import ipaddress
from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.names import GENERIC_NODE_API, slurmrestd_host
from pulumi_slurm.ack_slurm.model.outside import TOKEN_SECRET, GenericNodeSpec, OutsideSlurmSpec
from pulumi_slurm.manifests.objects import Manifest

CLUSTER_LABEL, NAMESPACE_LABEL = "kai.alibabacloud.com/cluster-name", "kai.alibabacloud.com/cluster-namespace"
GENERIC_NODE_TYPE = "Slurm"
_LABELS = MappingProxyType({"app.kubernetes.io/managed-by": "pulumi-slurm"})


def token_secret(namespace: str) -> Manifest:
    """Return the Secret from which the copilot reads tokens, without its data: a key for each cluster's name."""
    metadata = {"name": TOKEN_SECRET, "namespace": namespace, "labels": dict(_LABELS)}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}


def generic_node(cluster: str, namespace: str, node: GenericNodeSpec) -> Manifest:
    """Return a GenericNode of a cluster. It has no namespace, as in the guide's manifest."""
    return {
        "apiVersion": GENERIC_NODE_API,
        "kind": "GenericNode",
        "metadata": {"name": node.name, "labels": {**_LABELS, **generic_node_labels(cluster, namespace)}},
        "spec": {"alias": node.alias, "type": GENERIC_NODE_TYPE},
    }


def generic_node_labels(cluster: str, namespace: str) -> dict[str, str]:
    """Return the labels by which the copilot finds the Service of a GenericNode's cluster."""
    return {CLUSTER_LABEL: cluster, NAMESPACE_LABEL: namespace}


def outside_slurmrestd(outside: OutsideSlurmSpec) -> list[Manifest]:
    """Return the Service with the name by which the copilot finds slurmrestd, and its EndpointSlices.

    It makes rules in DNS and in the copilot's configuration unnecessary. It has one port, because the copilot only uses
    the first.
    """
    name = slurmrestd_host(outside.name)
    port = {"name": "http", "port": outside.port, "protocol": "TCP"}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": name,
            "namespace": outside.namespace,
            "labels": dict(_LABELS),
            # Otherwise Pulumi would wait for pods of the Service.
            "annotations": {"pulumi.com/skipAwait": "true"},
        },
        "spec": {"type": "ClusterIP", "ports": [port]},
    }
    addresses_by_family: dict[str, list[str]] = {}
    for address in outside.addresses:
        addresses_by_family.setdefault(f"IPv{ipaddress.ip_address(address).version}", []).append(address)
    slices = [
        {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": {
                "name": name if index == 0 else f"{name}-{family.lower()}",
                "namespace": outside.namespace,
                "labels": {**_LABELS, "kubernetes.io/service-name": name},
            },
            "addressType": family,
            "ports": [port],
            "endpoints": [{"addresses": [address]} for address in addresses],
        }
        for index, (family, addresses) in enumerate(sorted(addresses_by_family.items()))
    ]
    return [service, *slices]
