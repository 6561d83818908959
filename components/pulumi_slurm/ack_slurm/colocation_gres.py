"""The GRES that a job requests with colocation: its CPUs and memory as the copilot counts them.

Source: Alibaba Cloud's guide to colocated scheduling, and the submit plugin in
https://github.com/AliyunContainerService/ai-models-on-ack (framework/slurm/slurm-plugins/job_submit). They count
whole CPUs and MiB.
"""

from dataclasses import dataclass


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
