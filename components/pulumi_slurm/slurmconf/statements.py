"""From the text of a file to its statements, each a row of key=value: comments, continued lines, quotes, Include.

Follows src/common/parse_config.c: what Slurm takes is taken, and what it would only seem to take is an error.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pulumi_slurm.issue import Issue
from pulumi_slurm.secrecy import NOT_SHOWN
from pulumi_slurm.slurmconf.conf_error import LineError, Location
from pulumi_slurm.slurmconf.secrets import names_a_secret, shown


@dataclass(frozen=True, slots=True)
class Statement:
    """The pairs of one line, in their order; there is at least one."""

    location: Location
    pairs: list[tuple[str, str]]
    """Keys as they were written, and values without their quotes."""


# Between the end of a pair and the next key, Slurm wants white space; hence the end is looked at, but not consumed.
_PAIR = re.compile(r'\s*([A-Za-z0-9_.]+)\s*([-*+/]?)=\s*(?:"([^"]*)"|(\S+))(?=\s|\Z)', re.ASCII)
_INCLUDE = re.compile(r"(\s*)include\s+(\S*)\s*(.*)", re.ASCII | re.IGNORECASE | re.DOTALL)
_BEFORE_COMMENT = re.compile(r"(?:[^\\#]|\\.?)*")
_CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*(\\)\s*\Z", re.ASCII)
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)


MOST_NESTED = 100
"""Files that are read one within another; deeper, Python itself would end."""
MOST_INCLUDED = 1000
"""Files that are read for one, each as often as it is included: a few could be so almost without end."""
MOST_CHARACTERS = 2**24
"""Of all included files."""


@dataclass
class Reader:
    """Reads a file and what it includes; errors are collected, and reading goes on behind each."""

    include: Callable[[str], str] | None
    errors: list[LineError] = field(default_factory=list)
    skipped: list[LineError] | None = None
    """Where given: pairs that Slurm reads and that can't be kept, which are skipped then instead of being errors."""
    cluster_name: str | None = None
    """What stands for %c in the name of an included file, once ClusterName was read."""
    _included_files: int = 0
    _included_characters: int = 0
    _has_told_of_too_much: bool = False

    def read(self, text: str, name: str, including: tuple[str, ...] = ()) -> Iterator[Statement]:
        """Return the statements of a file and of the files it includes, in the order in which Slurm applies them."""
        for line, content in _lines(text):
            if not content or content.isspace():
                continue
            location = Location(name, line)
            if "\0" in content:
                issue = Issue("has a zero byte, where Slurm stops reading", "Remove it.")
                self._add_error(location, NOT_SHOWN if names_a_secret(content) else _shortened(content), issue)
            elif directive := _INCLUDE.match(content):
                yield from self._included(directive, location, (*including, name))
            elif pairs := self._pairs(content, location):
                if pairs[0][0].lower() == "clustername":
                    self.cluster_name = pairs[0][1].lower()
                yield Statement(location, pairs)

    def _pairs(self, content: str, location: Location) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        end = 0
        while pair := _PAIR.match(content, end):
            key, operator, quoted, bare = pair.groups()
            end = pair.end()
            if operator:
                problem = f"Slurm reads {operator}= as =, so an earlier value is lost"
                self._add_pair(location, f"{key}{operator}=", Issue(problem, f"Write the whole value, as {key}=…."))
                if self.skipped is not None:
                    continue
            if bare is not None and bare.startswith('"'):
                issue = Issue(
                    "the quotes do not enclose the whole value",
                    "Begin and end the value with a double quote; there is no way to write one inside.",
                )
                self._add_pair(location, shown(key, bare), issue)
                continue
            pairs.append((key, bare if quoted is None else quoted))
        if unread := content[end:].strip():
            issue = Issue(
                "is not key=value",
                "Write the key, = and a value, with double quotes around a value that has spaces or is empty.",
            )
            text = NOT_SHOWN if names_a_secret(content) else _shortened(unread)
            self._add_error(location, text, issue)
        return pairs

    def _included(
        self, directive: re.Match[str], location: Location, including: tuple[str, ...]
    ) -> Iterator[Statement]:
        if self._has_told_of_too_much:
            return
        indent, name, trailing = directive.groups()
        name = name.replace("%c", self.cluster_name or "%c")
        issue = self._not_to_be_included(indent, name, trailing, including)
        if issue is None and self.include is not None:
            try:
                text = self.include(name)
            except (OSError, LookupError, ValueError) as error:
                issue = Issue(f"the file cannot be read: {error}", "Correct the name, or put the file there.")
            else:
                self._included_files += 1
                self._included_characters += len(text)
                yield from self.read(text, name, including)
        if issue:
            self._add_error(location, f"Include {name}", issue)

    def _not_to_be_included(self, indent: str, name: str, trailing: str, including: tuple[str, ...]) -> Issue | None:
        issue = None
        if indent:
            issue = Issue("Slurm knows Include only at the beginning of a line", "Remove the space before it.")
        elif not name or name.startswith("=") or trailing:
            issue = Issue("Include takes one file name", "Write the name after Include and a space, and nothing else.")
        elif "*" in name:
            issue = Issue("Slurm does not read patterns", "Write an Include line for each file.")
        elif "%c" in name:
            issue = Issue("%c stands for the ClusterName, which is not known yet", "Set ClusterName before this line.")
        elif name in including:
            issue = Issue(f"includes itself, by {' and '.join(including)}", "Remove one of these Include lines.")
        elif len(including) > MOST_NESTED:
            problem = f"this is included by more than {MOST_NESTED} files, one within another"
            issue = Issue(problem, "Write its lines into the file that includes it.")
        elif self._included_files >= MOST_INCLUDED or self._included_characters > MOST_CHARACTERS:
            # Others behind it could be thousands.
            self._has_told_of_too_much = True
            problem = f"{MOST_INCLUDED} files or {MOST_CHARACTERS >> 20} MiB are included already"
            issue = Issue(problem, "Write what they have into fewer.")
        elif self.include is None:
            issue = Issue("the included file is not at hand", "Write its lines here instead.")
        return issue

    def _add_pair(self, location: Location, text: str, issue: Issue) -> None:
        (self.errors if self.skipped is None else self.skipped).append(LineError(location, text, issue))

    def _add_error(self, location: Location, text: str, issue: Issue) -> None:
        self.errors.append(LineError(location, text, issue))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Return each line with its number, without comment and escapes, and joined with the lines that continue it."""
    parts: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        if not parts:
            first = number
        before_comment = _BEFORE_COMMENT.match(line) if "#" in line else None
        part = before_comment[0] if before_comment else line
        if "\\" in part and (continued := _CONTINUED.search(part)):
            parts.append(part[: continued.start(1)])
            continue
        content = "".join((*parts, part))
        parts = []
        yield first, _ESCAPE.sub(r"\1", content) if "\\" in content else content
    if parts:
        yield first, _ESCAPE.sub(r"\1", "".join(parts))


def _shortened(text: str) -> str:
    shown = text.strip().replace("\0", "\\0")
    return shown if len(shown) <= 60 else shown[:59] + "…"
