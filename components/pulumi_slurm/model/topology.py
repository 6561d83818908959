"""Where nodes are in the network, so that Slurm gives a job nodes that are near each other.

Source: https://slurm.schedmd.com/topology.yaml.html, and for nodes that register by themselves
https://slurm.schedmd.com/topology.html#dynamic_topo.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each, check_each_pair, each, field_error, raise_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_names import label_key, label_value
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.one_of import OneOf


class TopologyKind(StrEnum):
    """A network as Slurm sees it."""

    TREE = "tree"
    """Switches below switches: a job gets nodes below as few switches as possible."""
    BLOCK = "block"
    """Blocks of one size: a job gets nodes of one block, or of adjacent blocks."""
    FLAT = "flat"
    """All nodes are equally far from each other."""


class TopologySpec(Model):
    """A topology. Labels of Kubernetes nodes say where in it the Slurm nodes on them are."""

    name: str
    """The name by which partitions refer to it."""
    kind: OneOf[TopologyKind]
    """The kind of network. A topology goes in two steps: write flat first, by which all nodes leave it, and take it out
    in the next update."""
    node_labels: list[str] = []
    """Labels of Kubernetes nodes, from the outermost to the innermost, for example a zone and a rack. Those of a tree
    are its switches, from below the root; that of blocks is the block."""
    blocks: list[str] = []
    """With kind block: the values of the label, in the order in which blocks are adjacent. slurmctld takes no
    node into another block, and ends when a block goes in which nodes are."""
    block_sizes: list[int] = Field(default=[], json_schema_extra={"items": {"type": "integer", "minimum": 1}})
    """With kind block: the number of nodes that each block has at least, then the sizes of groups of blocks that larger
    jobs get, each a power of two times the first."""
    default: bool = False
    """Make this the topology of partitions that name none. Without such a one it is flat."""

    _name_is_a_word = field_validator("name")(slurm_name)

    _labels_are_keys = field_validator("node_labels")(each(label_key))

    @field_validator("block_sizes")
    @classmethod
    def _sizes_are_numbers_of_nodes(cls, value: list[int]) -> list[int]:
        return check_each_pair(value, enumerate(value), lambda _, nodes: _size(nodes))

    @field_validator("blocks")
    @classmethod
    def _blocks_are_values(cls, value: list[str]) -> list[str]:
        return check_each(value, _block)

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        raise_errors(self._errors())
        return self

    def _errors(self) -> Iterator[FieldError]:
        needs, kind = _NEEDS[self.kind], (("kind",),)
        for field, fix in needs.items():
            if not getattr(self, field):
                problem = f"{_A[self.kind]} needs it"
                yield FieldError((field,), getattr(self, field), problem, fix, (*kind, (field,)))
        for field in ("node_labels", "blocks", "block_sizes"):
            value = getattr(self, field)
            if value and field not in needs:
                yield FieldError((field,), value, f"{_A[self.kind]} has no use for it", "Leave it out.", kind)
            elif field != "block_sizes" and len(set(value)) < len(value):
                twice = next(item for item in value if value.count(item) > 1)
                yield FieldError((field,), value, f'"{twice}" is in the list twice', "Keep one of them.")
        if self.kind is TopologyKind.BLOCK and len(self.node_labels) > 1:
            problem = "blocks are not nested, so a single label names the block"
            yield FieldError(("node_labels",), self.node_labels, problem, "Keep one label.", kind)


_A: Mapping[str, str] = MappingProxyType(
    {TopologyKind.TREE: "a tree", TopologyKind.BLOCK: "a topology of blocks", TopologyKind.FLAT: "a flat topology"}
)
_NEEDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        TopologyKind.TREE: MappingProxyType(
            {
                "node_labels": "Write labels from the outermost to the innermost, "
                'for example ["topology.kubernetes.io/zone"].'
            }
        ),
        TopologyKind.BLOCK: MappingProxyType(
            {
                "node_labels": 'Write the label whose value is the block, for example ["example.org/rack"].',
                "blocks": "Write the values of the label: slurmctld makes no blocks by itself.",
                "block_sizes": "Write the number of nodes that each block has at least.",
            }
        ),
        TopologyKind.FLAT: MappingProxyType({}),
    }
)
"""The fields that each kind needs, and what to write where one is missing."""


def _size(value: int) -> None:
    if value < 1:
        raise field_error("this is too small", "Write 1 or more.")


def _block(value: str) -> None:
    label_value(value)
    if not value:
        raise field_error("a node without the label would have this value", "Leave it out.")
