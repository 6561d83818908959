"""Jobs that have whole nodes with NVIDIA GPUs, and run a program of `on_nodes` on each."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.model import MachineSpec, NodeSetSpec
from pulumi_slurm.model.machine import NVIDIA_GPU, GpuSpec
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.on_nodes import program
from pulumi_slurm_cli.proof.place import Done
from pulumi_slurm_cli.proof.trial import Trial

_MANY = 32
"""How many nodes are measured at most."""
_MIB = 4096
"""How much memory a job has for the driver of all GPUs, where the node has twice as much."""
NO_PYTHON = 71
_SCRIPT = "command -v python3 >/dev/null || exit 71; exec python3 -c {words}"


@dataclass(frozen=True)
class GpuNodes:
    """Idle nodes of a node set."""

    node_set: NodeSetSpec
    machine: MachineSpec
    gpus: GpuSpec
    partition: str
    nodes: Sequence[SeenNode]

    @classmethod
    def of(cls, trial: Trial, node_set: NodeSetSpec) -> "GpuNodes | str | None":
        """Return those of a node set, why there are none to measure, or None where it should have no GPUs."""
        machine = trial.machine(node_set)
        if not machine or not machine.gpus:
            return None
        if machine.gpus.resource != NVIDIA_GPU:
            return f"only {NVIDIA_GPU} is measured"
        way = trial.way_to(node_set)
        if way is None:
            return "no node of it is idle in a partition that is tried"
        partition, _ = way
        nodes = [node for node in trial.idle(trial.of(node_set)) if partition in node.partitions]
        nodes = nodes[: min(_MANY, trial.partitions()[partition].max_nodes or _MANY)]
        return cls(node_set, machine, machine.gpus, partition, nodes)

    def only(self, names: "set[str]") -> "GpuNodes":
        """Return those of some names."""
        return replace(self, nodes=[node for node in self.nodes if node.name in names])

    def run(self, trial: Trial, name: str, *arguments: str, seconds: int = 110) -> Done:
        """Run a program once on each node, with all of its GPUs."""
        mib = min(_MIB, memory_for_jobs(self.machine) // 2)
        options = ("--exclusive", f"--gres=gpu:{self.gpus.count}", f"--mem={mib}M", "--kill-on-bad-exit=0")
        script = _SCRIPT.format(words=shlex.join([program(name), *arguments]))
        return trial.srun(self.partition, self.nodes, script, *options, seconds=seconds)

    def excuse(self, trial: Trial, done: Done) -> str:
        """Return why a job that failed says nothing about GPUs; "" where it does."""
        if done.code == NO_PYTHON:
            return f"the image of {self.node_set.name} has no python3, which measures"
        return trial.excuse(done, self.partition, self.nodes) if done.code else ""
