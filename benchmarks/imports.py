"""How much of a processor imports take: of SlurmCluster, of GkeSlurm, and of what programs import without us.

    python3 devcluster/bootstrap.py python -m benchmarks.imports

Each import is in a process of its own, in turn. Prints the medians of processor time, and the ratios.
"""

import os
import resource
import statistics
import subprocess
import sys

RUNS = 9
PAIRS = (
    ("import pulumi, pulumi_kubernetes", "from pulumi_slurm import SlurmCluster"),
    (
        "from pulumi_gcp.compute import Network; from pulumi_gcp.container import Cluster",
        "from pulumi_slurm.gke import GkeSlurm",
    ),
)
"""What a program without us imports, and what it imports of us in addition."""


def processor_seconds(program: str) -> float:
    """Return the processor time of a new Python that runs a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    # Else each process would compile all that it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for without, ours in PAIRS:
        programs = (without, f"{without}\n{ours}")
        for program in programs:
            processor_seconds(program)
        rounds = [[processor_seconds(program) for program in programs] for _ in range(RUNS)]
        bare, both = (statistics.median(column) for column in zip(*rounds, strict=True))
        print(f"{without}: {bare:.2f} s; and {ours}: {both:.2f} s, {both / bare:.2f} times as much")


if __name__ == "__main__":
    main()
