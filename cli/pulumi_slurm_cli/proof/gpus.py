"""A step for the rates of NVIDIA GPUs: on all idle nodes of a node set at once, with all GPUs of each."""

import re
from collections.abc import Iterator

from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.proof.floors import FROM_DEVICE, MEMORY, PEER, TO_DEVICE, floor_of
from pulumi_slurm_cli.proof.gpu_jobs import GpuNodes
from pulumi_slurm_cli.proof.rates import Rate, rated
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial, jobs_in

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
        there = GpuNodes.of(trial, node_set)
        if isinstance(there, GpuNodes):
            yield from _of_nodes(trial, there)
        elif there:
            yield untried("gpus", f"node set {node_set.name}", there)


def _of_nodes(trial: Trial, there: GpuNodes) -> Iterator[Result]:
    subject, count = f"node set {there.node_set.name}", there.gpus.count
    done = there.run(trial, "gpu_rates")
    jobs, rates = jobs_in(done), [*_RATE.finditer(done.output)]
    if not rates and (excuse := there.excuse(trial, done)):
        yield untried("gpus", subject, excuse, jobs)
        return
    measured = {(match["node"], match["kind"], match["which"]) for match in rates}
    wanted = [(name, kind, which) for name in there.addresses for kind in _KINDS for which in _which(kind, count)]
    missing = [
        f"{_KINDS[kind]}, {which} of {name}" for name, kind, which in wanted if (name, kind, which) not in measured
    ]
    if missing or done.code:
        yield judged(
            "gpus",
            subject,
            f"nothing is measured {few(missing, 3)}: {done.complaint}" if missing else done.complaint,
            wrong=True,
            expected=f"NVIDIA's driver copies to, from and between {count} GPUs of each node",
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
                name=f"{there.node_set.name}.{kind}",
                of=where,
                floor=floor_of(there.gpus.type, kind),
            )
            yield rated(trial, "gpus", lowest_rate, jobs)


def _which(kind: str, count: int) -> list[str]:
    """Return what is measured of a kind on a node: each GPU, or each pair of two."""
    if kind != PEER:
        return [str(index) for index in range(count)]
    return [f"{one}-{other}" for one in range(count) for other in range(count) if one != other]
