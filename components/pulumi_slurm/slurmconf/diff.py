"""Changes between two configurations, and what applies them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from pulumi_slurm.slurmconf import catalogue, hostlist, processors
from pulumi_slurm.slurmconf.catalogue import Change, File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.letter_case import same_in_any_case
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.processors import Processors
from pulumi_slurm.slurmconf.records import RecordKey, records
from pulumi_slurm.slurmconf.secrets import shown_value
from pulumi_slurm.slurmconf.values import Value, write
from pulumi_slurm.slurmconf.version import SERIES, Series

Options = Mapping[str, Value]

_NODES_BY_RECONFIGURE = Series(24, 11)
"""Since then `scontrol reconfigure` is enough to add nodes. Source: https://slurm.schedmd.com/faq.html#add_nodes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One key that is not the same."""

    file: File
    entry: str | None
    """The entry, for example "PartitionName=gpu", or None."""
    key: str | None
    """The key; None when the whole entry is only on one side."""
    old: Value | None
    """The old value, or the old line's options as text when it is gone; None where nothing was."""
    new: Value | None
    """The new value, or the new line's options as text; None where nothing is."""
    takes: Change

    def __str__(self) -> str:
        """Return the difference as one line."""
        where = " ".join(part for part in (self.entry, self.key) if part)
        return f"{self.file}: {where}: {self._text(self.old)} -> {self._text(self.new)} ({self.takes})"

    def _text(self, value: Value | None) -> str:
        if value is None:
            return "not set" if self.key else "not there"
        if self.key is None:
            return str(value) or "there"
        keyword = self.entry.partition("=")[0] if self.entry else None
        return _text(self.file, keyword, self.key, value)


def compare(old: Conf, new: Conf, series: Series = SERIES[-1]) -> list[Difference]:
    """Return what differs in meaning, in a stable order; no differences means that Slurm would behave the same.

    Entries are matched by what they name, not by how their lines are cut: ``NodeName=gpu[1-4]`` is the same as a line
    for each of the four. Options first, by name, then entries in the order of the old file and then of the new.
    ``series`` is the one whose rules say what a change takes. Raise ValueError for two different files.
    """
    if old.file != new.file:
        raise ValueError(f"{old.file} can't be compared with {new.file}")
    comparison = _Comparison(old, new, series)
    before, after = records(old), records(new)
    # Hosts with the same difference become one: "NodeName=gpu[1-4]".
    hosts: dict[Difference, list[str | None]] = {}
    for record in [*before, *(record for record in after if record not in before)]:
        for old_options, new_options in _pairs(before.get(record, []), after.get(record, [])):
            for difference in comparison.of_record(record, old_options, new_options):
                hosts.setdefault(difference, []).append(record.host)
    option_differences = list(comparison.of_options(None, old.options, new.options))
    return option_differences + [_with_hosts(difference, names) for difference, names in hosts.items()]


def takes(differences: list[Difference]) -> Change | None:
    """Return the most that any of the differences takes, or None when there are none."""
    changes = {difference.takes for difference in differences}
    if changes >= {Change.RESTART_SLURMCTLD, Change.RESTART_SLURMD}:
        changes.add(Change.RESTART_ALL)
    return max(changes, key=list(Change).index, default=None)


def _pairs(old: list[Options], new: list[Options]) -> Iterator[tuple[Options | None, Options | None]]:
    """Yield what is to be compared, where a record has several lines: first, equal lines are dropped."""
    if len(old) == len(new) == 1:
        yield old[0], new[0]
        return
    added = list(new)
    removed: list[Options] = []
    for options in old:
        if options in added:
            added.remove(options)
        else:
            removed.append(options)
    for index in range(max(len(removed), len(added))):
        yield removed[index] if index < len(removed) else None, added[index] if index < len(added) else None


class _Comparison:
    """Two files, and what both sides need to be compared."""

    def __init__(self, old: Conf, new: Conf, series: Series) -> None:
        self._old, self._new, self._series = old, new, series
        self._file = old.file

    def of_record(self, record: RecordKey, before: Options | None, after: Options | None) -> Iterator[Difference]:
        label = f"{record.keyword}={record.name or ''}"
        if before is None or after is None:
            texts = [None if side is None else _line(self._file, record.keyword, side) for side in (before, after)]
            change = self._change_of_line(record.keyword, added=before is None)
            yield Difference(self._file, label, None, texts[0], texts[1], change)
            return
        for difference in self.of_options(label, before, after):
            is_nodes = record.keyword == "PartitionName" and difference.key == "Nodes"
            if not (is_nodes and self._same_nodes(difference)):
                yield difference

    def of_options(self, label: str | None, before: Options, after: Options) -> Iterator[Difference]:
        if before is after:
            return
        keyword = label.partition("=")[0] if label else None
        other_cores = keyword == "NodeName" and Processors.of(before).cores != Processors.of(after).cores
        for key in sorted(before.keys() | after.keys()):
            old, new = before.get(key), after.get(key)
            catalogue_key = catalogue.find(self._file, key, keyword)
            if old != new and not (catalogue_key and same_in_any_case(catalogue_key, old, new)):
                change = catalogue_key.takes(self._series) if catalogue_key else Change.RECONFIGURE
                if other_cores and key in processors.KEYS:
                    # Slurm ends the jobs of a node that has other cores than those it gave them.
                    change = Change.UNSAFE
                yield Difference(self._file, label, key, old, new, change)

    def _change_of_line(self, keyword: str, *, added: bool) -> Change:
        if self._file is File.SLURM and keyword in {"NodeName", "PartitionName"} and not added:
            # Slurm ends the jobs of a node that it doesn't know any more, and of a partition.
            return Change.UNSAFE
        if self._file is File.SLURM and keyword == "NodeName":
            return Change.RECONFIGURE if self._series >= _NODES_BY_RECONFIGURE else Change.RESTART_ALL
        catalogue_key = catalogue.find(self._file, keyword)
        return catalogue_key.takes(self._series) if catalogue_key else Change.RECONFIGURE

    def _same_nodes(self, difference: Difference) -> bool:
        old, new = self._nodes
        return old.of(difference.old) == new.of(difference.new)

    @cached_property
    def _nodes(self) -> tuple[Nodes, Nodes]:
        return Nodes(self._old), Nodes(self._new)


def _with_hosts(difference: Difference, hosts: list[str | None]) -> Difference:
    names = hostlist.compress(host for host in hosts if host)
    if not names:
        return difference
    assert difference.entry is not None
    keyword, _, name = difference.entry.partition("=")
    label = f"{keyword}={name} NodeName={names}" if name else f"{keyword}={names}"
    return replace(difference, entry=label)


def _line(file: File, keyword: str, options: Options) -> str:
    return " ".join(f"{key}={_text(file, keyword, key, value)}" for key, value in sorted(options.items()))


def _text(file: File, keyword: str | None, key: str, value: Value) -> str:
    catalogue_key = catalogue.find(file, key, keyword)
    return shown_value(key, write(catalogue_key.type, value) if catalogue_key else str(value))
