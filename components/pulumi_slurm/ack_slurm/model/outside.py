"""A Slurm outside Kubernetes, on machines that are Kubernetes nodes too: what the copilot has to know of it.

Source: "Colocated scheduling for Slurm HPC and Kubernetes" in Alibaba Cloud's documentation of ACK. For a Slurm that
isn't containerised it has users make the Service, a GenericNode for each node, and the Secret with the token; its
operator makes GenericNodes for workers of its own clusters alone.
"""

import ipaddress
from collections.abc import Callable, Iterator
from typing import Self

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import FieldError, check_each, field_error, field_error_of, raise_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.images import ImagesSpec
from pulumi_slurm.model.kubernetes_names import object_name
from pulumi_slurm.model.names import MAX_CLUSTER_NAME, dns_label, dns_label_of, slurm_name, user_name
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.slurmconf import hostlist

TOKEN_SECRET = "ack-slurm-jwt-token"
"""The Secret in the operator's namespace with the copilot's tokens, a key for each cluster."""
_MOST_BYTES = 1_000_000
"""What a ConfigMap holds, 1 MiB, without the rest of the object:
https://kubernetes.io/docs/concepts/configuration/configmap/#motivation."""


class GenericNodeSpec(Model):
    """A Kubernetes node that is a Slurm node too. For a containerised cluster the operator creates GenericNodes."""

    name: str
    """The Kubernetes node's name, for example "cn-hongkong.10.1.0.19"; it is only known when the node exists."""
    alias: str
    """The node's name in Slurm."""

    _name = field_validator("name")(object_name)
    _alias = field_validator("alias")(slurm_name)


class SharedNodesSpec(Model):
    """Kubernetes nodes that are Slurm nodes too: one, or many in Slurm's short form. They need not exist yet."""

    name: str
    """Their names in Kubernetes, for example "cn-hongkong.10.1.0.[19-34]": on ACK the region and the address, unless
    the node pool says otherwise."""
    alias: str
    """Their names in Slurm in the same order, for example "node[01-16]"."""

    @field_validator("name", "alias")
    @classmethod
    def _is_a_hostlist(cls, value: str) -> str:
        return _hostlist(value)

    @model_validator(mode="after")
    def _names_go_together(self) -> Self:
        raise_errors(_unlike_names(self))
        return self

    def by_name(self) -> dict[str, str]:
        """Return the names in Slurm by those in Kubernetes."""
        return dict(zip(hostlist.expand(self.name), hostlist.expand(self.alias), strict=True))


class OutsideSlurmSpec(Model):
    """A Slurm cluster outside Kubernetes, on the same machines."""

    name: str
    """A name for it in Kubernetes, of the Service for its slurmrestd among others. Its ClusterName may be another."""
    namespace: str = "default"
    """The namespace of the Service for its slurmrestd, which the copilot has to watch."""
    addresses: list[str] = Field(min_length=1)
    """The addresses of its slurmrestd."""
    port: int = Field(default=SLURMRESTD_PORT, ge=1, le=65535)
    """The port of its slurmrestd."""
    slurm_nodes: str | None = None
    """Its nodes, as a hostlist such as "node[01-16]"; aliases are then checked against it."""
    nodes: list[SharedNodesSpec] = []
    """The nodes that both clusters share, also those that are still to come: each has a GenericNode while it exists."""
    submit_plugin: bool = True
    """Let a plugin derive the two GRES of each job; jobs must then set --ntasks, --cpus-per-task and --mem."""
    jwt_key_secret: SecretKeyRef | None = None
    """The Secret with the content of its jwt_hs256.key, in the operator's namespace, with which the copilot's token is
    signed, and renewed. Without it you write the token."""
    slurm_user: str = "slurm"
    """Whom that token names: the user that its slurmctld runs as (SlurmUser), who may change nodes."""
    kubectl_image: str = ImagesSpec.model_fields["kubectl"].default
    """The image, with kubectl and a shell, of the pods that make GenericNodes and renew the token. Nodes on the Chinese
    mainland reach Docker Hub slowly or not at all: name a copy there."""

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_CLUSTER_NAME))
    _namespace_is_a_label = field_validator("namespace")(dns_label)
    _slurm_user = field_validator("slurm_user")(user_name)
    _image = field_validator("kubectl_image")(kubernetes_names.image)

    @field_validator("jwt_key_secret")
    @classmethod
    def _is_apart_from_the_tokens(cls, value: SecretKeyRef | None) -> SecretKeyRef | None:
        if value and value.name == TOKEN_SECRET:
            raise field_error("this Secret holds the tokens, and is made here", "Write that of the key.")
        return value

    @field_validator("addresses")
    @classmethod
    def _are_addresses(cls, value: list[str]) -> list[str]:
        return check_each(value, _address)

    @field_validator("slurm_nodes")
    @classmethod
    def _is_a_hostlist(cls, value: str | None) -> str | None:
        return value if value is None else _hostlist(value)

    @model_validator(mode="after")
    def _nodes_are_unique(self) -> Self:
        raise_errors(_node_errors(self))
        return self

    def aliases(self) -> dict[str, str]:
        """Return the shared nodes' names in Slurm, by those in Kubernetes."""
        return {name: alias for nodes in self.nodes for name, alias in nodes.by_name().items()}


