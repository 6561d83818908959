"""Rules on names: unique, short enough for the names derived from them, and distinguishable for Slurm."""

import re
from collections.abc import Iterable, Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.names import MAX_LABEL, login_set_object, node_set_object, token_object
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule

MAX_ORDINAL_DIGITS = 5
"""Digits that are reserved in names for a node's ordinal: Slurm has room for `MAX_SLURM_NODES`."""


def names_are_unique(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names that occur twice in a list."""
    lists = {
        "node_sets": [item.name for item in spec.node_sets],
        "external_nodes": [item.name for item in spec.external_nodes],
        "partitions": [item.name for item in spec.partitions],
        "login_sets": [item.name for item in spec.login_sets],
        "tokens": [item.name for item in spec.tokens],
        "shared_volumes": [item.name for item in spec.shared_volumes],
    }
    for field, names in lists.items():
        for index, name in repeated(names):
            yield FieldError((field, index, "name"), name, "this name is already used", "Choose another name.")


def repeated(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield index and name of each name that occurred before."""
    previous: set[str] = set()
    for index, name in enumerate(names):
        if name in previous:
            yield index, name
        previous.add(name)


def names_fit(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names from which too long a name of a pod, Service or label would be derived."""
    for index, node_set in enumerate(spec.node_sets):
        digits = "0" * max(MAX_ORDINAL_DIGITS, node_set.ordinal_padding)
        longest_name = f"{node_set_object(spec.name, node_set.name)}-{digits}"
        yield from _fits(("node_sets", index, "name"), node_set.name, longest_name)
    for index, login_set in enumerate(spec.login_sets):
        # A Deployment adds "-" and up to 10 characters for the ReplicaSet, "-" and 5 for the pod.
        longest_name = f"{login_set_object(spec.name, login_set.name)}-{'x' * 10}-{'x' * 5}"
        yield from _fits(("login_sets", index, "name"), login_set.name, longest_name)
    for index, token in enumerate(spec.tokens):
        yield from _fits(("tokens", index, "name"), token.name, token_object(spec.name, token.name))


def node_names_are_unique(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets whose names, or whose nodes' names, Slurm would confuse with those of another node set."""
    first_by_name: dict[str, NodeSetSpec] = {}
    for index, node_set in enumerate(spec.node_sets):
        other_node_set = first_by_name.get(node_set.slurm_name)
        if other_node_set and other_node_set.name != node_set.name:
            yield FieldError(
                _name_field(node_set, index),
                node_set.host_name_prefix or node_set.name,
                f'the node set "{other_node_set.name}" has the same names, and Slurm would mix the two',
                "Choose another prefix.",
            )
        first_by_name.setdefault(node_set.slurm_name, node_set)
    by_prefix = {item.host_name: item for item in spec.node_sets if item.scaling_mode is ScalingMode.STATEFUL_SET}
    for index, node_set in enumerate(spec.node_sets):
        for text, role in ((node_set.slurm_name, "name"), (node_set.host_name + "0", "first node")):
            if role == "first node" and node_set.scaling_mode is not ScalingMode.STATEFUL_SET:
                continue
            for prefix_length in range(1, len(text)):
                owner = by_prefix.get(text[:prefix_length])
                if owner and owner.slurm_name != node_set.slurm_name and _is_ordinal_of(owner, text[prefix_length:]):
                    yield FieldError(
                        _name_field(node_set, index),
                        node_set.host_name_prefix or node_set.name,
                        f'"{text}" is this node set\'s {role} and a node of "{owner.name}" too, and Slurm would mix '
                        "the two",
                        "Choose a name that does not end in a number.",
                    )
                    break
            else:
                continue
            break


def features_name_no_other_nodes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse features by the name of other nodes: slurm.conf has each node set as all nodes with its name as feature.

    The line is "NodeSet=gpu Feature=gpu", so nodes of others with this feature would be in its partitions, and be
    drained with it.
    """
    items = [(("node_sets", index), one.slurm_name, one.name, one.features) for index, one in enumerate(spec.node_sets)]
    items += [
        (("external_nodes", index), one.name, one.name, one.features) for index, one in enumerate(spec.external_nodes)
    ]
    nouns = {"node_sets": "node set", "external_nodes": "group of external nodes"}
    owners = {slurm_name: f'{nouns[path[0]]} "{name}"' for path, slurm_name, name, _ in items}
    for path, slurm_name, _, features in items:
        for position, feature in enumerate(features):
            if feature in owners and feature != slurm_name:
                yield FieldError(
                    (*path, "features", position),
                    feature,
                    f"slurm.conf defines the {owners[feature]} by it, so these nodes would join its partitions",
                    "Choose another feature; for a partition of both, list both in its nodeSets.",
                    (("node_sets",), ("external_nodes",)),
                )


def _is_ordinal_of(node_set: NodeSetSpec, text: str) -> bool:
    """Return whether the node set has, or could scale to, a node with this ordinal."""
    if not re.fullmatch(r"0|[1-9][0-9]*", text) and len(text) != node_set.ordinal_padding:
        return False
    return text.isdigit() and int(text) < (node_set.max_replicas or 0)


def _name_field(node_set: NodeSetSpec, index: int) -> Path:
    return ("node_sets", index, "host_name_prefix" if node_set.host_name_prefix else "name")


def _fits(path: Path, name: str, derived: str) -> Iterator[FieldError]:
    if len(derived) > MAX_LABEL:
        yield FieldError(
            path,
            name,
            f'with the cluster\'s name it makes names such as "{derived}" of {len(derived)} characters, and Kubernetes '
            f"allows {MAX_LABEL}",
            f"Shorten it, or the cluster's name, by {len(derived) - MAX_LABEL}.",
        )


RULES: tuple[Rule, ...] = (
    names_are_unique,
    names_fit,
    node_names_are_unique,
    features_name_no_other_nodes,
)
