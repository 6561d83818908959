"""A proof under way: the cluster as it should be, its nodes as they are, and how jobs are sent."""

import re
import shlex
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm_cli.proof.place import Done, Place

_JOB = re.compile(r"^job (\d+)$", re.M)
_FREE = ("idle", "mixed")
_AT_WORK = (*_FREE, "allocated", "completing", "reserved", "planned", "maint")
_BUSY = re.compile("Requested nodes are busy|Unable to allocate resources: Requested node configuration")
WAIT = 30
"""How many seconds a job may wait for free nodes: then they are others', and the step says nothing."""


@dataclass(frozen=True)
class SeenNode:
    """A node as slurmctld has it."""

    name: str
    state: str
    """Such as "idle", "mixed", "drained", with marks such as "*" for a node that doesn't answer."""
    cpus: int
    memory: int
    """In MiB."""
    gres: str
    features: tuple[str, ...]
    partitions: tuple[str, ...]
    reason: str

    @property
    def works(self) -> bool:
        """Whether jobs run there, or could."""
        return self.state in _AT_WORK


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
    job_ids: list[int] = field(default_factory=list)
    """The jobs that have run, for the step "record"."""
    job_name: str = field(default_factory=lambda: f"prove-{uuid.uuid4().hex[:8]}")
    """The name of its jobs, by which they are cancelled."""

    def free(self, nodes: Iterable[SeenNode]) -> list[SeenNode]:
        """Return those of some nodes on which a job can start at once."""
        return [node for node in nodes if node.state in _FREE and node.name not in self.silent]

    def in_partition(self, name: str) -> list[SeenNode]:
        """Return the nodes of a partition."""
        return [node for node in self.nodes if name in node.partitions]

    def of(self, node_set: NodeSetSpec) -> list[SeenNode]:
        """Return the nodes of a node set: the operator adds its name to their features."""
        return [node for node in self.nodes if node_set.slurm_name in node.features]

    def machine(self, node_set: NodeSetSpec) -> MachineSpec | None:
        """Return what a worker of a node set has."""
        return machine_of(node_set, self.pools)

    def partition_for(self, node_set: NodeSetSpec) -> str | None:
        """Return a partition by which a node set is reached."""
        names = partitions_of(self.spec, node_set)
        return next((name for name in names if self.only in (None, name)), None)

    def options(self, partition: str, nodes: int = 1) -> list[str]:
        """Return the options of a job of sbatch and srun that takes little, and has a limit of time."""
        account = [f"--account={self.account}"] if self.account else []
        others = [f"--exclude={','.join(sorted(self.silent))}"] if self.silent else []
        return [
            *(f"--partition={partition}", f"--nodes={nodes}", f"--job-name={self.job_name}", "--time=2"),
            *("--mem=100M", "--cpus-per-task=1", "--chdir=/tmp", *account, *others),
        ]

    def srun(self, partition: str, script: str, *options: str, nodes: int = 1, seconds: int = 60) -> Done:
        """Run a script of sh as a job with one task on each node, and note the job; it prints first which it is."""
        words = [
            *("srun", f"--immediate={WAIT}", "--quiet", f"--ntasks={nodes}", "--ntasks-per-node=1"),
            *(*self.options(partition, nodes), *options),
            *("sh", "-c", f'[ "$SLURM_PROCID" != 0 ] || echo job "$SLURM_JOB_ID"\n{script}'),
        ]
        done = self.place.run(f"timeout {seconds + WAIT} {shlex.join(words)}", seconds + 2 * WAIT)
        self.job_ids += [job for job in jobs_in(done) if job not in self.job_ids]
        return done

    def cancel(self) -> None:
        """End what is left of its jobs."""
        self.place.run(f"scancel --quiet --user={shlex.quote(self.place.user)} --name={self.job_name}")


def jobs_in(done: Done) -> tuple[int, ...]:
    """Return the jobs that a script has told of."""
    return tuple(dict.fromkeys(int(number) for number in _JOB.findall(done.output)))


def is_busy(done: Done, nodes: Collection[SeenNode]) -> bool:
    """Return whether a job didn't start since others have the nodes."""
    return bool(_BUSY.search(done.output)) and any(node.state != "idle" for node in nodes)


def last_words(done: Done) -> str:
    """Return what a failed script has printed at the end, on one line."""
    lines = [line for line in done.lines if not _JOB.fullmatch(line)]
    return "; ".join(lines[-3:]) or f"it ended with {done.code}"