def _hostlist(text: str) -> str:
    try:
        names = hostlist.count(text)
    except ValueError as error:
        raise field_error(f"Slurm can't read this: {error}", 'Write for example "node[01-16]".') from None
    if names > hostlist.MAX_NAMES:
        raise field_error(f"these are {names} names", "Write a shorter range.")
    return text


def _unlike_names(nodes: SharedNodesSpec) -> Iterator[FieldError]:
    """Yield what is wrong with the names that the two hostlists stand for."""
    names, aliases = hostlist.expand(nodes.name), hostlist.expand(nodes.alias)
    for field, expanded, check in (("name", names, object_name), ("alias", aliases, slurm_name)):
        if error := _first_error(field, getattr(nodes, field), expanded, check):
            yield error
            return
    if len(names) != len(aliases):
        problem = f"the number of names is {len(aliases)}, and of those in Kubernetes {len(names)}"
        fix = "Write as many, in the same order."
        yield FieldError(("alias",), nodes.alias, problem, fix, depends_on_fields=(("name",),))
    elif len({*names}) != len(names):
        yield FieldError(("name",), nodes.name, "one of these names stands here twice", "Leave one of the two out.")


def _first_error(field: str, written: str, names: list[str], check: Callable[[str], str | None]) -> FieldError | None:
    if not names:
        return FieldError((field,), written, "this names no node", 'Write for example "node[01-16]".')
    for name in names:
        try:
            check(name)
        except PydanticCustomError as error:
            return field_error_of(error, (field,), name)
    return None


def _node_errors(outside: OutsideSlurmSpec) -> Iterator[FieldError]:
    by_name = [nodes.by_name() for nodes in outside.nodes]
    for field, of_each in (("name", by_name), ("alias", [names.values() for names in by_name])):
        used: set[str] = set()
        for index, names in enumerate(of_each):
            for value in names:
                if value in used:
                    path = ("nodes", index, field)
                    yield FieldError(path, value, "another GenericNode has it", "Choose another one.")
                    break
                used.add(value)
    size = sum(len(f"name {name} {alias}\n") for names in by_name for name, alias in names.items())
    if size > _MOST_BYTES:
        problem = f"the names have {size} characters, and a ConfigMap holds {_MOST_BYTES}"
        yield FieldError(("nodes",), FieldError.ABSENT, problem, "Name the nodes that there can be.")
    if outside.slurm_nodes is None:
        return
    slurm_nodes = set(hostlist.expand(outside.slurm_nodes))
    for index, names in enumerate(by_name):
        if unknown := next((alias for alias in names.values() if alias not in slurm_nodes), None):
            problem = f"Slurm has no such node among {outside.slurm_nodes}, so its GRES could not be changed"
            fix = "Write the node's name in Slurm."
            yield FieldError(("nodes", index, "alias"), unknown, problem, fix, depends_on_fields=(("slurm_nodes",),))


def _address(text: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise field_error(
            "this is not an address", 'Write for example "10.1.0.19"; EndpointSlices contain no names.'
        ) from None
