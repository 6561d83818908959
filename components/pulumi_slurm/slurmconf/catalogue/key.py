"""A key of the catalogue."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.choices import closest, listed
from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import values
from pulumi_slurm.slurmconf.catalogue.forms import form_issues
from pulumi_slurm.slurmconf.values import UnreadableError, Value, ValueType
from pulumi_slurm.slurmconf.version import Series


class File(StrEnum):
    """A configuration file in Slurm's own key=value syntax."""

    SLURM = "slurm.conf"
    SLURMDBD = "slurmdbd.conf"
    GRES = "gres.conf"
    CGROUP = "cgroup.conf"
    TOPOLOGY = "topology.conf"
    HELPERS = "helpers.conf"
    BURST_BUFFER = "burst_buffer.conf"


_NOT_BUILT = frozenset({"tls/s2n"})
"""Plugins of Slurm's source without which Slinky's images and Debian's packages are built, for want of a library."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that Slurm compares a value with, or the name of a plugin, and the series that have it."""

    text: str
    """Of a plugin, the part in brackets may be left out, as in ``[task/]cgroup``. After a colon at the end of a word
    stands a number."""
    since: Series | None = None
    until: Series | None = None

    def known_in(self, series: Series | None) -> bool:
        """Return whether a series has the word; of no series in particular, whether any has it."""
        return series is None or (
            (self.since is None or series >= self.since) and (self.until is None or series <= self.until)
        )

    @property
    def spellings(self) -> tuple[str, ...]:
        """The texts that stand for it."""
        prefix, bracket, name = self.text.removeprefix("[").partition("]")
        return (f"{prefix}{name}", name) if bracket else (self.text,)

    def __str__(self) -> str:
        """Return the word as it stands in the tables."""
        return f"{self.text}({self.since or ''}-{self.until or ''})" if self.since or self.until else self.text


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
    smallest: int | None = None
    """The smallest number with which the daemons start."""
    words: tuple[Word, ...] = ()
    """The words that Slurm reads where it refuses others, in any case unless ``case_counts``."""
    case_counts: bool = False
    plugins: tuple[Word, ...] = ()
    """The plugins that Slurm's source has for the key, and other words for none; Slurm tells their cases apart."""
    known: tuple[str, ...] = ()
    """What Slurm looks for in the value, in small letters, where it ignores all else; of one with "=" it reads more."""
    default: tuple[str, ...] = ()
    """Words of earlier series, in small letters, for what Slurm does anyway today."""
    moved: tuple[tuple[str, str], ...] = ()
    """Words that Slurm looks for in another key today, in small letters, each with the name of that key."""
    undoes: str | None = None
    """The word in a set that takes back those before it, in small letters; with it the order counts."""
    earlier_change: Change | None = None
    """What a change took before 23.11, where that was more."""

    def known_in(self, series: Series) -> bool:
        """Return whether slurmctld (or slurmdbd) of that series takes the key and heeds it."""
        return (self.since is None or series >= self.since) and (self.until is None or series <= self.until)

    def read(self, text: str, series: Series | None = None) -> Value:
        """Return what ``text`` stands for; raise `UnreadableError` when Slurm would not read it for this key.

        Without a series, the words of all series are read.
        """
        value = self.in_order(values.items(text)) if self.type is ValueType.SET else values.read(self.type, text)
        if self.words:
            self._require_words(text, series)
        for issue in form_issues(self.file, self.entry, self.name, text):
            raise UnreadableError(issue.problem, issue.fix)
        if value == values.UNLIMITED and self.largest and self.largest & (self.largest + 1):
            # Slurm takes it for the largest number of so many bits, which is out of this range.
            raise UnreadableError("slurmctld exits on more", f'Write at most "{self.largest}".')
        if not isinstance(value, int) or isinstance(value, bool):
            return value
        if self.largest is not None and value > self.largest:
            raise UnreadableError("this is more than Slurm can count here", f'Write at most "{self.largest}".')
        if self.largest is not None and self.largest < 2**16 and text[-1:] in "kK":
            raise UnreadableError("Slurm takes no unit here", f'Write "{value}".')
        if self.smallest is not None and value < self.smallest:
            raise UnreadableError("slurmctld exits on less", f'Write at least "{self.smallest}".')
        return value

    def in_order(self, items: Iterable[str]) -> tuple[str, ...]:
        """Return the items of a set in the order by which two of them are compared."""
        written = tuple(items)
        ordered = self.undoes and self.undoes in map(str.lower, written)
        return written if ordered else values.as_set(written)

    def ignored_items(self, text: str) -> list[str]:
        """Return the items of a value that Slurm ignores without a message, and that don't say what it does anyway.

        It finds what it knows anywhere in an item.
        """
        if not self.known:
            return []
        items = [item for item in values.items(text) if item.lower() not in self.default]
        return [item for item in items if not any(word in item.lower() for word in self.known)]

    def key_of_moved(self, item: str) -> str | None:
        """Return the name of the key that has an item of this one's value today, or None."""
        word, equals, _ = item.lower().partition("=")
        return dict(self.moved).get(word + equals)

    def plugin_issue(self, text: str, series: Series) -> Issue | None:
        """Return the issue with the name of a plugin that Slurm's source does not have in that series, or None."""
        if not self.plugins:
            return None
        several = self.type in (ValueType.LIST, ValueType.SET)
        for item in values.items(text) if several else (text,):
            if issue := self._issue_with_plugin(item, series):
                return issue
        return None

    def _issue_with_plugin(self, item: str, series: Series) -> Issue | None:
        if any(word.known_in(series) and item in word.spellings for word in self.plugins):
            return None
        names = [word.spellings[0] for word in self.plugins if word.known_in(series)]
        if item in _NOT_BUILT:
            fix = f"Write one of: {listed(item, names)}; or set images of yours that have it."
            return Issue(f'the images are built without the plugin "{item}"', fix)
        if any(item in word.spellings for word in self.plugins):
            problem = f'Slurm {series} has no plugin "{item}", unlike other series'
        else:
            problem = f'Slurm has no plugin "{item}"'
        if near := closest(item, names):
            return Issue(problem, f"Write {near}, if you mean that.")
        return Issue(problem, f"Write one of: {listed(item, names)}." if names else "Leave it out.")

    def _require_words(self, text: str, series: Series | None) -> None:
        choices = [word.text for word in self.words if word.known_in(series)]
        accepted = {self._folded(word) for word in choices}
        texts = [item.strip() for item in text.split(",") if item.strip()]
        if not texts:
            raise UnreadableError("this is an empty list", f"Write one of: {listed('', choices)}.")
        for item in texts:
            word, colon, number = self._folded(item).partition(":")
            with_number = colon and number.isdigit() and f"{word}:" in accepted
            if self._folded(item) not in accepted and not with_number:
                shown = (f"{word}<number>" if word.endswith(":") else word for word in choices)
                problem = f'Slurm refuses "{item}" here'
                if item[0].isdigit() and "9" in accepted:
                    # log_string2num in src/common/slurm_protocol_defs.c reads every number, as another than is written.
                    problem = f'Slurm has no level "{item}"'
                elif any(self._folded(item) == self._folded(word.text) for word in self.words):
                    problem = f'Slurm {series} refuses "{item}" here, unlike other series'
                near = closest(self._folded(item), accepted, cutoff=0.7) if item.strip("0123456789") else None
                written = [choice for choice in choices if self._folded(choice) == near and not choice.endswith(":")]
                fix = f"Write {written[0]}, if you mean that." if written else f"Write one of: {listed(item, shown)}."
                raise UnreadableError(problem, fix)

    def _folded(self, word: str) -> str:
        return word if self.case_counts else word.lower()

    def takes(self, series: Series) -> Change:
        """Return what it takes in that series until a changed value holds."""
        return self.earlier_change if self.earlier_change and series < Series(23, 11) else self.change
