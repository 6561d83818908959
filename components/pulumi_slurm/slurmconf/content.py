"""From statements to typed content: each key looked up in the catalogue, each value read as its kind."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pulumi_slurm.slurmconf.catalogue import File, Key, find, objection
from pulumi_slurm.slurmconf.entry import Entry
from pulumi_slurm.slurmconf.hostlist import expand, fold
from pulumi_slurm.slurmconf.problems import Place, Problem
from pulumi_slurm.slurmconf.statements import Statement
from pulumi_slurm.slurmconf.values import Kind, UnreadableError, Value, read
from pulumi_slurm.slurmconf.version import Series

_SCRIPTS_REPEAT_SINCE = Series(24, 5)
"""Before, the last line of Prolog, Epilog and their like held."""
MAY_BE_DEFAULT = frozenset({"NodeName", "PartitionName", "FrontendName"})
"""The kinds of entries that may be named DEFAULT, and then hold for those after them."""
_ORDERED_HOSTS = {
    ("NodeName", "NodeAddr"),
    ("NodeName", "NodeHostname"),
    ("NodeName", "BcastAddr"),
    ("RingName", "Nodes"),
}
"""Hostlists whose order counts: the names of a line and their addresses go together one by one."""


@dataclass
class Content:
    """What was read so far, and what is wrong with it."""

    file: File
    series: Series
    options: dict[str, Value] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    known: dict[tuple[str | None, str], Key | tuple[str, str]] = field(default_factory=dict)
    """By entry and key in small letters: the key, or what is wrong with it. Keys repeat, and looking up takes time."""

    def take(self, statement: Statement) -> None:
        """Add an option or an entry."""
        (name, text), *rest = statement.pairs
        key = self._key(statement.place, name, None)
        if key is None:
            return
        if key.begins_entry:
            self._take_entry(statement.place, key.name, text, rest)
            return
        if rest:
            self._problem(
                statement.place,
                f"{rest[0][0]}={rest[0][1]}",
                f"Slurm does not read it behind {key.name}",
                "Put it on a line of its own.",
            )
        if key.repeats:
            earlier = self.options.get(key.name, ())
            adds_up = key.name == "SlurmctldHost" or self.series >= _SCRIPTS_REPEAT_SINCE
            self.options[key.name] = (*earlier, text) if adds_up and isinstance(earlier, tuple) else (text,)
        else:
            self._put(self.options, statement.place, key, text)

    def _take_entry(self, place: Place, kind: str, name: str, pairs: list[tuple[str, str]]) -> None:
        options: dict[str, Value] = {}
        named = next((at for at, (key, _) in enumerate(pairs) if key.lower() == "name"), None)
        if self.file is File.GRES and kind == "NodeName" and named is not None:
            options["NodeName"] = self._read(place, kind, name, _hosts)
            kind, name = "Name", pairs[named][1]
            pairs = [*pairs[:named], *pairs[named + 1 :]]
        if kind in MAY_BE_DEFAULT and name.upper() == "DEFAULT":
            name = "DEFAULT"
        elif kind == "NodeName" and name.upper() == "ALL":
            self._problem(place, f"{kind}={name}", "Slurm takes ALL for all nodes", "Write the names of nodes.")
        elif kind in {"NodeName", "DownNodes"}:
            name = str(self._read(place, kind, name, hosts_in_order if kind == "NodeName" else _hosts))
        for key_name, text in pairs:
            if key := self._key(place, key_name, kind):
                self._put(options, place, key, text)
                if name == "DEFAULT" and (kind, key.name) in _ORDERED_HOSTS:
                    fix = "Write it beside the names of nodes."
                    self._problem(place, key.name, f"Slurm refuses it for {kind}=DEFAULT", fix)
        self.entries.append(Entry(kind, name, options))

    def _put(self, options: dict[str, Value], place: Place, key: Key, text: str) -> None:
        reads = hosts_in_order if (key.entry, key.name) in _ORDERED_HOSTS else key.read
        options[key.name] = self._read(place, key.name, text, reads)

    def _read(self, place: Place, key: str, text: str, reads: Callable[[str], Value]) -> Value:
        try:
            return reads(text)
        except UnreadableError as error:
            self._problem(place, f"{key}={text}", error.problem, error.fix)
            return text

    def _key(self, place: Place, name: str, entry: str | None) -> Key | None:
        looked_up = entry, name.lower()
        found = self.known.get(looked_up)
        if found is None:
            found = objection(self.file, name, self.series, entry) or require(self.file, name, entry)
            self.known[looked_up] = found
        if isinstance(found, Key):
            return found
        self._problem(place, name, *found)
        return None

    def _problem(self, place: Place, text: str, problem: str, fix: str) -> None:
        self.problems.append(Problem(place, text, problem, fix))


def require(file: File, name: str, entry: str | None) -> Key:
    """Return a key; raise ValueError when the file has none of this name."""
    key = find(file, name, entry)
    if key is None:
        raise ValueError(f"{file} has no key {name}{f' on {entry} lines' if entry else ''}")
    return key


def _hosts(text: str) -> Value:
    return read(Kind.HOSTS, text)


def hosts_in_order(text: str) -> str:
    """Return the short form of a hostlist whose order counts; raise `UnreadableError` as `values.read` does."""
    read(Kind.HOSTS, text)
    return fold(expand(text))
