"""Keys of one line that say the same, or exclude one another: which of them Slurm reads.

The facts are one table, `PRECEDENCE`. Source: _parse_nodename and _parse_partitionname of Slurm's
src/common/read_config.c; `tests/slurmd/test_precedence.py` asks slurmctld for every pair, in every order, on the line
and in DEFAULT.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.slurmconf.values import Value

Options = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Precedence:
    """Keys of which Slurm reads one: the first of them that is set, in whatever order they are written."""

    keys: tuple[str, ...]
    name: str | None = None
    """The key under which the value is kept, where the keys are names of one thing; otherwise its own."""
    line_first: bool = False
    """Any of the keys on the line goes before any of them in DEFAULT; otherwise the order of the keys decides first."""
    all_is_unset: bool = False
    """The value ALL of the first key counts as if the key were not there."""

    def chosen(self, line: Options, defaults: Options) -> str | None:
        """Return the key that is read; None when none of the keys is set."""
        for options in (line, defaults) if self.line_first else ({**defaults, **line},):
            for key in self.keys:
                if key in options and not (self.all_is_unset and key == self.keys[0] and is_all(options[key])):
                    return key
        return None

    def read(self, line: Options, defaults: Options) -> tuple[str, Value] | None:
        """Return the key to keep and its value; None when none of the keys is set."""
        key = self.chosen(line, defaults)
        return None if key is None else (self.name or key, {**defaults, **line}[key])

    def has_to_choose(self, options: Options) -> bool:
        """Return whether several of the keys are set, or one that is kept under another name."""
        present = [key for key in self.keys if key in options]
        return len(present) > 1 or (self.name is not None and present not in ([], [self.name]))


PRECEDENCE: Mapping[str, tuple[Precedence, ...]] = MappingProxyType(
    {
        "NodeName": (
            Precedence(("Feature", "Features"), name="Features", line_first=True),
            Precedence(("CPUs", "Procs"), name="CPUs"),
            Precedence(("SocketsPerBoard", "Sockets")),
        ),
        "PartitionName": (
            Precedence(("OverSubscribe", "Shared"), name="OverSubscribe"),
            Precedence(("Priority", "PriorityTier"), name="PriorityTier"),
            Precedence(("Priority", "PriorityJobFactor"), name="PriorityJobFactor"),
            Precedence(("DefMemPerNode", "DefMemPerCPU")),
            Precedence(("MaxMemPerNode", "MaxMemPerCPU")),
            Precedence(("AllowAccounts", "DenyAccounts"), all_is_unset=True),
            Precedence(("AllowQos", "DenyQos"), all_is_unset=True),
        ),
    }
)
"""By keyword of the entry."""

_KEYS = MappingProxyType(
    {keyword: frozenset(key for row in rows for key in row.keys) for keyword, rows in PRECEDENCE.items()}
)


def resolved(keyword: str, line: Options, defaults: Options) -> dict[str, Value]:
    """Return the options that Slurm reads from a line and the DEFAULT lines before it, each under one name."""
    merged = {**defaults, **line}
    rows = PRECEDENCE.get(keyword, ())
    if not any(row.has_to_choose(merged) for row in rows):
        return merged
    options = {key: value for key, value in merged.items() if key not in _KEYS[keyword]}
    for row in rows:
        if read := row.read(line, defaults):
            options[read[0]] = read[1]
    return options


def going_before(keyword: str, key: str, line: Options, defaults: Options) -> str | None:
    """Return the key that Slurm reads in place of one of a line, or of its DEFAULT lines; None if it reads this one."""
    for row in PRECEDENCE.get(keyword, ()):
        if key in row.keys and (chosen := row.chosen(line, defaults)) not in (None, key):
            return chosen
    return None


def is_all(value: Value) -> bool:
    """Return whether a list of names is the word ALL, in any case."""
    return isinstance(value, tuple) and len(value) == 1 and value[0].upper() == "ALL"
