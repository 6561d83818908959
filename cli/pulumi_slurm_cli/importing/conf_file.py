"""A configuration file of the old cluster. Keys that the new series doesn't know are left out, with their reasons."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError, Location
from pulumi_slurm.slurmconf.secrets import shown
from pulumi_slurm.slurmconf.statements import Reader, Statement
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing.placeholders import placeholder_errors
from pulumi_slurm_cli.importing.result import LeftOut
from pulumi_slurm_cli.importing.successors import successors, with_words_moved


@dataclass
class ConfFile:
    """A file as the new cluster's series reads it."""

    name: str
    conf: Conf
    left_out: list[LeftOut]
    _statements: dict[str, list[Statement]] = field(default_factory=dict)
    """By what begins them, in small letters: "key", "partitionname=name", or "nodename=host" for each host."""

    def location(self, heading: str, key: str | None = None) -> Location:
        """Return the location of "Key", or of a key of "NodeName=n1"; that of the line where it has no such key."""
        statements = self._statements.get(heading.lower(), [])
        with_key = [one for one in statements if key and any(name.lower() == key.lower() for name, _ in one.pairs[1:])]
        last = (with_key or statements)[-1:]
        return last[0].location if last else Location(self.name, 1)

    def locations(self, key: str) -> list[Location]:
        """Return the locations of all lines of a key that may stand on several."""
        return [statement.location for statement in self._statements.get(key.lower(), [])]


def read_conf_file(
    text: str, file: File, series: Series, name: str, include: Callable[[str], str] | None = None
) -> ConfFile:
    """Return what a file says; raise `ConfError` with everything that is no configuration at all."""
    skipped: list[LineError] = []
    reader = Reader(include, skipped=skipped)
    statements = with_words_moved(reader.read(text, name), file)
    if errors := [*reader.errors, *placeholder_errors(statements)]:
        raise ConfError(errors)
    kept: list[Statement | None] = [new for statement in statements for new in successors(statement)]
    left_out = [LeftOut(error.location, error.text, _sentence(error.issue)) for error in skipped]
    while True:
        try:
            conf = parse(_text(kept), file, series)
        except ConfError as error:
            dropped = [item for line_error in error.errors for item in _drop(kept, line_error)]
            if not dropped:
                raise
            left_out += dropped
        else:
            left_out += _written_again(kept, file)
            return ConfFile(name, _with_locations(conf, kept), left_out, _by_heading(kept))


def _written_again(kept: list[Statement | None], file: File) -> Iterator[LeftOut]:
    """Yield values that others of the same key follow, of which Slurm uses the latest.

    Source: _handle_common in src/common/parse_config.c of https://github.com/SchedMD/slurm, slurm-26-05-3-1.
    """
    options: dict[str, tuple[Location, tuple[str, str]]] = {}
    for statement in filter(None, kept):
        first, *others = statement.pairs
        key = find(file, first[0])
        if key and not key.repeats and not key.begins_entry:
            yield from _earlier(options, statement.location, first, "")
        in_line: dict[str, tuple[Location, tuple[str, str]]] = {}
        for pair in others:
            yield from _earlier(in_line, statement.location, pair, f"{shown(*first)} ")


def _earlier(
    pairs_by_name: dict[str, tuple[Location, tuple[str, str]]], location: Location, pair: tuple[str, str], line: str
) -> Iterator[LeftOut]:
    """Yield the pair that another of its key follows, and remember that one."""
    name = pair[0].lower()
    if (before := pairs_by_name.get(name)) and before[1][1] != pair[1]:
        where = "behind it on this line" if line else f"in {location}"
        yield LeftOut(before[0], f"{line}{shown(*before[1])}", f"Slurm uses the latest value, which is {where}.")
    pairs_by_name[name] = location, pair


def _drop(kept: list[Statement | None], error: LineError) -> list[LeftOut]:
    """Take out the pair that an error is about, or its whole line where the line can't do without it."""
    # parse reads one line for each statement.
    statement = kept[error.location.line - 1]
    if statement is None:
        return []
    key = error.text.partition("=")[0].lower()
    left_out_pairs = [pair for pair in statement.pairs if pair[0].lower() == key]
    other_pairs = [pair for pair in statement.pairs if pair not in left_out_pairs]
    if not left_out_pairs:
        return []
    first = statement.pairs[0]
    kept[error.location.line - 1] = Statement(statement.location, other_pairs) if first in other_pairs else None
    words = [first, *left_out_pairs] if first in other_pairs else left_out_pairs
    return [LeftOut(statement.location, " ".join(shown(*pair) for pair in words), _sentence(error.issue))]


def _sentence(issue: Issue) -> str:
    return f"{issue.problem[:1].upper()}{issue.problem[1:]}. {issue.fix}"


def _text(statements: list[Statement | None]) -> str:
    return "\n".join(" ".join(map(_pair, statement.pairs)) if statement else "" for statement in statements)


def _pair(pair: tuple[str, str]) -> str:
    key, value = pair
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'{key}="{escaped}"' if value.split() != [value] else f"{key}={escaped}"


def _with_locations(conf: Conf, statements: list[Statement | None]) -> Conf:
    """Return the configuration with the locations of its entries in the files that were read."""
    entries = []
    for entry in conf.entries:
        statement = statements[entry.location.line - 1] if entry.location else None
        entries.append(replace(entry, location=statement.location) if statement else entry)
    return replace(conf, entries=tuple(entries))


def _by_heading(statements: list[Statement | None]) -> dict[str, list[Statement]]:
    by_heading: dict[str, list[Statement]] = {}
    for statement in filter(None, statements):
        first, name = statement.pairs[0][0].lower(), statement.pairs[0][1].lower()
        by_heading.setdefault(first, []).append(statement)
        for one_name in hostlist.expand(name) if first == "nodename" else (name,):
            by_heading.setdefault(f"{first}={one_name}", []).append(statement)
    return by_heading
