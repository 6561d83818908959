"""From statements to typed content: each key looked up in the catalogue, each value read as its type."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.catalogue import File, Key, find, key_issue
from pulumi_slurm.slurmconf.conf_error import LineError, Location
from pulumi_slurm.slurmconf.entry import Entry
from pulumi_slurm.slurmconf.hostlist import fold
from pulumi_slurm.slurmconf.secrets import shown
from pulumi_slurm.slurmconf.statements import Statement
from pulumi_slurm.slurmconf.values import UnreadableError, Value, ValueType, host_names, read
from pulumi_slurm.slurmconf.version import Series

_ADD_UP = frozenset({"MutuallyExclusive", "SlurmctldHost"})
_SCRIPTS_REPEAT_SINCE = Series(24, 5)
"""Before, the last line of Prolog, Epilog and their like held."""
MAY_BE_DEFAULT = frozenset({"NodeName", "PartitionName", "FrontendName"})
"""The keywords of entries that may be named DEFAULT, and then hold for those after them."""
_ORDERED_HOSTS = frozenset(
    {
        ("NodeName", "NodeAddr"),
        ("NodeName", "NodeHostname"),
        ("NodeName", "BcastAddr"),
        ("RingName", "Nodes"),
    }
)
"""Hostlists whose order counts: the names of a line and their addresses go together one by one."""


@dataclass
class Content:
    """What was read so far, and what is wrong with it."""

    file: File
    series: Series
    passed_over: list[LineError] | None = None
    """Where given: retired keys, and values that the series doesn't read, which are no errors then."""
    options: dict[str, Value] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    _keys: dict[tuple[str | None, str], Key | Issue] = field(default_factory=dict)
    """By entry and key in small letters: the key, or what is wrong with it. Keys repeat, and looking up takes time."""

    def take(self, statement: Statement) -> None:
        """Add an option or an entry."""
        (name, text), *others = statement.pairs
        key = self._key(statement.location, name, None)
        if key is None:
            return
        if key.begins_entry:
            self._take_entry(statement.location, key.name, text, others)
            return
        if others:
            issue = Issue(f"Slurm does not read it behind {key.name}", "Put it on a line of its own.")
            self._add_error(statement.location, shown(*others[0]), issue)
        if key.repeats:
            earlier = self.options.get(key.name, ())
            adds_up = key.name in _ADD_UP or self.series >= _SCRIPTS_REPEAT_SINCE
            self.options[key.name] = (*earlier, text) if adds_up and isinstance(earlier, tuple) else (text,)
        else:
            self._put(self.options, statement.location, key, text)

    def _take_entry(self, location: Location, keyword: str, name: str, pairs: list[tuple[str, str]]) -> None:
        options: dict[str, Value] = {}
        name_index = next((index for index, (key, _) in enumerate(pairs) if key.lower() == "name"), None)
        if self.file is File.GRES and keyword == "NodeName" and name_index is not None:
            options["NodeName"] = self._read(location, keyword, name, _hosts)
            keyword, name = "Name", pairs[name_index][1]
            pairs = [*pairs[:name_index], *pairs[name_index + 1 :]]
        if keyword in MAY_BE_DEFAULT and name.upper() == "DEFAULT":
            name = "DEFAULT"
        elif keyword == "NodeName" and name.upper() == "ALL":
            issue = Issue("Slurm takes ALL for all nodes", "Write the names of nodes.")
            self._add_error(location, f"{keyword}={name}", issue)
        elif keyword in {"NodeName", "DownNodes"}:
            name = str(self._read(location, keyword, name, hosts_in_order if keyword == "NodeName" else _hosts))
        for key_name, text in pairs:
            if key := self._key(location, key_name, keyword):
                self._put(options, location, key, text)
                if name == "DEFAULT" and (keyword, key.name) in _ORDERED_HOSTS:
                    issue = Issue(f"Slurm refuses it for {keyword}=DEFAULT", "Write it beside the names of nodes.")
                    self._add_error(location, key.name, issue)
        self.entries.append(Entry(keyword, name, options, location))

    def _put(self, options: dict[str, Value], location: Location, key: Key, text: str) -> None:
        read_value = (
            hosts_in_order if (key.entry, key.name) in _ORDERED_HOSTS else partial(key.read, series=self.series)
        )
        if self.passed_over is None:
            options[key.name] = self._read(location, key.name, text, read_value)
            return
        try:
            options[key.name] = read_value(text)
        except UnreadableError as error:
            self.passed_over.append(LineError(location, shown(key.name, text), error.issue))

    def _read(self, location: Location, key: str, text: str, read_value: Callable[[str], Value]) -> Value:
        try:
            return read_value(text)
        except UnreadableError as error:
            self._add_error(location, shown(key, text), error.issue)
            return text

    def _key(self, location: Location, name: str, entry: str | None) -> Key | None:
        entry_and_name = entry, name.lower()
        key = self._keys.get(entry_and_name)
        if key is None:
            key = key_issue(self.file, name, self.series, entry) or require(self.file, name, entry)
            self._keys[entry_and_name] = key
        if isinstance(key, Key):
            return key
        retired = find(self.file, name, entry)
        if self.passed_over is not None and retired and retired.until is not None and retired.until < self.series:
            self.passed_over.append(LineError(location, name, key))
        else:
            self._add_error(location, name, key)
        return None

    def _add_error(self, location: Location, text: str, issue: Issue) -> None:
        self.errors.append(LineError(location, text, issue))


def require(file: File, name: str, entry: str | None) -> Key:
    """Return a key; raise ValueError when the file has none of this name."""
    key = find(file, name, entry)
    if key is None:
        raise ValueError(f"{file} has no key {name}{f' on {entry} lines' if entry else ''}")
    return key


def _hosts(text: str) -> Value:
    return read(ValueType.HOSTS, text)


def hosts_in_order(text: str) -> str:
    """Return the short form of a hostlist whose order counts; raise `UnreadableError` as `values.read` does."""
    return fold(host_names(text))
