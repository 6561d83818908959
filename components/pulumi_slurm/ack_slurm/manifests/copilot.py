"""Objects for colocation: the Secret with tokens, GenericNodes, and the Service of a Slurm outside Kubernetes."""

import ipaddress
from collections.abc import Iterator
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack_slurm.manifests.names import GENERIC_NODE_API, TOKEN_SECRET, slurmrestd_host
from pulumi_slurm.errors import FieldError, check_each, field_error, raise_errors
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_names import object_name
from pulumi_slurm.model.names import MAX_CLUSTER_NAME, dns_label, dns_label_of, slurm_name
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.slurmconf import hostlist

_LABELS = MappingProxyType({"app.kubernetes.io/managed-by": "pulumi-slurm"})


class GenericNodeSpec(Model):
    """A Kubernetes node that is a Slurm node too. For a containerised cluster the operator creates GenericNodes."""

    name: str
    """The Kubernetes node's name, for example "cn-hongkong.10.1.0.19"; it is only known when the node exists."""
    alias: str
    """The node's name in Slurm."""

    _name = field_validator("name")(object_name)
    _alias = field_validator("alias")(slurm_name)


class OutsideSlurmSpec(Model):
    """A Slurm cluster outside Kubernetes, on the same machines."""

    name: str
    """Its ClusterName."""
    namespace: str = "default"
    """The namespace of the Service for its slurmrestd, which the copilot has to watch."""
    addresses: list[str] = Field(min_length=1)
    """The addresses of its slurmrestd."""
    port: int = Field(default=SLURMRESTD_PORT, ge=1, le=65535)
    """The port of its slurmrestd."""
    slurm_nodes: str | None = None
    """Its nodes, as a hostlist such as "node[01-16]"; aliases are then checked against it."""
    nodes: list[GenericNodeSpec] = []
    """The nodes that both clusters share."""

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_CLUSTER_NAME))

    _namespace_is_a_label = field_validator("namespace")(dns_label)

    @field_validator("addresses")
    @classmethod
    def _are_addresses(cls, value: list[str]) -> list[str]:
        return check_each(value, _address)

    @field_validator("slurm_nodes")
    @classmethod
    def _is_a_hostlist(cls, value: str | None) -> str | None:
        try:
            hostlist.count(value or "")
        except ValueError as error:
            raise field_error(f"Slurm can't read this: {error}", 'Write for example "node[01-16]".') from None
        return value

    @model_validator(mode="after")
    def _nodes_are_unique(self) -> Self:
        raise_errors(_node_errors(self))
        return self


def token_secret(namespace: str) -> Manifest:
    """Return the Secret from which the copilot reads tokens, without its data: a key for each cluster's name."""
    metadata = {"name": TOKEN_SECRET, "namespace": namespace, "labels": dict(_LABELS)}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}


def generic_node(cluster: str, namespace: str, node: GenericNodeSpec) -> Manifest:
    """Return a GenericNode of a cluster. It has no namespace, as in the guide's manifest."""
    labels = {
        **_LABELS,
        "kai.alibabacloud.com/cluster-name": cluster,
        "kai.alibabacloud.com/cluster-namespace": namespace,
    }
    return {
        "apiVersion": GENERIC_NODE_API,
        "kind": "GenericNode",
        "metadata": {"name": node.name, "labels": labels},
        "spec": {"alias": node.alias, "type": "Slurm"},
    }


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


def _node_errors(outside: OutsideSlurmSpec) -> Iterator[FieldError]:
    for field in ("name", "alias"):
        values: set[str] = set()
        for index, node in enumerate(outside.nodes):
            value = getattr(node, field)
            if value in values:
                yield FieldError(("nodes", index, field), value, "another GenericNode has it", "Choose another one.")
            values.add(value)
    if outside.slurm_nodes is None:
        return
    slurm_nodes = set(hostlist.expand(outside.slurm_nodes))
    for index, node in enumerate(outside.nodes):
        if node.alias not in slurm_nodes:
            problem = f"Slurm has no such node among {outside.slurm_nodes}, so its GRES could not be changed"
            fix = "Write the node's name in Slurm."
            yield FieldError(("nodes", index, "alias"), node.alias, problem, fix, depends_on_fields=(("slurm_nodes",),))


def _address(text: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise field_error(
            "this is not an address", 'Write for example "10.1.0.19"; EndpointSlices contain no names.'
        ) from None
