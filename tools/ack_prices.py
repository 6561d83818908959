"""Write the list prices of ECS by region: python -m tools.ack_prices initial-on-demand-prices.json 2024-12-30.

The file is pkg/providers/pricing/initial-on-demand-prices.json of
https://github.com/cloudpilot-ai/karpenter-provider-alibabacloud, and the day is that of its commit. There the price of
a family without GPUs grows with its vCPUs, up to rounding: it has one line, with what a vCPU of the largest size costs.
Each type of a family of which that isn't so has its own line, as those with GPUs.

A commit of 2025-03-31 added conditions to its licence: read its NOTICE before you take a later state, and change ours.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from pulumi_slurm.machines.ack import prices
from pulumi_slurm.machines.ack.cpu_types import cpu_types
from pulumi_slurm.machines.ack.gpu_types import gpu_types
from pulumi_slurm.machines.price_list import FILE, comment_of_day

TARGET = Path(prices.__file__).with_name(FILE)
DIFFERENCE = 1e-3
"""The part of a price by which it may differ from that of its vCPUs."""
HEAD = """# List prices of ECS in yuan an hour, by region, written by tools/ack_prices.py.
# A family: a vCPU with its memory, and the sizes that are not listed. Or a type.
"""


def main(source: Path, day: str) -> None:
    """Write the file."""
    listed = json.loads(source.read_text(encoding="utf-8"))
    regions = {region: [*_lines(listed[region])] for region in sorted(listed)}
    lines = [line for region, below in regions.items() if below for line in (region, *below)]
    TARGET.write_text(HEAD + "\n".join([comment_of_day(day), *lines]) + "\n", encoding="utf-8")


def _lines(listed: Mapping[str, float]) -> Iterator[str]:
    for family, of_family in groupby(cpu_types(), key=lambda ecs_type: ecs_type.family):
        types = [*of_family]
        # A price of 0 is one that the copy couldn't read.
        rates = {
            ecs_type.name: listed[ecs_type.name] / ecs_type.vcpus for ecs_type in types if listed.get(ecs_type.name)
        }
        if not rates:
            continue
        rate = [*rates.values()][-1]
        if all(abs(other - rate) < DIFFERENCE * rate for other in rates.values()):
            unlisted = [ecs_type.name.rpartition(".")[2] for ecs_type in types if ecs_type.name not in rates]
            yield " ".join([f"  {family}", f"{rate:.8f}".rstrip("0"), *unlisted])
        else:
            yield from (_line(name, listed) for name in rates)
    yield from (_line(ecs_type.name, listed) for ecs_type in gpu_types() if listed.get(ecs_type.name))


def _line(name: str, listed: Mapping[str, float]) -> str:
    return f"  {name.removeprefix('ecs.')} {round(listed[name], 6)}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
