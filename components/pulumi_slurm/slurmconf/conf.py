"""One configuration file as typed values: what it says, not how it was written.

`parse` reads text, `render` writes it in a stable order. Two files that mean the same are equal.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.content import MAY_BE_DEFAULT, Content, require
from pulumi_slurm.slurmconf.entry import Entry
from pulumi_slurm.slurmconf.precedence import resolved
from pulumi_slurm.slurmconf.statements import Reader
from pulumi_slurm.slurmconf.values import Value, write
from pulumi_slurm.slurmconf.version import Series

__all__ = ["Conf", "Entry", "option_texts", "parse", "render", "with_defaults"]


@dataclass(frozen=True, slots=True)
class Conf:
    """The content of a file. Keys are spelled as in the catalogue, whatever case they were written in."""

    file: File
    options: Mapping[str, Value] = field(default_factory=dict)
    """Keys on lines of their own. A key that may stand several times, such as SlurmctldHost, has a tuple."""
    entries: tuple[Entry, ...] = ()
    """By keyword, as Slurm keeps them apart; entries of one keyword in the order of the file, since defaults
    (NodeName=DEFAULT) hold for what follows them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", tuple(sorted(self.entries, key=lambda entry: entry.keyword)))

    def of(self, keyword: str) -> list[Entry]:
        """Return the entries of one keyword."""
        return [entry for entry in self.entries if entry.keyword == keyword]


def parse(
    text: str,
    file: File,
    series: Series,
    *,
    name: str | None = None,
    include: Callable[[str], str] | None = None,
    passed_over: list[LineError] | None = None,
) -> Conf:
    """Read a file as Slurm of that series does.

    ``name`` stands in messages, by default the file's usual name; ``include`` returns the text of an included file by
    the name that stands in the Include line. Where ``passed_over`` is given, retired keys, values that the series does
    not read, and pairs that can't be kept, go there and are no errors. Raise `ConfError` with every unknown or retired
    key, every value that is not of its key's type and everything that is not key=value, each with file, line and what
    to write instead.
    """
    content = Content(file, series, passed_over)
    statements = Reader(include, content.errors, passed_over)
    for statement in statements.read(text, name or file.value):
        content.take(statement)
    if content.errors:
        raise ConfError(content.errors)
    return Conf(file, content.options, tuple(content.entries))


def render(conf: Conf) -> str:
    """Return the text of a file: first ClusterName and SlurmctldHost, the other options by name, then entries.

    The same content gives the same text, and ``parse(render(conf), …) == conf``. Values with spaces are quoted. Raise
    ValueError for a key that the file does not have, and for a value that no file can hold.
    """
    lines = []
    for key in sorted(conf.options, key=lambda key: (_FIRST.get(key, len(_FIRST)), key.lower())):
        value = conf.options[key]
        if isinstance(value, tuple) and require(conf.file, key, None).repeats:
            lines += [_pair(conf.file, None, key, item) for item in value]
        else:
            lines.append(_pair(conf.file, None, key, value))
    for entry in conf.entries:
        # First what the line is about, then the rest by name.
        options = dict(sorted(entry.options.items(), key=lambda item: (item[0] != "Nodes", item[0])))
        # gres.conf knows NodeName only at the beginning of a line.
        first = {"NodeName": options.pop("NodeName")} if "NodeName" in options else {}
        words = [_pair(conf.file, None, key, value) for key, value in {**first, entry.keyword: entry.name}.items()]
        words += [_pair(conf.file, entry.keyword, key, value) for key, value in options.items()]
        lines.append(" ".join(words))
    return "".join(f"{line}\n" for line in lines)


def option_texts(conf: Conf) -> dict[str, str | int | None]:
    """Return the options that stand on lines of their own, as text; of several SlurmctldHost all in one."""
    return {key: write(require(conf.file, key, None).type, value) for key, value in conf.options.items()}


def with_defaults(conf: Conf) -> Conf:
    """Return the configuration without DEFAULT entries, and with what they say in the entries after them.

    A later DEFAULT entry adds to the earlier ones of its keyword; where both have a key, the later one holds. Of keys
    that say the same or exclude one another, only the one is left that Slurm reads.
    """
    return replace(conf, entries=tuple(_resolved(conf.entries)))


def entries_in_full(conf: Conf, keyword: str) -> list[Entry]:
    """Return the entries of one keyword, as `with_defaults` has them."""
    return list(_resolved(conf.of(keyword)))


def _resolved(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry, defaults in with_inherited(entries):
        yield Entry(entry.keyword, entry.name, resolved(entry.keyword, entry.options, defaults.options), entry.location)


@dataclass(frozen=True, slots=True)
class Inherited:
    """What DEFAULT entries say of those after them."""

    options: Mapping[str, Value] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)
    """The DEFAULT entry of each option."""


def with_inherited(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Inherited]]:
    """Yield the entries but DEFAULT as they are written, each with what Slurm hands on to it."""
    inherited: dict[str, Inherited] = {}
    for entry in entries:
        keyword = entry.keyword
        before = inherited.get(keyword, _NOTHING)
        if keyword in MAY_BE_DEFAULT and entry.name == "DEFAULT":
            options = {key: value for key, value in entry.options.items() if key not in OWN_ONLY.get(keyword, ())}
            inherited[keyword] = Inherited(
                {**before.options, **options}, {**before.entries, **dict.fromkeys(options, entry)}
            )
        else:
            yield entry, before


_NOTHING = Inherited()
_FIRST = MappingProxyType({"ClusterName": 0, "SlurmctldHost": 1})
OWN_ONLY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "NodeName": frozenset({"GresConf"}),
        "PartitionName": frozenset(
            {
                "DisableRootJobs",
                "ExclusiveTopo",
                "ExclusiveUser",
                "PowerDownOnIdle",
                "SelectTypeParameters",
                "SuspendTime",
            }
        ),
    }
)
"""By keyword of an entry: the keys that Slurm takes on a DEFAULT line, and then reads from each line itself only."""


def _pair(file: File, entry: str | None, name: str, value: Value) -> str:
    key = require(file, name, entry)
    text = write(key.type, value)
    if {"\n", "\0"} & set(text) or text.startswith('"') or ('"' in text and _SPACE.search(text)):
        raise ValueError(f"{name}: {text!r} has a quote, a new line or a zero byte where {file} can hold none")
    escaped = text.replace("\\", "\\\\").replace("#", "\\#")
    return f'{key.name}="{escaped}"' if not text or _SPACE.search(text) else f"{key.name}={escaped}"


_SPACE = re.compile(r"\s", re.ASCII)
