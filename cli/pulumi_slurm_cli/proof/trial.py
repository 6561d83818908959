"""A proof under way: the cluster as it should be, its nodes as they are, and how jobs are sent."""

import re
import shlex
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, OverSubscribe, PartitionOptionsSpec, SlurmSpec
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm_cli.proof.nodes import QUERY, SeenNode, nodes_in
from pulumi_slurm_cli.proof.place import Done, Place

_JOB = re.compile(r"^job (\d+)", re.M)
_OF_GROUPS = re.compile(r"User's group not permitted|not in group permitted to use this partition", re.I)
_OF_ACCOUNTS = re.compile(
    r"Invalid account or account/partition|Job violates accounting/QOS policy"
    r"|it would wait for ever: (?:QOS|Assoc|\w*Account)|Access/permission denied"
    r"|Invalid qos specification|Invalid wckey|(?:not permitted to|can't) use this partition|Job is at or exceeds",
    re.I,
)
"""What slurmctld says where a user may not send such a job, for groups, and for accounts and QoS."""
_NOT_ALLOCATED = re.compile(
    r"Unable to allocate resources|allocation failure|Batch job submission failed|immediate", re.I
)
"""What srun and sbatch say where a job got no node; else something is wrong with what it got."""
_ENDED = """
waited=0
while [ $waited -lt {seconds} ]; do
    [ -n "$(squeue --noheader --name={name} --states=COMPLETING --format=%i 2>/dev/null)" ] || break
    sleep 1; waited=$((waited + 1))
done
echo "waited $waited"
"""
"""Waits until Epilogs are over on the nodes of earlier jobs, which get no other before, and prints how many seconds."""
_WAITED = re.compile(r"^waited (\d+)$", re.M)
_WATCHED = """
echo "began $(date +%s)"
{command} </dev/null &
job=$!
(
    sleep 4
    why=$(squeue --noheader --all --name={name} --states=PENDING --format=%r 2>/dev/null | head -n 1)
    case $why in Partition*|*use*this*partition*|*exceeds*|*Account*|QOS*|Assoc*|MaxMem*)
        echo "it would wait for ever: $why" >&2; scancel --quiet --state=PENDING --name={name} ;;
    esac
) >/dev/null &
watch=$!
wait $job; code=$?
kill $watch 2>/dev/null
echo "ended $(date +%s)"
exit $code
"""
"""Runs a job, and prints when; cancels it where it waits for what doesn't come, and says why.

Source of reasons: https://slurm.schedmd.com/job_reason_codes.html, and `state_desc`, which stands in their place, in
src/slurmctld of SchedMD/slurm: node_scheduler.c, partition_mgr.c and acct_policy.c."""
CLUSTER_NAME = "scontrol show config | sed -n 's/^ClusterName *= *//p'"
"""A command that prints the name of the cluster in slurmdbd."""
ANOTHER_USER = """
for other in daemon bin mail games; do [ "$other" = "$1" ] || ! id "$other" >/dev/null 2>&1 || break; done
"""
"""Finds another user than the one that is the first argument, of those whom images have."""
NO_WAY = "no idle node runs jobs"
"""Why nothing is tried where there is no `Trial.any_way`."""
WAIT = 30
"""How many seconds a job may wait to start."""
_LIMITING = ("allow_accounts", "deny_accounts", "allow_qos", "deny_qos", "qos", "extra")
_LIMITING_LINES = ("AccountingStorageEnforce", "JobSubmitPlugins")
"""By which options of a partition, and of slurm.conf, a job may be refused for whose it is."""
MIB = 100
"""How much memory a small job asks for."""
_STALE = 1.0
"""After how many seconds nodes are read anew before a job."""
_EPILOGS = 90
"""How many seconds Epilogs are waited for in all: on a node that hangs they have no end."""


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What a job takes on each node."""

    mib: int = MIB
    cpus: int = 1
    seconds: int = 120
    """How long it may run."""
    at_least: int = 0
    """How long it has to be let run."""
    others: tuple[str, ...] = ()
    """More options of srun."""


SMALL = Needs()


@dataclass
class Trial:
    """What the steps of a proof share."""

    spec: SlurmSpec
    pools: Sequence[NodePoolSpec]
    place: Place
    account: str | None = None
    own_account: str = ""
    """The cluster in which it has an account of its own, as `accounts` makes it; "" without."""
    baseline: Mapping[str, float] = field(default_factory=dict)
    """Rates of an earlier proof, by their names."""
    measured: dict[str, float] = field(default_factory=dict)
    """Rates of this one."""
    only: str | None = None
    """The partition that is tried; None for all."""
    machine_types: Mapping[str, str] = field(default_factory=dict)
    """The machine type of a cloud by the name of the pool, as far as it tells what NCCL is to go over."""
    written: Mapping[str, float] = field(default_factory=dict)
    """How many MB/s can be written on shared volumes, by their names, as the cloud says of their tier."""
    nodes: list[SeenNode] = field(default_factory=list)
    """What the step "nodes" has seen."""
    looked_at: float = 0.0
    """When they were read last."""
    patience: int = _EPILOGS
    """How many seconds Epilogs are still waited for."""
    silent: set[str] = field(default_factory=set)
    """The nodes that didn't answer to the step "srun", which no other step tries."""
    refusing: set[str] = field(default_factory=set)
    """The partitions that run no job though some nodes answer, as the step "srun" saw; no other step tries them."""
    holds_memory: bool = True
    """Whether jobs have no more memory than they asked for, as far as the step "isolation" saw."""
    has_database: bool = True
    """Whether slurmdbd answers; a step has said so where it doesn't."""
    started: int | None = None
    """How many jobs slurmctld has started, as its metrics said before the first one of the proof."""
    ended_well: int | None = None
    """A job of the step "srun" that did, for the step "record"."""
    job_name: str = field(default_factory=lambda: f"prove-{uuid.uuid4().hex[:8]}")
    """The name of its jobs, by which they are cancelled."""

    def partitions(self) -> dict[str, PartitionOptionsSpec]:
        """Return the partitions that are tried, with their options."""
        return {name: options for _, name, options in all_partitions(self.spec) if self.only in (None, name)}

    def willing(self) -> dict[str, PartitionOptionsSpec]:
        """Return those in which jobs ran, or weren't tried yet."""
        return {name: options for name, options in self.partitions().items() if name not in self.refusing}

    def look_again(self) -> None:
        """Read the nodes anew, unless that was a moment ago: others may have got them."""
        if time.monotonic() - self.looked_at > _STALE:
            self.look()

    def look(self, *, patiently: bool = True) -> Done:
        """Read the nodes anew, by default once Epilogs of its jobs are over, and return what sinfo said."""
        asked = self.place.query(f"{self._ended if patiently else ''}{QUERY}", seconds=self.patience + 30)
        self._count_wait(asked)
        self.nodes, self.looked_at = nodes_in(asked.lines), time.monotonic()
        return asked

    @property
    def _ended(self) -> str:
        return _ENDED.format(name=self.job_name, seconds=self.patience)

    def _count_wait(self, done: Done) -> None:
        self.patience -= sum(map(int, _WAITED.findall(done.output)))

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
        way = self.widest_way(node_set, lambda _: SMALL, 1)
        return None if isinstance(way, str) else (way[0], way[1][0])

    def widest_way(
        self, node_set: NodeSetSpec, needs_in: Callable[[PartitionOptionsSpec], Needs], limit: int
    ) -> tuple[str, list[SeenNode], Needs] | str:
        """Return the partition where most idle nodes of a node set can have such a job, those, and its needs there.

        There are no more than ``limit`` of them. Else return why no node can.
        """
        self.look_again()
        best: tuple[str, list[SeenNode], Needs] = ("", [], SMALL)
        why = "no node of it is idle in a partition that is tried"
        for name, options in self.willing().items():
            idle = [node for node in self.idle(self.of(node_set)) if name in node.partitions]
            nodes = idle[: min(limit, options.max_nodes or limit)]
            if name not in partitions_of(self.spec, node_set) or not nodes:
                continue
            needs = needs_in(options)
            if reason := why_not(options, len(nodes), needs):
                why = f"partition {name}: {reason}"
            elif len(nodes) > len(best[1]):
                best = name, nodes, needs
        return best if best[1] else why

    def any_way(self) -> tuple[str, SeenNode] | None:
        """Return the same for the first node set that has one."""
        return next(filter(None, map(self.way_to, self.spec.node_sets)), None)

    def options(self, partition: str, nodes: Sequence[SeenNode], needs: Needs = SMALL) -> list[str]:
        """Return the options of a job of sbatch and srun on these nodes, which has a limit of time."""
        account = [f"--account={self.account}"] if self.account else []
        names = ",".join(node.name for node in nodes)
        longest = time_seconds(self.partitions()[partition].max_time)
        minutes, seconds = divmod(min(needs.seconds, longest or needs.seconds), 60)
        return [
            *(f"--partition={partition}", f"--nodes={len(nodes)}", f"--nodelist={names}"),
            *(f"--job-name={self.job_name}", f"--time={minutes}:{seconds:02}"),
            *(f"--mem={needs.mib}M", f"--cpus-per-task={needs.cpus}", "--chdir=/tmp", *account, *needs.others),
        ]

    def srun(
        self, partition: str, nodes: Sequence[SeenNode], script: str, needs: Needs = SMALL, *, seconds: int = 60
    ) -> Done:
        """Run a script of sh as a job with one task on each of some nodes; it prints first which job it is."""
        words = [
            # Tasks that end are no reason to end others, as WaitTime and KillOnBadExit would have it.
            *("srun", f"--immediate={WAIT}", "--quiet", "--wait=0", "--kill-on-bad-exit=0"),
            *(f"--ntasks={len(nodes)}", "--ntasks-per-node=1", *self.options(partition, nodes, needs)),
            *("sh", "-c", f'[ "$SLURM_PROCID" != 0 ] || echo job "$SLURM_JOB_ID"\n{script}'),
        ]
        command = f"timeout {seconds + WAIT} {shlex.join(words)}"
        watched = _WATCHED.format(command=command, name=self.job_name)
        done = self.place.run(self._ended + watched, seconds + 2 * WAIT + self.patience)
        self._count_wait(done)
        return done

    def _may_be_refused(self, partition: str, texts: str) -> bool:
        """Return whether the specification, or an account that was asked for, keeps jobs out as slurmctld says."""
        options, lines = self.partitions()[partition], slurm_conf_lines(self.spec)
        limits = (getattr(options, name) for name in _LIMITING)
        by_accounts = self.account or any(limits) or any(lines.get(name) for name in _LIMITING_LINES)
        by_groups = options.allow_groups or options.extra or lines.get("JobSubmitPlugins")
        return bool((_OF_GROUPS.search(texts) and by_groups) or (_OF_ACCOUNTS.search(texts) and by_accounts))

    def excuse(self, done: Done, partition: str, nodes: Collection[SeenNode]) -> str:
        """Return why a job on nodes that were idle says nothing though it failed; "" where it does."""
        texts = done.errors + done.output
        has_filter = bool(slurm_conf_lines(self.spec).get("JobSubmitPlugins"))
        if not jobs_in(done) and (
            self._may_be_refused(partition, texts) or (has_filter and _NOT_ALLOCATED.search(texts))
        ):
            return f"Slurm refuses it of {self.place.user}: {done.complaint}. Name another by --user or --account"
        return "" if jobs_in(done) or not _NOT_ALLOCATED.search(texts) else self.others(partition, nodes)

    def others(self, partition: str, nodes: Collection[SeenNode]) -> str:
        """Return that jobs of others have these nodes, or are to have them; "" if there are none."""
        names = shlex.quote(",".join(node.name for node in nodes))
        queue = f"squeue --noheader --all --partition={shlex.quote(partition)} --states=PENDING --format='%j|%r'"
        running = "--states=RUNNING,COMPLETING,SUSPENDED"
        on_nodes = f"squeue --noheader --all --nodelist={names} {running} --format='%j|on them'"
        jobs = [line.rpartition("|") for line in self.place.query(f"{queue}; {on_nodes}").lines]
        others = {why.lower() for name, _, why in jobs if name != self.job_name}
        if "on them" in others:
            return "others took its nodes meanwhile"
        return "others' jobs come first" if others & {"priority", "resources"} else ""

    def cancel(self) -> None:
        """End what is left of its jobs."""
        # Not by the user's name too: slurmctld's clients have no user nobody.
        self.place.run(f"scancel --quiet --name={self.job_name}")


