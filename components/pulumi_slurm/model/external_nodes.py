"""Slurm nodes outside the Kubernetes cluster."""

from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each, each, field_error, field_errors, optional
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import unique_items
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.node_set import check_gres, feature
from pulumi_slurm.model.units import MAX_SLURM_INTEGER, MAX_SLURM_NODES, bytes_text, quantity
from pulumi_slurm.slurmconf import hostlist


class ExternalNodesSpec(Model):
    """Machines outside the Kubernetes cluster, whose slurmds register by themselves.

    The output `outside.slurmdCommands` has the command that starts each; see the page on machines outside.
    """

    name: str
    """The name by which partitions refer to them, which is also the feature that their slurmds state."""
    nodes: str | None = None
    """The machines' names as a hostlist, for example "onprem[1-4]": what `hostname -s` prints on them."""
    max_nodes: int | None = Field(default=None, ge=1, le=MAX_SLURM_NODES)
    """The maximum number of nodes; by default as many as `nodes` has."""
    cpus: int | None = Field(default=None, ge=1, le=65535)
    """CPUs of each machine; by default slurmd states what it finds, with sockets, cores and threads."""
    memory: str | None = None
    """Memory of each machine for jobs as a Kubernetes quantity, for example "250Gi"; by default all of it. Slurm drains
    a machine that has less."""
    gres: list[str] = []
    """GRES of each machine, as in slurm.conf, for example "gpu:h100:8". slurmd finds NVIDIA GPUs by itself."""
    features: list[str] = []
    """Features that jobs can request with `--constraint`, in addition to the name."""
    weight: int | None = Field(default=None, ge=0, le=MAX_SLURM_INTEGER)
    """Slurm's weight of the nodes; nodes with lower weights are allocated first."""

    _name_is_a_word = field_validator("name")(slurm_name)

    @field_validator("nodes")
    @classmethod
    def _nodes_are_host_names(cls, value: str | None) -> str | None:
        return value if value is None else _host_names(value)

    _memory_is_a_quantity = field_validator("memory", mode="before")(optional(bytes_text))

    @field_validator("gres")
    @classmethod
    def _gres_are_gres(cls, value: list[str]) -> list[str]:
        return unique_items(check_each(value, check_gres))

    _features_are_words = field_validator("features")(each(feature))

    @model_validator(mode="after")
    def _number_of_nodes_is_known(self) -> Self:
        if self.nodes is None and self.max_nodes is None:
            problem = "slurmctld has to know how many machines can register"
            fix = 'Add the machines\' names, for example "onprem[1-4]", or maxNodes.'
            raise field_errors([FieldError(("nodes",), FieldError.ABSENT, problem, fix, (("max_nodes",),))])
        if self.max_nodes is not None and self.max_nodes < len(self.node_names):
            problem = f"these are fewer than the {len(self.node_names)} machines in nodes"
            raise field_errors([FieldError(("max_nodes",), self.max_nodes, problem, "Leave it out.", (("nodes",),))])
        return self

    @property
    def node_names(self) -> list[str]:
        """The names of the machines, as far as they are known."""
        return hostlist.expand(self.nodes) if self.nodes else []

    @property
    def node_count(self) -> int:
        """How many nodes there can be."""
        return self.max_nodes or len(self.node_names)

    @property
    def memory_mib(self) -> int | None:
        """The memory in MiB, rounded down."""
        return int(quantity(self.memory) / 1024**2) if self.memory else None


def _host_names(text: str) -> str:
    example = 'Write for example "onprem[1-4]" or "rack1,rack2".'
    try:
        count = hostlist.count(text)
    except ValueError as error:
        raise field_error(f"Slurm does not read this hostlist: {error}", example) from None
    if not count:
        raise field_error("this names no machine", example)
    if count > MAX_SLURM_NODES:
        raise field_error(f"Slurm has room for {MAX_SLURM_NODES} nodes", "Write fewer.")
    names = hostlist.expand(text)
    for name in names:
        slurm_name(name)
        if "." in name:
            # slurmd takes the host name up to the first dot: gethostname_short() in src/slurmd/slurmd/slurmd.c.
            raise field_error("slurmd registers by the host name up to the first dot", f'Write "{name.split(".")[0]}".')
    if len(set(names)) < len(names):
        raise field_error("a machine is in the list twice", "List each once.")
    return text
