"""Names: used once, short enough for what is made of them, and not mistaken for one another by Slurm."""

import re
from collections.abc import Iterable, Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.names import MAX_LABEL, login_set_object, node_set_object, token_object
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec

MOST_DIGITS = 5
"""Digits of a node's number for which names leave room: Slurm knows no cluster with more than 65,536 nodes."""


def names_are_unique(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a name that stands twice in a list."""
    lists = {
        "node_sets": [item.name for item in spec.node_sets],
        "partitions": [item.name for item in spec.partitions],
        "login_sets": [item.name for item in spec.login_sets],
        "tokens": [item.name for item in spec.tokens],
        "shared_volumes": [item.name for item in spec.shared_volumes],
    }
    for field, names in lists.items():
        for index, name in repeated(names):
            yield FieldError((field, index, "name"), name, "this name is used before", "Choose another name.")


def repeated(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield position and name of each that has stood before."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield index, name
        seen.add(name)


def names_fit(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names of which too long a name for a pod, a Service or a label would be made."""
    for index, node_set in enumerate(spec.node_sets):
        digits = "0" * max(MOST_DIGITS, node_set.ordinal_padding)
        made = f"{node_set_object(spec.name, node_set.name)}-{digits}"
        yield from _fits(("node_sets", index, "name"), node_set.name, made)
    for index, login_set in enumerate(spec.login_sets):
        # A Deployment adds "-" and up to 10 characters for the ReplicaSet, "-" and 5 for the pod.
        made = f"{login_set_object(spec.name, login_set.name)}-{'x' * 10}-{'x' * 5}"
        yield from _fits(("login_sets", index, "name"), login_set.name, made)
    for index, token in enumerate(spec.tokens):
        yield from _fits(("tokens", index, "name"), token.name, token_object(spec.name, token.name))


def nodes_have_names_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets whose names, or whose nodes' names, Slurm would take for another's."""
    seen: dict[str, NodeSetSpec] = {}
    for index, node_set in enumerate(spec.node_sets):
        same = seen.get(node_set.slurm_name)
        if same and same.name != node_set.name:
            yield FieldError(
                _name_field(node_set, index),
                node_set.host_name_prefix or node_set.name,
                f'the node set "{same.name}" has the same names, and Slurm would mix the two',
                "Choose another prefix.",
            )
        seen.setdefault(node_set.slurm_name, node_set)
    numbered = [item for item in spec.node_sets if item.scaling_mode is ScalingMode.STATEFUL_SET]
    by_prefix = {item.host_name: item for item in numbered}
    for index, node_set in enumerate(spec.node_sets):
        for text, what in ((node_set.slurm_name, "name"), (node_set.host_name + "0", "first node")):
            if what == "first node" and node_set not in numbered:
                continue
            for cut in range(1, len(text)):
                other = by_prefix.get(text[:cut])
                if other and other.slurm_name != node_set.slurm_name and _is_a_number_of(other, text[cut:]):
                    yield FieldError(
                        _name_field(node_set, index),
                        node_set.host_name_prefix or node_set.name,
                        f'"{text}" is this node set\'s {what} and a node of "{other.name}" too, and Slurm would mix '
                        "the two",
                        "Choose a name that does not end in a number.",
                    )
                    break
            else:
                continue
            break


def _is_a_number_of(node_set: NodeSetSpec, text: str) -> bool:
    """Return whether the node set has, or could scale to, a node with this number."""
    if not re.fullmatch(r"0|[1-9][0-9]*", text) and len(text) != node_set.ordinal_padding:
        return False
    return text.isdigit() and int(text) < (node_set.max_replicas or 0)


def _name_field(node_set: NodeSetSpec, index: int) -> Path:
    return ("node_sets", index, "host_name_prefix" if node_set.host_name_prefix else "name")


def _fits(path: Path, name: str, made: str) -> Iterator[FieldError]:
    if len(made) > MAX_LABEL:
        yield FieldError(
            path,
            name,
            f'with the cluster\'s name it makes names such as "{made}", {len(made)} characters of {MAX_LABEL}',
            f"Shorten it, or the cluster's name, by {len(made) - MAX_LABEL}.",
        )
