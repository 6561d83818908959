"""Write the list prices of Google's machine types by region: python -m tools.gke_prices initial-prices.json 2026-08-03.

The file is pkg/providers/pricing/initial-prices.json of https://github.com/cloudpilot-ai/karpenter-provider-gcp, which
has what Google's Cloud Billing catalogue says for each type, and the day is that of its commit. Types of one series, or
of one shape of it, cost the same for each vCPU, GiB of memory and GiB of SSD that comes with them. Where that isn't so,
or some of them aren't listed in a region, each has its own line.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from pathlib import Path

from pulumi_slurm.machines.gke import prices
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.machines.gke.machine_type import GkeMachineTypeSpec
from pulumi_slurm.machines.price_list import FILE, comment_of_day

TARGET = Path(prices.__file__).with_name(FILE)
DIFFERENCE = 2e-6
"""Dollars an hour by which a price may differ from that of its size: the source has six digits, and more for some."""
HEAD = """# List prices of Google's machines in dollars an hour, by region, written by tools/gke_prices.py.
# A series or a shape of one: a vCPU, a GiB of memory, a GiB of SSD that comes with a type, and the same as a spot VM.
# A type: on demand, as a spot VM. "-" is not known.
"""
Sizes = tuple[float, float, float]
Listed = Mapping[str, Mapping[str, float]]
"""Prices by type, for "on_demand" and for "spot"."""


def main(source: Path, day: str) -> None:
    """Write the file."""
    listed = json.loads(source.read_text(encoding="utf-8"))["prices"]
    lines = [line for region in sorted(listed) for line in (region, *_lines(listed[region]))]
    TARGET.write_text(HEAD + comment_of_day(day) + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


def _lines(listed: Listed) -> Iterator[str]:
    every = [*GkeCatalogueSpec.built_in_types().values()]
    for series, of_series in groupby(every, key=lambda machine: prices.groups(machine.name)[0]):
        machines = [*of_series]
        if line := _line(series, machines, listed):
            yield line
            continue
        for shape, of_shape in groupby(machines, key=lambda machine: prices.groups(machine.name)[1]):
            machines = [*of_shape]
            line = _line(shape, machines, listed)
            yield from [line] if line else _line_each(machines, listed)


def _line(name: str, machines: Sequence[GkeMachineTypeSpec], listed: Listed) -> str:
    """Return one line for these types; empty if they need one each."""
    rates = [_rates(machines, listed[kind]) for kind in ("on_demand", "spot")]
    if any(machine.gpus for machine in machines) or not all(rates):
        return ""
    return f"  {name} {' '.join(_text(rate) for some in rates if some for rate in some)}"


def _line_each(machines: Sequence[GkeMachineTypeSpec], listed: Listed) -> Iterator[str]:
    for machine in machines:
        pair = [listed[kind].get(machine.name) for kind in ("on_demand", "spot")]
        if pair != [None, None]:
            yield f"  {machine.name} {' '.join('-' if price is None else _text(price) for price in pair)}"


def _rates(machines: Sequence[GkeMachineTypeSpec], listed: Mapping[str, float]) -> Sizes | None:
    """Return what a vCPU, a GiB and a GiB of SSD cost, if all of these types are listed and that is so for each."""
    if any(machine.name not in listed for machine in machines):
        return None
    rows = [(prices.sizes(machine), listed[machine.name]) for machine in machines]
    # A series with one shape has one price; it stands with the vCPUs.
    for count in (1, 2, 3):
        for some in combinations(rows, count):
            rates = _solved([(sizes[:2] if count < 3 else sizes, price) for sizes, price in some], count)
            if rates and all(abs(prices.cost(sizes, rates) - price) < DIFFERENCE for sizes, price in rows):
                return rates
    return None


def _solved(rows: Sequence[tuple[Sequence[float], float]], unknown: int) -> Sizes | None:
    """Return the solution of as many linear equations as there are unknown rates, by elimination."""
    matrix = [[*sizes[:unknown], price] for sizes, price in rows]
    for column in range(unknown):
        pivot = max(range(column, unknown), key=lambda row: abs(matrix[row][column]))
        if abs(matrix[pivot][column]) < 1e-9:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        for row in range(unknown):
            if row != column:
                factor = matrix[row][column] / matrix[column][column]
                matrix[row] = [one - factor * other for one, other in zip(matrix[row], matrix[column], strict=True)]
    solution = [matrix[row][unknown] / matrix[row][row] for row in range(unknown)]
    vcpu, gib, ssd = [*solution, 0.0, 0.0][:3]
    return vcpu, gib, ssd


def _text(price: float) -> str:
    return f"{round(price, 9):.9f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
