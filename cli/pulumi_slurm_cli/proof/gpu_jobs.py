"""Jobs that have whole nodes with NVIDIA GPUs, and run a program of `on_nodes` on each."""

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.model import NodeSetSpec, PartitionOptionsSpec
from pulumi_slurm.model.machine import NVIDIA_GPU, GpuSpec, MachineSpec
from pulumi_slurm_cli.proof.floors import is_part
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.on_nodes import program
from pulumi_slurm_cli.proof.place import Done
from pulumi_slurm_cli.proof.trial import Needs, Trial

_MANY = 32
"""How many nodes are measured at most."""
_MIB = 1024
"""How much memory a job has at least, where the node has twice as much: the driver and NCCL want some for each GPU."""
_SECONDS = 240
_NO_PYTHON = 71
_SCRIPT = "command -v python3 >/dev/null || exit 71; exec python3 -c {words}"
_NODE = re.compile(r"^NodeName=(?P<name>\S+) (?=.*?\bCPUEfctv=(?P<cpus>\d+))(?=.*?\bNodeAddr=(?P<address>\S+))", re.M)


@dataclass(frozen=True)
class GpuNodes:
    """Idle nodes of a node set, with all of their GPUs."""

    node_set: NodeSetSpec
    machine: MachineSpec
    gpus: GpuSpec
    partition: str
    addresses: Mapping[str, str]
    """The addresses of the nodes, by their names."""
    needs: Needs

    @classmethod
    def of(cls, trial: Trial, node_set: NodeSetSpec) -> "GpuNodes | str | None":
        """Return those of a node set, why there are none to measure, or None where it should have no GPUs."""
        machine = trial.machine(node_set)
        gpus = machine.gpus if machine else None
        if not machine or not gpus:
            return None
        if gpus.resource != NVIDIA_GPU:
            return f"only {NVIDIA_GPU} is measured"
        if is_part(gpus.type):
            return "parts of GPUs by MIG aren't measured: a program opens one of them alone"
        trial.look_again()
        asked = trial.place.query("scontrol --oneliner show nodes").output
        nodes = {match["name"]: match for match in _NODE.finditer(asked)}
        cpus = min((int(nodes[node.name]["cpus"]) for node in trial.of(node_set) if node.name in nodes), default=1)
        way = trial.widest_way(node_set, lambda options: _needs(trial, machine, gpus, cpus, options), _MANY)
        if isinstance(way, str):
            return way
        partition, idle, needs = way
        addresses = {node.name: nodes[node.name]["address"] if node.name in nodes else node.name for node in idle}
        return cls(node_set, machine, gpus, partition, addresses, needs)

    def only(self, names: Collection[str]) -> "GpuNodes":
        """Return those of some names."""
        return replace(self, addresses={name: self.addresses[name] for name in self.addresses if name in names})

    def run(self, trial: Trial, name: str, *arguments: str) -> Done:
        """Run a program once on each node, with all of its GPUs and CPUs."""
        script = _SCRIPT.format(words=shlex.join([program(name), *arguments]))
        return trial.srun(self.partition, self._nodes(trial), script, self.needs, seconds=_SECONDS)

    def excuse(self, trial: Trial, done: Done) -> str:
        """Return why a job that failed says nothing about GPUs; "" where it does."""
        if done.code == _NO_PYTHON:
            return f"the image of {self.node_set.name} has no python3, which measures"
        return trial.excuse(done, self.partition, self._nodes(trial)) if done.code else ""

    def _nodes(self, trial: Trial) -> list[SeenNode]:
        return [node for node in trial.nodes if node.name in self.addresses]


def _needs(trial: Trial, machine: MachineSpec, gpus: GpuSpec, cpus: int, options: PartitionOptionsSpec) -> Needs:
    """Return what a job in a partition takes: all CPUs, and half of a node's memory, as far as limits let it.

    Without an option for CPUs, srun gives a task one of them, also of a node that the job has alone:
    arg_set_exclusive in src/common/slurm_opt.c of SchedMD/slurm.
    """
    half, lines = memory_for_jobs(machine) // 2, slurm_conf_lines(trial.spec)
    limits: Sequence[tuple[object, int]] = (
        *((lines.get("MaxMemPerNode"), 1), (lines.get("MaxMemPerCPU"), cpus)),
        *((options.max_mem_per_node, 1), (options.max_mem_per_cpu, cpus)),
    )
    allowed = [int(str(mib)) * factor for mib, factor in limits if str(mib).isdecimal() and int(str(mib))]
    return Needs(
        mib=max(min(_MIB, half), min([half, *allowed])),
        cpus=cpus,
        seconds=_SECONDS,
        at_least=_SECONDS,
        others=("--exclusive", f"--gres=gpu:{gpus.count}"),
    )
