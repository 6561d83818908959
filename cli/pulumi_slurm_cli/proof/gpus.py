"""A step for the rates of NVIDIA GPUs: on all idle nodes of a node set at once, with all GPUs of each."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.model import MachineSpec, NodeSetSpec
from pulumi_slurm.model.machine import NVIDIA_GPU, GpuSpec
from pulumi_slurm_cli.proof.floors import FROM_DEVICE, MEMORY, PEER, TO_DEVICE, floor_of
from pulumi_slurm_cli.proof.rates import Rate, rated
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial, jobs_in

_MANY = 32
"""How many nodes are measured at most."""
_MIB = 4096
"""How much memory a job has for the driver of all GPUs, where the node has twice as much."""
_FEW = 5
_NO_PYTHON = 71
_SCRIPT = "command -v python3 >/dev/null || exit 71; exec python3 -c {program}"
_RATE = re.compile(r"^(?P<node>\S+) rate (?P<kind>\S+) (?P<which>\S+) (?P<rate>[\d.]+)$", re.M)
_KINDS = {
    TO_DEVICE: "from host to GPU",
    FROM_DEVICE: "from GPU to host",
    MEMORY: "of GPU memory, read and written",
    PEER: "from GPU to GPU",
}


def gpus_are_fast(trial: Trial) -> Iterator[Result]:
    """Measure copies between host and GPU, within each, and between those of a node."""
    for node_set in trial.spec.node_sets:
        machine = trial.machine(node_set)
        if machine and machine.gpus:
            yield from _of_node_set(trial, node_set, machine, machine.gpus)


def _of_node_set(trial: Trial, node_set: NodeSetSpec, machine: MachineSpec, gpus: GpuSpec) -> Iterator[Result]:
    subject, way = f"node set {node_set.name}", trial.way_to(node_set)
    if way is None or gpus.resource != NVIDIA_GPU:
        why = "no node of it is idle in a partition that is tried" if way is None else f"only {NVIDIA_GPU} is measured"
        yield untried("gpus", subject, why)
        return
    partition, _ = way
    nodes = [node for node in trial.idle(trial.of(node_set)) if partition in node.partitions]
    nodes = nodes[: min(_MANY, trial.partitions()[partition].max_nodes or _MANY)]
    program = Path(__file__).with_name("measure_gpus.py").read_text(encoding="utf-8")
    options = ("--exclusive", f"--gres=gpu:{gpus.count}", f"--mem={min(_MIB, memory_for_jobs(machine) // 2)}M")
    done = trial.srun(partition, nodes, _SCRIPT.format(program=shlex.quote(program)), *options, seconds=110)
    jobs, rates = jobs_in(done), [*_RATE.finditer(done.output)]
    excuse = trial.excuse(done, partition, nodes) if done.code else ""
    if done.code == _NO_PYTHON or excuse:
        yield untried("gpus", subject, excuse or f"the image of {node_set.name} has no python3, which measures", jobs)
        return
    measured = {(match["node"], match["which"]) for match in rates}
    wanted = [(node.name, str(index)) for node in nodes for index in range(gpus.count)]
    if missing := [f"GPU {index} of {name}" for name, index in wanted if (name, index) not in measured]:
        few = ", ".join(missing[:_FEW]) + (" and more" if missing[_FEW:] else "")
        yield judged(
            "gpus",
            subject,
            f"nothing is measured of {few}: {done.complaint}",
            wrong=True,
            expected=f"NVIDIA's driver copies to and from {gpus.count} GPUs of each node",
            fix="See that the job finds libcuda.so.1, as docs/add-gpu-node-set.md says, and the driver's log.",
            jobs=jobs,
        )
    for kind, words in _KINDS.items():
        of_kind = [(float(match["rate"]), match) for match in rates if match["kind"] == kind]
        if of_kind:
            rate, lowest = min(of_kind, key=lambda pair: pair[0])
            where = f"{words}, GPU {lowest['which']} of {lowest['node']}, the slowest of {len(of_kind)}"
            lowest_rate = Rate(
                subject=f"{subject}, {kind}",
                value=rate,
                unit="GB/s",
                name=f"{node_set.name}.{kind}",
                of=where,
                floor=floor_of(gpus.type, kind),
            )
            yield rated(trial, "gpus", lowest_rate, jobs)