def why_not(options: PartitionOptionsSpec, count: int, needs: Needs = SMALL) -> str:
    """Return which option of a partition lets no such job on some nodes in; "" where it takes one."""
    if options.state != "UP":
        return f"its state is {options.state}"
    for name, is_set in (("rootOnly", options.root_only), ("reqResv", options.req_resv)):
        if is_set:
            return f"{name} is set"
    limits = (("maxMemPerNode", options.max_mem_per_node, 1), ("maxMemPerCpu", options.max_mem_per_cpu, needs.cpus))
    for name, mib, factor in limits:
        if mib and mib.isdecimal() and 0 < int(mib) * factor < needs.mib:
            return f"{name} is {mib} MiB, and a job takes {needs.mib}"
    if options.min_nodes and count < options.min_nodes:
        return f"fewer nodes are idle than minNodes, {options.min_nodes}"
    longest = time_seconds(options.max_time)
    if longest is not None and longest < needs.at_least:
        return f"maxTime is {options.max_time}, and a job takes {needs.at_least} s"
    return ""


def has_whole_nodes(options: PartitionOptionsSpec) -> bool:
    """Return whether a job in a partition has all of its nodes, with all generic resources."""
    return options.over_subscribe == OverSubscribe.EXCLUSIVE


def jobs_in(done: Done) -> tuple[int, ...]:
    """Return the jobs that a script has told of."""
    return tuple(dict.fromkeys(int(number) for number in _JOB.findall(done.output)))
