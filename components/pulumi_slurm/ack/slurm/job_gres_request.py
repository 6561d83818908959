"""What a job asks for under colocation: its CPUs and memory as the GRES that the copilot counts.

Source: Alibaba Cloud's guide to colocated scheduling, and the submit plugin in
https://github.com/AliyunContainerService/ai-models-on-ack (framework/slurm/slurm-plugins/job_submit). Whole CPUs are
counted, and MiB. See docs/verification.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pulumi_slurm.errors import FieldError

_CRASH = "Alibaba's submit plugin takes the length of a text that isn't there, which ends slurmctld"
_FORBIDDEN = {
    "gpus": ("the submit plugin refuses the job", "Write --gpus-per-task."),
    "gpus-per-socket": ("the submit plugin refuses the job", "Write --gpus-per-task."),
    "cpus-per-gpu": (_CRASH, "Write --cpus-per-task."),
    "mem-per-gpu": (_CRASH, "Write --mem."),
    "mem-per-cpu": ("the submit plugin would ask for memory that no node has", "Write --mem, the memory on each node."),
}
_NEEDED = ("ntasks", "cpus-per-task", "mem")


@dataclass(frozen=True)
class GresRequest:
    """What a job asks for."""

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
    """Return what a job has to ask for: CPUs are tasks x CPUs of each, memory is that x memory of each CPU.

    Give the memory either for each CPU or for each node. Raises ValueError on anything that isn't at least 1, and where
    both or neither are given.
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
    raise ValueError("give either memory_mib_per_cpu or memory_mib_per_node")


def fits_beside(request: GresRequest, *, cpus: int, slurm_cpus: int, kubernetes_millicpus: int) -> bool:
    """Whether a node of so many CPUs has room for a request, beside what the ledger says is in use.

    Kubernetes' part is rounded up to whole CPUs. That follows from the guide's own example; it is not stated there.
    """
    return slurm_cpus + -(-kubernetes_millicpus // 1000) + request.cpus_per_node <= cpus


def check_job(options: Mapping[str, str | int], *, submit_plugin: bool = True) -> Iterator[FieldError]:
    """Yield what is wrong with the options of a job, by their long names without dashes: ``{"ntasks": 4, "mem":
    4000}``.

    ``submit_plugin`` is whether the cluster derives the two GRES, `ack.slurm.copilot.submitPlugin`.
    """
    texts = {name: str(value) for name, value in options.items()}
    if not submit_plugin:
        if "k8scpu:" not in texts.get("gres", ""):
            problem = "without the submit plugin nobody else asks for the two GRES, and pods would get the same CPUs"
            yield FieldError(
                ("gres",), texts.get("gres", FieldError.ABSENT), problem, f"Write --gres={_example(texts)}."
            )
        else:
            yield from _numbers_agree(texts)
        return
    for name in _NEEDED:
        if name not in texts:
            problem = "the submit plugin refuses the job, or asks for amounts that no node has"
            yield FieldError((name,), FieldError.ABSENT, problem, f"Add --{name}.")
    for name, (problem, fix) in _FORBIDDEN.items():
        if name in texts:
            yield FieldError((name,), texts[name], problem, fix)
    if "k8s" in texts.get("gres", ""):
        problem = "the submit plugin asks for the same once more, and the job would be counted twice"
        yield FieldError(("gres",), texts["gres"], problem, "Leave k8scpu and k8smemory out.")


def _numbers_agree(texts: Mapping[str, str]) -> Iterator[FieldError]:
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
