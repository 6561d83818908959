"""What the lines of nodes and partitions say and Slurm does not read, or corrects."""

from collections.abc import Iterator, Mapping, Sequence

from pulumi_slurm.slurmconf.conf import OWN_ONLY, Entry, Inherited, with_inherited
from pulumi_slurm.slurmconf.precedence import going_before
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.fields import as_text
from pulumi_slurm_cli.importing.old_cluster import OldCluster

_LINES = "{lines}"
"""In a reason: what begins the lines for which it holds."""
_COUNTS = frozenset({"CPUs", "Procs"})

_Option = tuple[int, str]
"""The position of a line among those of its keyword, and a key of it."""


def add_unread(draft: Draft, old: OldCluster) -> None:
    """Tell of what another key goes before, on the line or in DEFAULT, of what is corrected, and of unused defaults."""
    for keyword, read in (
        ("NodeName", [line.options for line in old.node_lines]),
        ("PartitionName", [partition.options for partition in old.partitions]),
    ):
        entries = old.conf.of(keyword)
        lines: dict[tuple[_Option, str], list[str]] = {}
        for option, reason, name in _unread(entries, read):
            lines.setdefault((option, reason), []).append(name)
        for ((position, key), reason), names in lines.items():
            entry = entries[position]
            assert entry.location
            text = f"{keyword}={entry.name} {key}={as_text(keyword, key, entry.options[key])}"
            draft.leave_out(entry.location, text, reason.replace(_LINES, f"{keyword}={','.join(names)}"))


def _unread(entries: Sequence[Entry], read: Sequence[Mapping[str, Value]]) -> Iterator[tuple[_Option, str, str]]:
    """Yield options that aren't read as they stand there, why, and the name of the line for which it is so."""
    positions = {id(entry): position for position, entry in enumerate(entries)}
    used: set[_Option] = set()
    for (entry, defaults), options in zip(with_inherited(entries), read, strict=True):
        for key, source in {**defaults.entries, **dict.fromkeys(entry.options, entry)}.items():
            option = positions[id(source)], key
            used.add(option)
            if reason := _reason(source, key, entry, defaults, options):
                yield option, reason, entry.name
    for position, entry in enumerate(entries):
        for key in entry.options:
            if (position, key) not in used:
                never_inherited = key in OWN_ONLY[entry.keyword]
                why = (
                    "Slurm hands this on to no line."
                    if never_inherited
                    else "No line after it takes this: each has its own, or there is none."
                )
                yield (position, key), why, entry.name


def _reason(source: Entry, key: str, line: Entry, defaults: Inherited, read: Mapping[str, Value]) -> str | None:
    """Return why an option of a line, or of a DEFAULT line before it, isn't read there as it is written."""
    value = source.options[key]
    before = going_before(line.keyword, key, line.options, defaults.options)
    holder = line if before in line.options else defaults.entries.get(before or "")
    if before and holder and holder.options[before] != value:
        where = "this line" if holder is source else _LINES if holder is line else f"{line.keyword}=DEFAULT"
        return f"Slurm reads {before} of {where} instead."
    if not before and key in _COUNTS and read.get("CPUs", value) != value:
        return f"This fits no number of sockets and cores, and Slurm counts {read['CPUs']} instead."
    return None
