"""Objects of colocation: the Secret with tokens, GenericNodes, and the Service that leads to a Slurm elsewhere."""

import ipaddress
from collections.abc import Iterator
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.slurm.names import GENERIC_NODE_API, TOKEN_SECRET, slurmrestd_host
from pulumi_slurm.errors import FieldError, check_each, field_error, field_errors
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_names import object_name
from pulumi_slurm.model.names import MAX_CLUSTER_NAME, dns_label, slurm_name
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.slurmconf import hostlist

_LABELS = {"app.kubernetes.io/managed-by": "pulumi-slurm"}


class GenericNodeSpec(Model):
    """A Kubernetes node that is a Slurm node too. Of a containerised cluster's nodes the operator knows by itself."""

    name: str
    """The Kubernetes node's name, for example "cn-hongkong.10.1.0.19"; it is known only once the node exists."""
    alias: str
    """The node's name in Slurm."""

    _name = field_validator("name")(object_name)
    _alias = field_validator("alias")(slurm_name)


class OutsideSlurmSpec(Model):
    """A Slurm cluster on the same machines that doesn't run in Kubernetes."""

    name: str
    """Its ClusterName."""
    namespace: str = "default"
    """The namespace of the Service that leads to its slurmrestd; the copilot has to watch it."""
    addresses: list[str] = Field(min_length=1)
    """Addresses of its slurmrestd."""
    port: int = Field(default=SLURMRESTD_PORT, ge=1, le=65535)
    """The port of its slurmrestd."""
    slurm_nodes: str | None = None
    """Its nodes, as a hostlist such as "node[01-16]"; aliases are then checked against it."""
    nodes: list[GenericNodeSpec] = []
    """The nodes that the two share."""

    @field_validator("name")
    @classmethod
    def _name_fits(cls, value: str) -> str:
        return dns_label(value, MAX_CLUSTER_NAME)

    @field_validator("namespace")
    @classmethod
    def _label(cls, value: str) -> str:
        return dns_label(value)

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
            raise field_error(f"Slurm would not read this: {error}", 'Write for example "node[01-16]".') from None
        return value

    @model_validator(mode="after")
    def _nodes_are_told_apart(self) -> Self:
        errors = list(_node_errors(self))
        if errors:
            raise field_errors(errors)
        return self


def token_secret(namespace: str) -> Manifest:
    """Return the Secret that the copilot reads tokens from, without its data: a key for each cluster, by its name."""
    metadata = {"name": TOKEN_SECRET, "namespace": namespace, "labels": dict(_LABELS)}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}


def generic_node(cluster: str, namespace: str, node: GenericNodeSpec) -> Manifest:
    """Return a GenericNode of a cluster; that it lies in no namespace is inferred from the guide's manifest."""
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


def outside_rest(outside: OutsideSlurmSpec) -> list[Manifest]:
    """Return the Service by whose name the copilot asks for slurmrestd, and the addresses behind it.

    That takes the place of a rule in DNS and in the copilot's configuration. It has one port, because the copilot looks
    at the first alone. See docs/verification.md.
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
            # Pulumi would wait for pods behind it.
            "annotations": {"pulumi.com/skipAwait": "true"},
        },
        "spec": {"type": "ClusterIP", "ports": [port]},
    }
    by_family: dict[str, list[str]] = {}
    for address in outside.addresses:
        by_family.setdefault(f"IPv{ipaddress.ip_address(address).version}", []).append(address)
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
        for index, (family, addresses) in enumerate(sorted(by_family.items()))
    ]
    return [service, *slices]


def _node_errors(outside: OutsideSlurmSpec) -> Iterator[FieldError]:
    for field in ("name", "alias"):
        seen: set[str] = set()
        for index, node in enumerate(outside.nodes):
            value = getattr(node, field)
            if value in seen:
                yield FieldError(
                    ("nodes", index, field), value, "another GenericNode has it", "Give each node its own."
                )
            seen.add(value)
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
            "this is not an address", 'Write for example "10.1.0.19"; EndpointSlices hold no names.'
        ) from None
