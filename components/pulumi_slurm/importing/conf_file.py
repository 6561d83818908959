"""A configuration file of the old cluster. Keys that the new series doesn't know are left out, with their reasons."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pulumi_slurm.importing.result import LeftOut
from pulumi_slurm.importing.successors import successors
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError, Location
from pulumi_slurm.slurmconf.statements import Reader, Statement
from pulumi_slurm.slurmconf.version import Series


@dataclass
class ConfFile:
    """A file as the new cluster's series reads it."""

    name: str
    conf: Conf
    left_out: list[LeftOut]
    _locations: dict[str, Location] = field(default_factory=dict)

    def location(self, *words: str) -> Location:
        """Return the location of "Key", or of "NodeName=n1", "Key"; that of the line where the key has none."""
        for count in range(len(words), 0, -1):
            if location := self._locations.get(" ".join(words[:count]).lower()):
                return location
        return Location(self.name, 1)


def read_conf_file(
    text: str, file: File, series: Series, name: str, include: Callable[[str], str] | None = None
) -> ConfFile:
    """Return what a file says; raise `ConfError` with everything that is no configuration at all."""
    reader = Reader(include)
    statements = list(reader.read(text, name))
    if reader.errors:
        raise ConfError(reader.errors)
    kept: list[Statement | None] = [new for statement in statements for new in successors(statement)]
    left_out: list[LeftOut] = []
    while True:
        try:
            conf = parse(_text(kept), file, series)
        except ConfError as error:
            dropped = [item for line_error in error.errors for item in _drop(kept, line_error)]
            if not dropped:
                raise
            left_out += dropped
        else:
            return ConfFile(name, conf, left_out, _locations_of(kept))


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
    return [LeftOut(statement.location, " ".join(f"{name}={value}" for name, value in words), str(error.issue))]


def _text(statements: list[Statement | None]) -> str:
    return "\n".join(" ".join(map(_pair, statement.pairs)) if statement else "" for statement in statements)


def _pair(pair: tuple[str, str]) -> str:
    key, value = pair
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'{key}="{escaped}"' if not value or any(mark.isspace() for mark in value) else f"{key}={escaped}"


def _locations_of(statements: list[Statement | None]) -> dict[str, Location]:
    locations: dict[str, Location] = {}
    for statement in filter(None, statements):
        (first, name), *other_pairs = statement.pairs
        names = hostlist.expand(name) if first.lower() == "nodename" else [name]
        for heading in (first, *(f"{first}={name}" for name in names)):
            locations[heading.lower()] = statement.location
            for key, _ in other_pairs:
                locations[f"{heading} {key}".lower()] = statement.location
    return locations
