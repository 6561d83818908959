"""The models of topology.yaml, field by field as in the file; rules between them are in `rules`."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from pulumi_slurm.slurmconf.content import hosts_in_order
from pulumi_slurm.slurmconf.values import ValueType, read

OneOrMore = BeforeValidator(lambda value: [value] if isinstance(value, dict | int) else value)
"""Slurm takes a single mapping or number for a list of one."""
Hosts = Annotated[str, AfterValidator(lambda text: read(ValueType.HOSTS, text))]
"""A hostlist; it is kept in its short form."""
OrderedHosts = Annotated[str, AfterValidator(hosts_in_order)]
"""A hostlist whose order counts."""
Name = Annotated[str, Field(min_length=1)]
LONGEST_SWITCH_NAME = 64


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Switch(_Model):
    """A switch, above either switches or nodes."""

    switch: Annotated[Name, Field(max_length=LONGEST_SWITCH_NAME)]
    children: Hosts | None = None
    """The switches below, as a hostlist."""
    nodes: Hosts | None = None


class Tree(_Model):
    """Switches in a tree."""

    switches: Annotated[list[Switch], OneOrMore, Field(min_length=1)]


class Block(_Model):
    """Nodes that are near each other."""

    block: Name
    nodes: Hosts | None = None


class Blocks(_Model):
    """Blocks, and the sizes in which they are planned together."""

    block_sizes: Annotated[list[Annotated[int, Field(ge=1)]], OneOrMore] | None = None
    """The size of the base block, and those of larger ones: multiples of it by powers of two."""
    blocks: Annotated[list[Block], OneOrMore, Field(min_length=1)]


class Ring(_Model):
    """Up to 16 nodes in the order in which they are connected."""

    ring: Name
    nodes: OrderedHosts | None = None


class Rings(_Model):
    """Rings of nodes."""

    rings: Annotated[list[Ring], OneOrMore, Field(min_length=1)]


class Dims(_Model):
    """Numbers along three axes: a size or a place."""

    x: Annotated[int, Field(ge=0, lt=2**16)]
    y: Annotated[int, Field(ge=0, lt=2**16)]
    z: Annotated[int, Field(ge=0, lt=2**16)]


class Placement(_Model):
    """A shape that a job may get, and where it may begin."""

    dims: Dims
    anchor_seed: Dims | None = None
    anchor_spacing: Dims | None = None


class Region(_Model):
    """A part of a torus and its nodes, x running fastest."""

    anchor: Dims
    dims: Dims
    nodes: OrderedHosts


class Torus(_Model):
    """Nodes in three dimensions, given at once or by region."""

    name: Name
    dims: Dims
    nodes: OrderedHosts | None = None
    regions: Annotated[list[Region], OneOrMore] | None = None
    placements: Annotated[list[Placement], OneOrMore] | None = None


class Toruses(_Model):
    """Tori of nodes."""

    toruses: Annotated[list[Torus], OneOrMore, Field(min_length=1)]


class Flat(_Model):
    """How a flat topology orders the nodes of a step."""

    alpha_step_rank: bool = False


class Topology(_Model):
    """One network; exactly one of its kinds is given."""

    topology: Name
    cluster_default: bool = False
    tree: Tree | None = None
    block: Blocks | None = None
    flat: bool | Flat | None = None
    ring: Rings | None = None
    torus3d: Toruses | None = None
