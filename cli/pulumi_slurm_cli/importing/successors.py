"""Keys that Slurm has given up, and what says the same today.

Source: RELEASE_NOTES of https://github.com/SchedMD/slurm, and its parsers, which still name some of these.
"""

from collections.abc import Mapping
from types import MappingProxyType

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


def successors(statement: Statement) -> list[Statement]:
    """Return what says the same in a series of today: usually the statement itself, sometimes nothing."""
    first = statement.pairs[0]
    key_and_value = (first[0].lower(), first[1].lower())
    if key_and_value in _SAME_AS_DEFAULT:
        return []
    if key_and_value in _OPTIONS:
        return [Statement(statement.location, [pair]) for pair in _OPTIONS[key_and_value]]
    return [statement]
