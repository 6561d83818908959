"""The GRES that a job requests with colocation: its CPUs and memory as the copilot counts them.

Source: Alibaba Cloud's guide to colocated scheduling, and the submit plugin in
https://github.com/AliyunContainerService/ai-models-on-ack (framework/slurm/slurm-plugins/job_submit). They count
whole CPUs and MiB.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.errors import FieldError

_CRASH = "Alibaba's submit plugin reads a text that isn't set, which crashes slurmctld"
_UNSUPPORTED_OPTIONS = MappingProxyType(
    {
        "gpus": ("the submit plugin refuses the job", "Write --gpus-per-task."),
        "gpus-per-socket": ("the submit plugin refuses the job", "Write --gpus-per-task."),
        "cpus-per-gpu": (_CRASH, "Write --cpus-per-task."),
        "mem-per-gpu": (_CRASH, "Write --mem."),
        "mem-per-cpu": (
            "the submit plugin would request memory that no node has",
            "Write --mem, the memory on each node.",
        ),
    }
)
_REQUIRED_OPTIONS = ("ntasks", "cpus-per-task", "mem")


@dataclass(frozen=True)
class GresRequest:
    """The CPUs and memory that a job requests."""

    cpus_per_node: int
    memory_mib_per_node: int
    nodes: int = 1

    @property
    def gres(self) -> str:
        """The value of `--gres`, which is for each node: ``k8scpu:8,k8smemory:4000``."""
        return f"k8scpu:{self.cpus_per_node},k8smemory:{self.memory_mib_per_node}"

    @property
    def cpus(self) -> int:
        """The CPUs of the whole job."""
        return self.nodes * self.cpus_per_node

    @property
    def memory_mib(self) -> int:
        """The memory of the whole job in MiB."""
        return self.nodes * self.memory_mib_per_node


def gres_request(
    *,
    tasks_per_node: int = 1,
    cpus_per_task: int = 1,
    memory_mib_per_cpu: int | None = None,
    memory_mib_per_node: int | None = None,
    nodes: int = 1,
) -> GresRequest:
    """Return the request of a job: tasks times CPUs per task, and its memory.

    Set the memory either per CPU or per node. Raises ValueError if an argument is less than 1, and if both or neither
    of the two are set.
    """
    amounts = {
        "tasks_per_node": tasks_per_node,
        "cpus_per_task": cpus_per_task,
        "memory_mib_per_cpu": memory_mib_per_cpu,
        "memory_mib_per_node": memory_mib_per_node,
        "nodes": nodes,
    }
    for name, amount in amounts.items():
        if amount is not None and amount < 1:
            raise ValueError(f"{name} is {amount}; write 1 or more")
    cpus = tasks_per_node * cpus_per_task
    if memory_mib_per_cpu is not None and memory_mib_per_node is None:
        return GresRequest(cpus, cpus * memory_mib_per_cpu, nodes)
    if memory_mib_per_node is not None and memory_mib_per_cpu is None:
        return GresRequest(cpus, memory_mib_per_node, nodes)
    raise ValueError("set either memory_mib_per_cpu or memory_mib_per_node")


def fits_on_node(request: GresRequest, *, cpus: int, slurm_cpus: int, kubernetes_millicpus: int) -> bool:
    """Return whether a node with ``cpus`` has room for a request, in addition to the CPUs that are in use.

    Those that Kubernetes uses are rounded up to whole CPUs, which follows from an example in the guide.
    """
    return slurm_cpus + -(-kubernetes_millicpus // 1000) + request.cpus_per_node <= cpus


def check_job(options: Mapping[str, str | int], *, submit_plugin: bool = True) -> Iterator[FieldError]:
    """Yield the errors in the options of a job, by their long names without dashes: ``{"ntasks": 4, "mem": 4000}``.

    ``submit_plugin`` is the option `ack.slurm.copilot.submitPlugin`: whether the cluster derives the two GRES.
    """
    texts = {name: str(value) for name, value in options.items()}
    if not submit_plugin:
        if "k8scpu:" not in texts.get("gres", ""):
            problem = "without the submit plugin only --gres requests the two GRES, and pods would get the same CPUs"
            yield FieldError(
                ("gres",), texts.get("gres", FieldError.ABSENT), problem, f"Write --gres={_example(texts)}."
            )
        else:
            yield from _amounts_agree(texts)
        return
    for name in _REQUIRED_OPTIONS:
        if name not in texts:
            problem = "the submit plugin refuses the job, or requests amounts that no node has"
            yield FieldError((name,), FieldError.ABSENT, problem, f"Add --{name}.")
    for name, (problem, fix) in _UNSUPPORTED_OPTIONS.items():
        if name in texts:
            yield FieldError((name,), texts[name], problem, fix)
    if "k8s" in texts.get("gres", ""):
        problem = "the submit plugin requests the same again, and the job would be counted twice"
        yield FieldError(("gres",), texts["gres"], problem, "Leave k8scpu and k8smemory out.")


def _amounts_agree(texts: Mapping[str, str]) -> Iterator[FieldError]:
    request = _request(texts)
    gres = set(texts["gres"].replace(" ", "").split(","))
    if request and not set(request.gres.split(",")) <= gres:
        problem = f"the job has {request.cpus_per_node} CPUs and {request.memory_mib_per_node} MiB on each node"
        yield FieldError(("gres",), texts["gres"], problem, f"Write --gres={request.gres}.")


def _request(texts: Mapping[str, str]) -> GresRequest | None:
    try:
        tasks = int(texts.get("ntasks-per-node", texts.get("ntasks", "1")))
        cpus = int(texts.get("cpus-per-task", "1"))
        if "mem" in texts:
            return gres_request(tasks_per_node=tasks, cpus_per_task=cpus, memory_mib_per_node=int(texts["mem"]))
        memory = int(texts["mem-per-cpu"])
        return gres_request(tasks_per_node=tasks, cpus_per_task=cpus, memory_mib_per_cpu=memory)
    except (KeyError, ValueError):
        return None  # Not plain numbers, so there is nothing to compare.


def _example(texts: Mapping[str, str]) -> str:
    request = _request(texts)
    return request.gres if request else "k8scpu:<CPUs of a node>,k8smemory:<MiB of a node>"
