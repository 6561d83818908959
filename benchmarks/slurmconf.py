"""Large configuration files and hostlists: how long reading and writing them takes.

Renders and reads a slurm.conf of 15,000 nodes, as 200 lines and as a line for each node, and compresses and expands
100,000 names beside a plain baseline; prints the medians, and the ratio to the baseline.

    PYTHONPATH=components python benchmarks/slurmconf.py
"""

import itertools
import random
import re
import statistics
import time
from collections.abc import Callable, Iterable

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse, render
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm.slurmconf.version import SERIES

RUNS = 7
NODE_SETS = 200
NODES_PER_SET = 75
NAMES = 100_000


def slurm_conf(*, line_per_node: bool) -> Conf:
    """Return 15,000 nodes in 200 node sets, each with a NodeSet and a PartitionName line of its own."""
    hardware: dict[str, Value] = {"CPUs": 64, "RealMemory": 515_000, "Gres": ("gpu:h100:8",), "Weight": 10}
    entries = []
    for number in range(NODE_SETS):
        nodes = f"set{number}-[0-{NODES_PER_SET - 1}]"
        names = hostlist.expand(nodes) if line_per_node else [nodes]
        entries += [Entry("NodeName", name, {**hardware, "Features": (f"set{number}",)}) for name in names]
        entries.append(Entry("NodeSet", f"set{number}", {"Feature": f"set{number}"}))
        entries.append(
            Entry("PartitionName", f"p{number}", {"Nodes": f"set{number}", "MaxTime": 86_400, "State": "UP"})
        )
    return Conf(File.SLURM, {"ClusterName": "large", "SlurmctldHost": ("control-0",)}, tuple(entries))


def plain_compress(names: Iterable[str]) -> str:
    """Fold runs of equal prefix and padding, as a script would."""
    split = [re.fullmatch(r"(.*?)(\d*)", name) for name in names]
    parts = sorted((match[1], len(match[2]), int(match[2])) for match in split if match)
    groups: dict[tuple[str, int], list[str]] = {}
    for (prefix, width, _), run in itertools.groupby(
        enumerate(parts), lambda item: (*item[1][:2], item[1][2] - item[0])
    ):
        numbers = [part[2] for _, part in run]
        groups.setdefault((prefix, width), []).append(f"{numbers[0]:0{width}}-{numbers[-1]:0{width}}")
    return ",".join(f"{prefix}[{','.join(texts)}]" for (prefix, _), texts in groups.items())


def plain_expand(text: str) -> list[str]:
    """Make the names of bracketed ranges, as a script would."""
    names = []
    for prefix, inside in re.findall(r"([^,\[]+)\[([^\]]+)\]", text):
        for part in inside.split(","):
            first, _, last = part.partition("-")
            for number in range(int(first), int(last or first) + 1):
                names.append(prefix + str(number).zfill(len(first)))
    return names


def milliseconds(*functions: Callable[[], object]) -> list[float]:
    """Return the median time of each function, run in turn."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(RUNS):
        for function, measured in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            measured.append((time.perf_counter() - start) * 1000)
    return [statistics.median(measured) for measured in times]


def main() -> None:
    """Measure and print."""
    for title, line_per_node in (("200 NodeName lines", False), ("15,000 NodeName lines", True)):
        conf = slurm_conf(line_per_node=line_per_node)
        text = render(conf)
        assert parse(text, File.SLURM, SERIES[-1]) == conf
        rendering, reading = milliseconds(lambda: render(conf), lambda: parse(text, File.SLURM, SERIES[-1]))  # noqa: B023
        print(f"slurm.conf of 15,000 nodes, {title + ':':<23} render {rendering:5.0f} ms, read {reading:5.0f} ms")
    names = [f"gpu{number % 200}-{number // 200:03}" for number in range(NAMES)]
    random.Random(1).shuffle(names)
    short = hostlist.compress(names)
    assert sorted(plain_expand(plain_compress(names))) == sorted(hostlist.expand(short)) == sorted(names)
    for title, ours, plain in (
        ("compress", lambda: hostlist.compress(names), lambda: plain_compress(names)),
        ("expand", lambda: hostlist.expand(short), lambda: plain_expand(short)),
    ):
        our_time, plain_time = milliseconds(ours, plain)
        print(
            f"{title} 100,000 names: {our_time:.0f} ms; plain: {plain_time:.0f} ms; ratio: {our_time / plain_time:.2f}"
        )


if __name__ == "__main__":
    main()
