"""Jobs as slurmctld has them in memory."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm_cli.live.values import Number, count, gpus_of_gres, hosts, moment, number, tres, words

_HOLDING = frozenset({"RUNNING", "SUSPENDED"})
_WAITING = frozenset({"PENDING"})
_WITH_NODES = frozenset({"COMPLETING", "CONFIGURING", "STAGE_OUT"})
_TASKS = re.compile(r"(\d+)(?:-(\d+)(?::(\d+))?)?")
_EXCLUSIVE = MappingProxyType({"none": "node", "user": "user", "mcs": "mcs", "topo": "topo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveJob:
    """A job, a task of an array, all waiting tasks of an array, or a component of a heterogeneous job."""

    number: int
    """The number by which scancel and scontrol know it."""
    array: int | None
    """The number of its array, if it has one."""
    task: int | None
    """Which task of the array it is; None also for all tasks that wait."""
    waiting_tasks: str
    """The array's tasks that wait, such as "2-4%2"; Slurm cuts a long list, which then ends with "..."."""
    heterogeneous_job: int | None
    """The number of the heterogeneous job of which this is a component."""
    component: int | None
    """Which component it is, from 0."""
    name: str
    user: str
    """The name of the user, or the number where slurmrestd's pod knows no name."""
    user_number: int
    account: str
    qos: str
    partitions: tuple[str, ...]
    """One once it runs; before, all in which it may run."""
    states: tuple[str, ...]
    """Its state, such as RUNNING, and marks such as COMPLETING."""
    reason: str
    """Why it waits, or has failed; "None" for no reason."""
    explanation: str
    """More about the reason."""
    held: bool
    """Whether it waits for somebody to release it."""
    nodes: tuple[str, ...]
    """The nodes that it has."""
    node_count: int
    """How many nodes it has, or needs at least."""
    cpus: int
    """How many CPUs it has, or needs at least."""
    cpus_per_node: int
    """How many CPUs it needs at least on each node."""
    memory: int | None
    """How much memory in MiB it has on all nodes together, or asks for."""
    memory_per_node: int | None
    """How much memory in MiB it asks for on each node; 0 is all of it."""
    memory_per_cpu: int | None
    """How much memory in MiB it asks for by CPU."""
    gpus: int
    """How many GPUs it has, or asks for."""
    tres: Mapping[str, int]
    """What it has, or asks for, by the name of the trackable resource; memory in MiB."""
    gres_per_node: str
    """What generic resources it asks for on each node, in Slurm's form."""
    gres_per_job: str
    """The same as a whole, on whichever of its nodes."""
    gres_per_task: str
    """The same for each of its tasks, also CPUs."""
    tasks: int
    """How many tasks it has, or needs at least; 0 where nobody has said."""
    most_nodes: int | None
    """How many nodes it takes at most; None for any number."""
    time_limit: Number
    """In minutes; ``math.inf`` without a limit, None for a waiting job that gets that of its partition."""
    submitted: int | None
    """Times are seconds since 1970."""
    start: int | None
    """When it started, or is expected to."""
    end: int | None
    """When it ended, or reaches its time limit."""
    features: str
    """The features that its nodes must have, in Slurm's form."""
    required_nodes: tuple[str, ...]
    excluded_nodes: tuple[str, ...]
    reservation: str
    """The reservation in which it runs, "" for none."""
    dependency: str
    """The jobs for which it waits, in Slurm's form."""
    requeue: bool
    """Whether it may start once more; Slurm starts only batch jobs again."""
    batch: bool
    """Whether it has a script, as those of sbatch do, rather than a waiting srun or salloc."""
    restarts: int
    """How often it started again."""
    exclusive: str
    """With whom it doesn't share nodes: "node" for anyone, "user", "mcs", "topo", or "" where it shares."""

    @property
    def state(self) -> str:
        """Its state without marks, such as RUNNING or PENDING."""
        return self.states[0]

    @property
    def has_user_name(self) -> bool:
        """Whether the user's name is known: the daemons in Slinky's images know no users of a directory."""
        return self.user != str(self.user_number)

    @property
    def is_waiting(self) -> bool:
        """Whether it has not started, or waits to start again."""
        return self.state in _WAITING

    @property
    def is_running(self) -> bool:
        """Whether it has started and has not ended; a suspended one has its nodes too."""
        return self.state in _HOLDING

    @property
    def has_nodes(self) -> bool:
        """Whether its nodes are not free for others: it runs, or its end isn't over."""
        return self.is_running or bool(_WITH_NODES.intersection(self.states))

    @property
    def can_requeue(self) -> bool:
        """Whether Slurm would put it back into the queue rather than end it.

        Source: job_requeue in src/slurmctld/job_mgr.c, branch slurm-26.05, which refuses jobs without a script.
        """
        return self.requeue and self.batch

    @property
    def waiting(self) -> int | None:
        """How many tasks wait behind this entry; None where Slurm has cut their list."""
        return _count_tasks(self.waiting_tasks) if self.waiting_tasks else 1

    @property
    def shown(self) -> str:
        """Its number as squeue shows it: "7", "7_3", "7_[4-9%2]", "7+1".

        Source: _print_job_job_id in src/squeue/print.c, branch slurm-26.05.
        """
        if self.heterogeneous_job is not None:
            return f"{self.heterogeneous_job}+{self.component}"
        if self.array is None:
            return str(self.number)
        if self.task is not None:
            return f"{self.array}_{self.task}"
        return f"{self.array}_[{self.waiting_tasks}]"


