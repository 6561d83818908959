"""How long reviews and checks take.

Makes the log of a preview with 5,000 resources, and a look at 10,000 jobs on 5,000 nodes. Half of the jobs run, and
half of the nodes go. Reviews this beside reading the log as JSON alone; and checks a stack's file by the command beside
an import of what reads it, each in a fresh process. Prints medians and ratios.

    PYTHONPATH=components:stacks:cli:. python benchmarks/review_times.py
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from devcluster.folders import CHECKOUT, PYTHON_PATH
from pulumi_slurm_cli.live import Look
from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.cluster_side import COMPONENT
from pulumi_slurm_cli.review.engine_events import read_events
from pulumi_slurm_cli.review.markdown import markdown
from pulumi_slurm_cli.review.report import now
from tests.unit.review.live_jobs import node, running, waiting

STACK_FILE = CHECKOUT / "Pulumi.gke-a3.yaml"
RUNS = 5
RESOURCES = 5_000
JOBS = 10_000
NODE_SETS = 50
POOL = {
    "name": "gpu",
    "machine": {"cpus": 64, "memory": "512Gi", "gpus": {"type": "h100", "count": 8}},
    "nodeLabels": {"pool": "gpu"},
}
WORKERS = 100
"""Of each node set before the change; after it there are half as many."""


def events() -> str:
    """Return the log of a preview: a cluster that shrinks, and objects that are updated with it."""
    urn = "urn:pulumi:hpc::clusters::"
    old, new = ({"spec": cluster(workers), "pools": [POOL]} for workers in (WORKERS, WORKERS // 2))
    lines = [step(f"{urn}{COMPONENT}::large", COMPONENT, old, new)]
    kind = "kubernetes:core/v1:ConfigMap"
    for number in range(RESOURCES - 1):
        one, other = (
            {"metadata": {"name": f"c-{number}", "namespace": "slurm"}, "data": {"key": "x" * 500, "n": str(value)}}
            for value in (number, number + 1)
        )
        lines.append(step(f"{urn}{COMPONENT}${kind}::c-{number}", kind, one, other))
    lines.append({"summaryEvent": {"result": "succeeded"}})
    return "".join(f"{json.dumps({'sequence': place, **line})}\n" for place, line in enumerate(lines))


def cluster(workers: int) -> dict[str, Any]:
    """Return a cluster's specification."""
    names = [f"set-{number}" for number in range(NODE_SETS)]
    return {
        "name": "large",
        "slurmVersion": "25.11",
        "nodeSets": [{"name": name, "pool": "gpu", "replicas": workers} for name in names],
        "partitions": [{"name": f"p-{name}", "nodeSets": [name]} for name in names],
    }


def step(urn: str, kind: str, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the event of an update."""
    metadata = {"op": "update", "urn": urn, "type": kind, "old": {"inputs": old}, "new": {"inputs": new}}
    return {"resourcePreEvent": {"metadata": {**metadata, "diffs": ["data"], "detailedDiff": None}}}


def look() -> Look:
    """Return 10,000 jobs, half of which run, on all of the workers."""
    nodes = [f"set-{number}-{place}" for number in range(NODE_SETS) for place in range(WORKERS)]
    return Look(
        taken=0,
        cluster="large",
        release="25.11.0",
        controllers=("large-controller-0",),
        jobs=(
            *(running(name, number=number, **job(name)) for number, name in enumerate(nodes)),
            *(waiting(number=JOBS - number, **job(name)) for number, name in enumerate(nodes)),
        ),
        nodes=tuple(map(node, nodes)),
        partitions=(),
        reservations=(),
        configuration=None,
    )


def job(name: str) -> dict[str, Any]:
    """Return what the jobs of a node have."""
    return {
        "partitions": (f"p-{name.rpartition('-')[0]}",),
        "gpus": 8,
        "gres_per_node": "gpu:8",
        "features": "fast&new",
    }


def reviewed(log: str, seen: Look) -> str:
    """Return the review of a log."""
    preview = read_events(log.splitlines())
    return markdown(review(preview, {"large": seen}, source="preview", commit=None, made_at=now()))


def read(log: str) -> None:
    """Read a log, and no more."""
    for line in log.splitlines():
        json.loads(line)


def ran(*arguments: str) -> None:
    """Run Python, whatever it has to say."""
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=CHECKOUT, env={"PYTHONPATH": PYTHON_PATH}, capture_output=True, check=False)


def seconds(task: Callable[[], object]) -> float:
    """Return how long a task takes."""
    begin = time.perf_counter()
    task()
    return time.perf_counter() - begin


def compare(ours: tuple[str, Callable[[], object]], theirs: tuple[str, Callable[[], object]]) -> None:
    """Measure two tasks in turn, and print what each takes, and the ratio."""
    for _, task in (ours, theirs):
        task()
    pairs = [(seconds(ours[1]), seconds(theirs[1])) for _ in range(RUNS)]
    for (name, _), column in zip((ours, theirs), zip(*pairs, strict=True), strict=True):
        print(f"{name}: {statistics.median(column):.2f} s")
    print(f"ratio: {statistics.median(a / b for a, b in pairs):.1f}")


def main() -> None:
    """Measure both commands."""
    log, seen = events(), look()
    compare(
        (f"review of {RESOURCES} resources and {JOBS} jobs", lambda: reviewed(log, seen)),
        ("reading the events", lambda: read(log)),
    )
    compare(
        (f"check {STACK_FILE.name}", lambda: ran("-m", "pulumi_slurm", "check", STACK_FILE.name)),
        ("import pydantic, yaml", lambda: ran("-c", "import pydantic, yaml")),
    )


if __name__ == "__main__":
    main()
