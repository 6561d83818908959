"""slurm.conf in the memory of a real slurmctld: what it has read is not found, and what it hasn't read is."""

import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File, Key, keys
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.drift.settings import ADDED_TO, UNTOLD, of_settings
from pulumi_slurm_cli.live import Look, take_look
from tests.slurmd.cluster import Cluster
from tests.slurmd.daemon import DaemonError
from tests.slurmd.differences import has_the_plugins
from tests.slurmd.drawn_lines import Drawn
from tests.slurmd.looking import slurmrestd
from tests.slurmd.plausible_values import VALUES
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.slurmd.verdicts import judged

SERIES = Series(26, 5)
TOGETHER = 16
"""Keys that one slurmctld reads together."""
BY_TYPE = {
    ValueType.NUMBER: ("5", "100", "0"),
    ValueType.MEMORY: ("100",),
    ValueType.FLAG: ("YES", "NO"),
    ValueType.SECONDS: ("60", "INFINITE"),
    ValueType.DURATION: ("5", "1-0", "UNLIMITED"),
    ValueType.DECIMAL: ("2.5",),
}
BOUNDS_OTHERS = ("FirstJobId", "MaxJobId")
"""Of few numbers there can't be many jobs, so slurmctld lowers MaxJobCount."""
REPEATED = "tests/slurmd/test_drift_settings.py, with fewer lines"
FEW, ALL = 8, 1000
Lines = dict[str, str]


@dataclass(frozen=True)
class Read:
    """A specification, and how slurmctld has it in memory."""

    spec: SlurmSpec
    look: Look

    def found(self, of: SlurmSpec) -> dict[str, str]:
        """Return what is found of another specification, by key."""
        findings = of_settings(of, [], self.look, ())
        return {finding.problem.partition(" ")[0]: finding.line for finding in findings}


class Memory:
    """A slurmctld that starts with one file after another."""

    def __init__(self, site: Site) -> None:
        self._cluster = Cluster(site)
        self._rest = False

    def read(self, lines: Lines) -> list[Read]:
        """Return what it has of lines; where it doesn't take all of them together, of some and of the others."""
        if spec := taken(lines):
            try:
                self._cluster.start_controller(rendered_files(spec, SERIES))
            except DaemonError:
                pass
            else:
                if not self._rest:
                    self._cluster.start_rest(rendered_files(spec, SERIES))
                    self._rest = True
                return [Read(spec, take_look(slurmrestd(self._cluster)))]
        items = [*lines.items()]
        halves = (items[: len(items) // 2], items[len(items) // 2 :]) if len(items) > 1 else ()
        return [read for half in halves for read in self.read(dict(half))]


def taken(lines: Lines) -> SlurmSpec | None:
    """Return the specification with lines, None where we refuse them."""
    with warnings.catch_warnings(action="ignore"):
        spec, errors = judged(Drawn({None: lines}), SERIES)
    return spec if spec and not errors and has_the_plugins(rendered_files(spec, SERIES), SERIES) else None


def values_of(key: Key) -> Iterator[str]:
    """Yield values that one may write for a key."""
    words = (text for word in (*key.words, *key.plugins) for text in word.spellings if text[-1:] not in ":=")
    for value in dict.fromkeys((*VALUES.get(key.name, ()), *words, *BY_TYPE.get(key.type, ()))):
        if taken({key.name: value}):
            yield value


def drawn(source: random.Random, count: int) -> Iterator[Lines]:
    """Yield lines, each key once in a round, until there are so many or each value has been there."""
    left = {
        key.name: [*values_of(key)]
        for key in keys(File.SLURM, None)
        if not key.begins_entry and key.name not in BOUNDS_OTHERS
    }
    while count > 0 and any(left.values()):
        names = [name for name, values in left.items() if values]
        source.shuffle(names)
        for first in range(0, len(names), TOGETHER):
            yield {name: left[name].pop(source.randrange(len(left[name]))) for name in names[first : first + TOGETHER]}
            count -= 1
            if not count:
                return


def without_folder(value: Any) -> Any:
    """Return a value without the folders of plugins, which mean nothing."""
    if isinstance(value, str):
        return value if value.startswith("/") else value.rpartition("/")[2]
    return [*map(without_folder, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("count", [FEW, pytest.param(ALL, marks=pytest.mark.repeats(REPEATED))])
def test_what_slurmctld_has_read_is_not_found_and_what_it_has_not_read_is(
    images: dict[str, SlurmImage], tmp_path: Path, seed: int, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    reads = []
    with Site(images[str(SERIES)], tmp_path) as site:
        memory = Memory(site)
        for lines in drawn(random.Random(seed), count):
            reads += memory.read(lines)
    compared = 0
    wrong = [line for read in reads for line in read.found(read.spec).values()]
    assert not wrong, "\n".join(wrong)
    missed = []
    for old, new in pairwise(reads):
        # What it has of the new file says what it would have to have.
        before, after = old.look.configuration, new.look.configuration
        assert before
        assert after
        found = old.found(new.spec)
        differing = {
            name
            for name in slinky_files(new.spec)[File.SLURM].options
            if name in after and without_folder(before[name]) != without_folder(after[name])
        }
        compared += len(differing)
        missed += [f"{name}: {before[name]} -> {after[name]}" for name in differing - found.keys() - ADDED_TO - UNTOLD]
        wrong += [line for name, line in found.items() if before.get(name) == after.get(name)]
    with capsys.disabled():
        print(f"\n{len(reads)} files, {compared} lines that were not read")
    assert not wrong, "\n".join(wrong)
    assert not missed, "\n".join(missed)
