"""plugstack.conf: the SPANK plugins that slurmd, srun, sbatch and salloc load, and the files that it includes.

Follows src/common/spank.c of Slurm, 23.02 to 26.05, which passes over a line that it can't read and says so in the log
of slurmd and to everybody who runs srun. slurmctld looks for files to include in src/common/parse_config.c.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatch

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.conf_error import LineError, Location
from pulumi_slurm.slurmconf.statements import MOST_NESTED

PLUGSTACK = "plugstack.conf"
_MAX_LINE = 4095
"""Bytes of a line: PATH_MAX, less the one that ends a text of C."""


class Directive(StrEnum):
    """The first word of a line, in small letters."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    INCLUDE = "include"


@dataclass(frozen=True, slots=True)
class PlugstackLine:
    """A plugin, or files to include."""

    location: Location
    directive: Directive
    path: str
    """The plugin's file, by its path or by its name in Slurm's folder of plugins; or the files to include, which may be
    a pattern of the shell."""
    arguments: tuple[str, ...] = ()
    """What the plugin is told; Slurm ignores what is behind the files to include."""

    def __str__(self) -> str:
        """Return the line without a comment."""
        return " ".join([self.directive, self.path, *self.arguments])

    @property
    def includes_a_pattern(self) -> bool:
        """Whether slurmctld passes over it, as over each name with an asterisk; slurmd and clients read the files."""
        return self.directive is Directive.INCLUDE and "*" in self.path


def read_plugstack(text: str, include: Callable[[str], str]) -> tuple[list[PlugstackLine], list[LineError]]:
    """Return the lines of plugstack.conf, and those that Slurm doesn't read as they were meant.

    Behind each `include` of a file are the lines that it has, which ``include`` returns by the name. That raises
    LookupError with the reason for a file that nobody has, and returns "" for one that can't be known here.
    """
    errors: list[LineError] = []
    return list(_lines(text, PLUGSTACK, include, errors, ())), errors


def _lines(
    text: str, name: str, include: Callable[[str], str], errors: list[LineError], including: tuple[str, ...]
) -> Iterator[PlugstackLine]:
    for number, content in enumerate(text.split("\n"), 1):
        words, location = content.partition("#")[0].split(), Location(name, number)
        if not words:
            continue
        line = _line(content, words, location)
        if isinstance(line, LineError):
            errors.append(line)
            continue
        yield line
        if line.directive is Directive.INCLUDE:
            yield from _included(line, include, errors, (*including, name))


def _line(content: str, words: list[str], location: Location) -> PlugstackLine | LineError:
    first, *others = words
    if "\r" in content:
        issue = Issue("its line ends as on Windows, and Slurm takes that as a part of the name", 'End lines by "\\n".')
    elif first not in set(Directive):
        near = first.lower()
        fix = f"Write {near} in small letters." if near in set(Directive) else "Write required, optional or include."
        issue = Issue("Slurm passes over a line that begins with another word than required, optional or include", fix)
    elif not others:
        issue = Issue("Slurm passes over a line without a name", f"Write {first} and the path of a file.")
    elif len(content.encode()) > _MAX_LINE:
        issue = Issue(f"Slurm reads what is behind {_MAX_LINE} bytes as a line of its own", "Write it shorter.")
    elif first == Directive.INCLUDE and len(others) > 1:
        issue = Issue("Slurm includes the first of these alone", "Write an include line for each of them.")
    elif others[-1] == "\\":
        issue = Issue("Slurm doesn't read on in the next line here", "Write all of it into one line.")
    else:
        return PlugstackLine(location, Directive(first), others[0], tuple(others[1:]))
    return LineError(location, content.partition("#")[0].strip(), issue)


def _included(
    line: PlugstackLine, include: Callable[[str], str], errors: list[LineError], including: tuple[str, ...]
) -> Iterator[PlugstackLine]:
    if any(fnmatch(name, line.path.removeprefix("./")) for name in including):
        problem = f"includes itself, by {' and '.join(including)}, and slurmd and srun crash"
        errors.append(LineError(line.location, str(line), Issue(problem, "Remove one of these include lines.")))
    elif len(including) > MOST_NESTED:
        problem = f"this is included by more than {MOST_NESTED} files, one within another"
        issue = Issue(problem, "Write its lines into the file that includes it.")
        errors.append(LineError(line.location, str(line), issue))
    elif not line.includes_a_pattern:
        try:
            text = include(line.path)
        except LookupError as error:
            issue = Issue(f"the file cannot be read: {error}", "Correct the name, or add the file to configFiles.")
            errors.append(LineError(line.location, str(line), issue))
        else:
            yield from _lines(text, line.path, include, errors, including)