def job_of(data: Mapping[str, Any]) -> LiveJob:
    """Return a job from slurmrestd's JSON."""
    in_array = count(data["array_job_id"]) or None
    heterogeneous = count(data["het_job_id"]) or None
    resources = tres(data["tres_alloc_str"] or data["tres_req_str"])
    nodes = count(data["node_count"])
    task, memory_per_node, memory_per_cpu = (
        _integer(data[key]) for key in ("array_task_id", "memory_per_node", "memory_per_cpu")
    )
    return LiveJob(
        number=data["job_id"],
        array=in_array,
        task=None if in_array is None else task,
        waiting_tasks=data["array_task_string"],
        heterogeneous_job=heterogeneous,
        component=None if heterogeneous is None else count(data["het_job_offset"]),
        name=data["name"],
        user=data["user_name"] or str(data["user_id"]),
        user_number=data["user_id"],
        account=data["account"],
        qos=data["qos"],
        partitions=words(data["partition"]),
        states=words(data["job_state"]),
        reason=data["state_reason"],
        explanation=data["state_description"],
        held=data["hold"],
        nodes=hosts(data["nodes"]),
        node_count=nodes,
        cpus=count(data["cpus"]),
        cpus_per_node=count(data["minimum_cpus_per_node"]),
        memory=resources.get("mem"),
        memory_per_node=memory_per_node,
        memory_per_cpu=memory_per_cpu,
        gpus=_gpus(data, resources, nodes),
        tres=resources,
        gres_per_node=data["tres_per_node"],
        gres_per_job=data["tres_per_job"],
        gres_per_task=data["tres_per_task"],
        tasks=count(data["tasks"]),
        most_nodes=count(data["max_nodes"]) or None,
        time_limit=number(data["time_limit"]),
        submitted=moment(data["submit_time"]),
        start=moment(data["start_time"]),
        end=moment(data["end_time"]),
        features=data["features"],
        required_nodes=hosts(data["required_nodes"]),
        excluded_nodes=hosts(data["excluded_nodes"]),
        reservation=data["resv_name"],
        dependency=data["dependency"],
        requeue=bool(data["requeue"]),
        batch=bool(data["batch_flag"]),
        restarts=data["restart_cnt"],
        exclusive=next((_EXCLUSIVE[word] for word in words(data["shared"]) if word in _EXCLUSIVE), ""),
    )


def _integer(value: Any) -> int | None:
    return None if number(value) is None else count(value)


def _gpus(data: Mapping[str, Any], resources: Mapping[str, int], nodes: int) -> int:
    """Return the number of GPUs, also where AccountingStorageTRES has no gres/gpu and so no count is kept."""
    if "gres/gpu" in resources:
        return resources["gres/gpu"]
    if total := gpus_of_gres(data["tres_per_job"]):
        return total
    if per_node := gpus_of_gres(data["tres_per_node"]):
        return per_node * nodes
    return gpus_of_gres(data["tres_per_task"]) * count(data["tasks"])


def _count_tasks(text: str) -> int | None:
    """Return how many numbers a list such as "0-3,9%2" or "1-99:2" has.

    Source: xlate_array_task_str in src/common/slurm_protocol_defs.c, branch slurm-26.05, which cuts at 64 characters.
    """
    total = 0
    for item in text.partition("%")[0].split(","):
        if not (match := _TASKS.fullmatch(item)):
            return None
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        total += (last - first) // step + 1
    return total
