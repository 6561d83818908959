"""Reading a file in spite of keys that the series doesn't know: they are left out, each with its reason."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pulumi_slurm.importing.result import LeftOut
from pulumi_slurm.importing.successors import successors
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.problems import ConfError, Place, Problem
from pulumi_slurm.slurmconf.statements import Reader, Statement
from pulumi_slurm.slurmconf.version import Series


@dataclass
class Read:
    """A file as the series of today reads it."""

    name: str
    conf: Conf
    left_out: list[LeftOut]
    _places: dict[str, Place] = field(default_factory=dict)

    def place(self, *words: str) -> Place:
        """Return where something stands, given as "Key" or as "NodeName=n1", "Key"; the most exact place known."""
        for count in range(len(words), 0, -1):
            if found := self._places.get(" ".join(words[:count]).lower()):
                return found
        return Place(self.name, 1)


def read(text: str, file: File, series: Series, name: str, include: Callable[[str], str] | None = None) -> Read:
    """Return what a file says; raise `ConfError` with everything that is no configuration at all."""
    reader = Reader(include)
    written = list(reader.read(text, name))
    if reader.problems:
        raise ConfError(reader.problems)
    kept: list[Statement | None] = [new for statement in written for new in successors(statement)]
    left_out: list[LeftOut] = []
    while True:
        try:
            conf = parse(_text(kept), file, series)
        except ConfError as error:
            fresh = [gone for problem in error.problems for gone in _drop(kept, problem)]
            if not fresh:
                raise
            left_out += fresh
        else:
            return Read(name, conf, left_out, _places_of(kept))


def _drop(kept: list[Statement | None], problem: Problem) -> list[LeftOut]:
    """Take out the pair that a problem is about, or its whole line where the line can't do without it."""
    # parse reads one line for each statement.
    statement = kept[problem.place.line - 1]
    if statement is None:
        return []
    key = problem.text.partition("=")[0].lower()
    gone = [pair for pair in statement.pairs if pair[0].lower() == key]
    rest = [pair for pair in statement.pairs if pair not in gone]
    if not gone:
        return []
    head = statement.pairs[0]
    kept[problem.place.line - 1] = Statement(statement.place, rest) if head in rest else None
    words = [head, *gone] if head in rest else gone
    reason = f"{problem.problem}. {problem.fix}"
    return [LeftOut(statement.place, " ".join(f"{name}={value}" for name, value in words), reason)]


def _text(statements: list[Statement | None]) -> str:
    return "\n".join(" ".join(map(_pair, statement.pairs)) if statement else "" for statement in statements)


def _pair(pair: tuple[str, str]) -> str:
    key, value = pair
    escaped = value.replace("\\", "\\\\").replace("#", "\\#")
    return f'{key}="{escaped}"' if not value or any(mark.isspace() for mark in value) else f"{key}={escaped}"


def _places_of(statements: list[Statement | None]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for statement in filter(None, statements):
        (head, name), *rest = statement.pairs
        names = hostlist.expand(name) if head.lower() == "nodename" else [name]
        for heading in (head, *(f"{head}={each}" for each in names)):
            found[heading.lower()] = statement.place
            for key, _ in rest:
                found[f"{heading} {key}".lower()] = statement.place
    return found
