"""What the catalogue says of a key."""

from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.slurmconf import values
from pulumi_slurm.slurmconf.values import UnreadableError, Value, ValueType
from pulumi_slurm.slurmconf.version import Series


class File(StrEnum):
    """A configuration file in Slurm's own key=value syntax."""

    SLURM = "slurm.conf"
    SLURMDBD = "slurmdbd.conf"
    GRES = "gres.conf"
    CGROUP = "cgroup.conf"
    TOPOLOGY = "topology.conf"


class Change(StrEnum):
    """What it takes until a changed value holds, the least first."""

    RECONFIGURE = "reconfigure"
    """`scontrol reconfigure` (for slurmdbd.conf: `sacctmgr reconfigure`)."""
    RESTART_SLURMCTLD = "restart slurmctld"
    RESTART_SLURMD = "restart slurmd"
    RESTART_ALL = "restart slurmctld and every slurmd"
    RESTART_SLURMDBD = "restart slurmdbd"
    UNSAFE = "unsafe with running jobs"
    """Jobs are lost or no longer controlled, unless none run."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of one file, or of the entries with one keyword in it."""

    name: str
    """As Slurm's manual spells it."""
    file: File
    entry: str | None
    """The entry it belongs to, such as "NodeName" or "PartitionName"; None for a key on a line of its own.

    The key that begins an entry is itself a key with ``entry`` None and ``begins_entry`` set.
    """
    type: ValueType
    change: Change
    """What a change takes since 23.11, whose `scontrol reconfigure` starts every daemon anew."""
    since: Series | None = None
    """The first series that knows it; None when the oldest of the catalogue does."""
    until: Series | None = None
    """The last series in which it has an effect; None when it has one in the newest of the catalogue."""
    begins_entry: bool = False
    replacement: str | None = None
    """For a retired or outdated key: what to write instead, a sentence."""
    repeats: bool = False
    """It may stand on several lines, which add up."""
    largest: int | None = None
    """The largest number that Slurm reads; for numbers and amounts of memory."""
    words: tuple[str, ...] = ()
    """The words that any series reads, where Slurm refuses others; a number may follow a colon, as in FORCE:4."""
    earlier_change: Change | None = None
    """What a change took before 23.11, where that was more."""

    def known_in(self, series: Series) -> bool:
        """Return whether slurmctld (or slurmdbd) of that series takes the key and heeds it."""
        return (self.since is None or series >= self.since) and (self.until is None or series <= self.until)

    def read(self, text: str) -> Value:
        """Return what ``text`` stands for; raise `UnreadableError` when Slurm would not read it for this key."""
        value = values.read(self.type, text)
        if self.words:
            self._require_words(text)
        if self.largest is None or not isinstance(value, int):
            return value
        if value > self.largest:
            raise UnreadableError("this is more than Slurm can count here", f'Write at most "{self.largest}".')
        if self.largest < 2**32 - 1 and text[-1:] in "kK":
            raise UnreadableError("Slurm takes no unit here", f'Write "{value}".')
        return value

    def _require_words(self, text: str) -> None:
        accepted = {word.lower() for word in self.words}
        for item in filter(None, map(str.strip, text.split(","))):
            if item.split(":")[0].lower() not in accepted:
                raise UnreadableError(f'Slurm refuses "{item}" here', f"Write one of: {', '.join(self.words)}.")

    def takes(self, series: Series) -> Change:
        """Return what it takes in that series until a changed value holds."""
        return self.earlier_change if self.earlier_change and series < Series(23, 11) else self.change
