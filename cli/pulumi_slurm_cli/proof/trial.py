"""A proof under way: the cluster as it should be, its nodes as they are, and how jobs are sent."""

import re
import shlex
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, OverSubscribe, PartitionOptionsSpec, SlurmSpec
from pulumi_slurm_cli.proof.nodes import QUERY, SeenNode, nodes_in
from pulumi_slurm_cli.proof.place import Done, Place

_JOB = re.compile(r"^job (\d+)", re.M)
_REFUSED = re.compile(
    r"Invalid account or account/partition|User's group not permitted|Job violates accounting/QOS policy"
    r"|Access/permission denied|Invalid qos specification|not permitted to use this partition",
    re.I,
)
"""What slurmctld says where a user may not send such a job."""
WAIT = 30
"""How many seconds a job may wait to start."""


@dataclass
class Trial:
    """What the steps of a proof share."""

    spec: SlurmSpec
    pools: Sequence[NodePoolSpec]
    place: Place
    account: str | None = None
    only: str | None = None
    """The partition that is tried; None for all."""
    nodes: list[SeenNode] = field(default_factory=list)
    """What the step "nodes" has seen."""
    silent: set[str] = field(default_factory=set)
    """The nodes that didn't answer to the step "srun", which no other step tries."""
    has_database: bool = True
    """Whether slurmdbd answers; a step has said so where it doesn't."""
    ended_well: int | None = None
    """A job of the step "srun" that did, for the step "record"."""
    job_name: str = field(default_factory=lambda: f"prove-{uuid.uuid4().hex[:8]}")
    """The name of its jobs, by which they are cancelled."""

    def partitions(self) -> dict[str, PartitionOptionsSpec]:
        """Return the partitions that are tried, with their options."""
        return {name: options for _, name, options in all_partitions(self.spec) if self.only in (None, name)}

    def look(self) -> Done:
        """Read the nodes anew, and return what sinfo said."""
        asked = self.place.query(QUERY)
        self.nodes = nodes_in(asked.lines)
        return asked

    def idle(self, nodes: Iterable[SeenNode]) -> list[SeenNode]:
        """Return those of some nodes that have no job, and that are a worker's of the specification.

        Others may be machines of somebody else, without its volumes, or have no slurmd.
        """
        workers = {node_set.slurm_name for node_set in self.spec.node_sets}
        return [node for node in nodes if node.is_idle and node.name not in self.silent and workers & {*node.features}]

    def in_partition(self, name: str) -> list[SeenNode]:
        """Return the nodes of a partition."""
        return [node for node in self.nodes if name in node.partitions]

    def of(self, node_set: NodeSetSpec) -> list[SeenNode]:
        """Return the nodes of a node set: the operator adds its name to their features."""
        return [node for node in self.nodes if node_set.slurm_name in node.features]

    def machine(self, node_set: NodeSetSpec) -> MachineSpec | None:
        """Return what a worker of a node set has."""
        return machine_of(node_set, self.pools)

    def way_to(self, node_set: NodeSetSpec) -> tuple[str, SeenNode] | None:
        """Return a partition that takes a small job, and an idle node of a node set in it; None where there is none."""
        names = [name for name in partitions_of(self.spec, node_set) if name in self.partitions()]
        for name in names:
            idle = [node for node in self.idle(self.of(node_set)) if name in node.partitions]
            if idle and not why_not(self.partitions()[name], 1):
                return name, idle[0]
        return None

    def any_way(self) -> tuple[str, SeenNode] | None:
        """Return the same for the first node set that has one."""
        return next(filter(None, map(self.way_to, self.spec.node_sets)), None)

    def options(self, partition: str, nodes: Sequence[SeenNode]) -> list[str]:
        """Return the options of a job of sbatch and srun on these nodes; it takes little, and has a limit of time."""
        account = [f"--account={self.account}"] if self.account else []
        names = ",".join(node.name for node in nodes)
        return [
            *(f"--partition={partition}", f"--nodes={len(nodes)}", f"--nodelist={names}"),
            *(f"--job-name={self.job_name}", "--time=2", "--mem=100M", "--cpus-per-task=1", "--chdir=/tmp", *account),
        ]

    def srun(self, partition: str, nodes: Sequence[SeenNode], script: str, *options: str, seconds: int = 60) -> Done:
        """Run a script of sh as a job with one task on each of some nodes; it prints first which job it is."""
        words = [
            *("srun", f"--immediate={WAIT}", "--quiet", f"--ntasks={len(nodes)}", "--ntasks-per-node=1"),
            *(*self.options(partition, nodes), *options),
            *("sh", "-c", f'[ "$SLURM_PROCID" != 0 ] || echo job "$SLURM_JOB_ID"\n{script}'),
        ]
        return self.place.run(f"timeout {seconds + WAIT} {shlex.join(words)}", seconds + 2 * WAIT)

    def excuse(self, done: Done, nodes: Collection[SeenNode]) -> str:
        """Return why a job on nodes that were idle says nothing though it failed; "" where it does."""
        if _REFUSED.search(done.errors + done.output):
            return f"Slurm refuses it of {self.place.user}: {done.complaint}. Name another by --user or --account"
        if jobs_in(done):
            return ""
        names = {node.name for node in nodes}
        now = [node for node in nodes_in(self.place.query(QUERY).lines) if node.name in names]
        return "others took its nodes meanwhile" if any(node.works and not node.is_idle for node in now) else ""

    def cancel(self) -> None:
        """End what is left of its jobs."""
        self.place.run(f"scancel --quiet --user={shlex.quote(self.place.user)} --name={self.job_name}")


def why_not(options: PartitionOptionsSpec, count: int) -> str:
    """Return which option of a partition lets no small job on some nodes in; "" where it takes one."""
    if options.state != "UP":
        return f"its state is {options.state}"
    for name in ("root_only", "req_resv"):
        if getattr(options, name):
            return f"{name} is set"
    if options.min_nodes and count < options.min_nodes:
        return f"fewer nodes are idle than minNodes, {options.min_nodes}"
    return ""


def has_whole_nodes(options: PartitionOptionsSpec) -> bool:
    """Return whether a job in a partition has all of its nodes, with all generic resources."""
    return options.over_subscribe == OverSubscribe.EXCLUSIVE


def jobs_in(done: Done) -> tuple[int, ...]:
    """Return the jobs that a script has told of."""
    return tuple(dict.fromkeys(int(number) for number in _JOB.findall(done.output)))
