"""Keys that Slurm has given up, and what says the same today.

Source: RELEASE_NOTES of https://github.com/SchedMD/slurm, and its parsers, which still name some of these.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.statements import Statement

Pair = tuple[str, str]

_OPTIONS: Mapping[Pair, tuple[Pair]] = MappingProxyType(
    {
        ("accountingstorejobcomment", "yes"): (("AccountingStoreFlags", "job_comment"),),
        ("fastschedule", "2"): (("SlurmdParameters", "config_overrides"),),
        ("memlimitenforce", "yes"): (("JobAcctGatherParams", "OverMemoryKill"),),
        ("selecttype", "select/cons_res"): (("SelectType", "select/cons_tres"),),
    }
)
"""Options by key and value, in lower case."""

_SAME_AS_DEFAULT = frozenset(
    {
        ("accountingstorejobcomment", "no"),
        ("fastschedule", "1"),
        ("memlimitenforce", "no"),
    }
)
"""What Slurm does today anyway."""


def with_words_moved(statements: Iterable[Statement], file: File) -> list[Statement]:
    """Return the statements with each word in the value of the key that has it today.

    Of several values of one key Slurm uses the last, so words of others stay where they are.
    """
    kept: list[Statement] = []
    moved: list[tuple[Statement, Pair]] = []
    in_order = list(statements)
    last = {statement.pairs[0][0].lower(): statement for statement in in_order}
    for statement in in_order:
        name, value = statement.pairs[0]
        key = find(file, name)
        items = value.split(",") if key and key.moved and last[name.lower()] is statement else []
        others = {item: other for item in items if key and (other := key.key_of_moved(item.strip()))}
        moved += ((statement, (other, item.strip())) for item, other in others.items())
        remaining = ",".join(item for item in items if item not in others)
        if others and remaining:
            kept.append(Statement(statement.location, [(name, remaining)]))
        elif not others:
            kept.append(statement)
    for source, (name, word) in moved:
        _add_word(kept, source, name, word)
    return kept


def _add_word(statements: list[Statement], source: Statement, name: str, word: str) -> None:
    """Add a word to the last statement of a key, if that doesn't say it already; without one, make it."""
    indexes = [index for index, statement in enumerate(statements) if statement.pairs[0][0].lower() == name.lower()]
    if not indexes:
        statements.append(Statement(source.location, [(name, word)]))
        return
    last = statements[indexes[-1]]
    value = last.pairs[0][1]
    if word.partition("=")[0].lower() not in (item.partition("=")[0].strip().lower() for item in value.split(",")):
        statements[indexes[-1]] = Statement(last.location, [(last.pairs[0][0], f"{value},{word}")])


def successors(statement: Statement) -> list[Statement]:
    """Return what says the same in a series of today: usually the statement itself, sometimes nothing."""
    first = statement.pairs[0]
    key_and_value = (first[0].lower(), first[1].lower())
    if key_and_value in _SAME_AS_DEFAULT:
        return []
    if key_and_value in _OPTIONS:
        return [Statement(statement.location, [pair]) for pair in _OPTIONS[key_and_value]]
    return [statement]
