"""Large input that people type: how long an import of many nodes takes, and the errors of many mistakes.

Imports a slurm.conf of 65,536 nodes, as four lines and as a line for each node, beside parsing the same file; and loads
2,000 node sets that are all wrong beside 2,000 that are right. Prints the medians, and the ratios.

    PYTHONPATH=components:stacks:cli python benchmarks/typed_input.py
"""

import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES
from pulumi_slurm_cli.importing import import_cluster

RUNS = 3
NODES = 65_536
RACKS = 4
MISTAKES = 2_000


def slurm_conf(*, line_per_node: bool) -> str:
    """Return four racks of nodes, a partition of all and one for half of each rack."""
    lines = [
        "ClusterName=large",
        "SlurmctldHost=control",
        "NodeName=DEFAULT Sockets=2 CoresPerSocket=32 RealMemory=512000",
    ]
    per_rack = NODES // RACKS
    for rack in range(RACKS):
        names = [f"[1-{per_rack}]"] if not line_per_node else [str(number) for number in range(1, per_rack + 1)]
        lines += [f"NodeName=rack{rack}-n{name} Features=rack{rack} Gres=gpu:h100:8" for name in names]
        lines.append(f"PartitionName=rack{rack} Nodes=rack{rack}-n[1-{per_rack // 2}] MaxTime=1-0")
    return "\n".join([*lines, "PartitionName=all Nodes=ALL Default=YES", ""])


def node_sets(*, right: bool) -> dict[str, Any]:
    """Return a specification of many node sets."""
    machine = {"cpus": 4 if right else "many", "memory": "16Gi"}
    return {"name": "large", "nodeSets": [{"name": f"n-{number}-x", "machine": machine} for number in range(MISTAKES)]}


def load_all(data: dict[str, Any]) -> None:
    """Load a specification, and drop its errors."""
    with contextlib.suppress(SpecError):
        load(data)


def seconds(*functions: Callable[[], object]) -> list[float]:
    """Return the median time of each function, run in turn."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(RUNS):
        for function, measured in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            measured.append(time.perf_counter() - start)
    return [statistics.median(measured) for measured in times]


def main() -> None:
    """Measure and print."""
    for title, line_per_node in ((f"{RACKS} lines", False), ("a line for each", True)):
        text = slurm_conf(line_per_node=line_per_node)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "slurm.conf"
            path.write_text(text, encoding="utf-8")
            importing, parsing = seconds(
                lambda: import_cluster(path),  # noqa: B023
                lambda: parse(text, File.SLURM, DEFAULT_SERIES),  # noqa: B023
            )
        print(f"{NODES:,} nodes, {title + ':':<16} import {importing:.1f} s, parse {parsing:.1f} s; ", end="")
        print(f"ratio: {importing / parsing:.1f}")
    wrong, right = seconds(lambda: load_all(node_sets(right=False)), lambda: load_all(node_sets(right=True)))
    print(f"{MISTAKES:,} mistakes: {wrong:.1f} s; as many right ones: {right:.1f} s; ratio: {wrong / right:.1f}")


if __name__ == "__main__":
    main()
