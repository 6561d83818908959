"""Reading a file in spite of keys that the series doesn't know: they are left out, each with its reason."""

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
class Read:
    """A file as the series of today reads it."""

    name: str
    conf: Conf
    left_out: list[LeftOut]
    _locations: dict[str, Location] = field(default_factory=dict)

    def location(self, *words: str) -> Location:
        """Return where something stands, given as "Key" or as "NodeName=n1", "Key"; the most exact location known."""
        for count in range(len(words), 0, -1):
            if found := self._locations.get(" ".join(words[:count]).lower()):
                return found
        return Location(self.name, 1)


def read(text: str, file: File, series: Series, name: str, include: Callable[[str], str] | None = None) -> Read:
    """Return what a file says; raise `ConfError` with everything that is no configuration at all."""
    reader = Reader(include)
    written = list(reader.read(text, name))
    if reader.errors:
        raise ConfError(reader.errors)
    kept: list[Statement | None] = [new for statement in written for new in successors(statement)]
    left_out: list[LeftOut] = []
    while True:
        try:
            conf = parse(_text(kept), file, series)
        except ConfError as error:
            fresh = [gone for line_error in error.errors for gone in _drop(kept, line_error)]
            if not fresh:
                raise
            left_out += fresh
        else:
            return Read(name, conf, left_out, _locations_of(kept))


def _drop(kept: list[Statement | None], error: LineError) -> list[LeftOut]:
    """Take out the pair that an error is about, or its whole line where the line can't do without it."""
    # parse reads one line for each statement.
    statement = kept[error.location.line - 1]
    if statement is None:
        return []
    key = error.text.partition("=")[0].lower()
    gone = [pair for pair in statement.pairs if pair[0].lower() == key]
    rest = [pair for pair in statement.pairs if pair not in gone]
    if not gone:
        return []
    head = statement.pairs[0]
    kept[error.location.line - 1] = Statement(statement.location, rest) if head in rest else None
    words = [head, *gone] if head in rest else gone
    return [LeftOut(statement.location, " ".join(f"{name}={value}" for name, value in words), str(error.issue))]


def _text(statements: list[Statement | None]) -> str:
    return "\n".join(" ".join(map(_pair, statement.pairs)) if statement else "" for statement in statements)


def _pair(pair: tuple[str, str]) -> str:
    key, value = pair
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'{key}="{escaped}"' if not value or any(mark.isspace() for mark in value) else f"{key}={escaped}"


def _locations_of(statements: list[Statement | None]) -> dict[str, Location]:
    found: dict[str, Location] = {}
    for statement in filter(None, statements):
        (head, name), *rest = statement.pairs
        names = hostlist.expand(name) if head.lower() == "nodename" else [name]
        for heading in (head, *(f"{head}={each}" for each in names)):
            found[heading.lower()] = statement.location
            for key, _ in rest:
                found[f"{heading} {key}".lower()] = statement.location
    return found
