"""Options by which sacctmgr sets limits, as far as no field has them: names, and what their values look like.

Source: sacctmgr_set_qos_rec in src/sacctmgr/qos_functions.c, sacctmgr_set_assoc_rec in association_functions.c and
_set_rec in account_functions.c of Slurm, which take a name in any case and shortened.
`tests/slurmd/test_sacctmgr_options.py` asks sacctmgr.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType

from pulumi_slurm.choices import closest, listed
from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.values import UnreadableError, ValueType, read

QOS_FLAGS = (
    "DenyOnLimit",
    "EnforceUsageThreshold",
    "NoDecay",
    "NoReserve",
    "OverPartQOS",
    "PartitionMaxNodes",
    "PartitionMinNodes",
    "PartitionTimeLimit",
    "Relative",
    "RequiresReservation",
    "UsageFactorSafe",
)
"""Flags of a QoS: slurmdb_qos_flags_map in src/common/slurmdb_defs.c."""

MAX_DATABASE_INTEGER = 2**31 - 1
"""The largest integer that the database can store in a column of its own; larger ones make sacctmgr fail."""
_MOST = MappingProxyType({"NUMBER": MAX_DATABASE_INTEGER, "AMOUNT": 2**63 - 1})
"""The largest integers of options; amounts are stored as text, among TRES."""
_AMOUNT = re.compile(r"([A-Za-z][\w./:-]*|[0-9]+)=-?[0-9]+([KMGTPkmgtp]B?)?", re.ASCII)


class Form(Enum):
    """What the values of an option look like."""

    NUMBER = "number"
    AMOUNT = "amount"
    FACTOR = "factor"
    TIME = "time"
    TRES = "tres"
    PREEMPT_MODE = "preempt mode"
    WORD = "word"


def _options(**names: str) -> Mapping[str, tuple[int, Form]]:
    """Return options with the fewest letters that stand for each, from texts such as ``GrpJobs:4``, by form."""
    options = {}
    for form, texts in names.items():
        for text in texts.split():
            name, _, min_letters = text.partition(":")
            options[name] = (int(min_letters), Form[form])
    return MappingProxyType(options)


_OF_BOTH = MappingProxyType(
    {
        "NUMBER": "GrpJobsAccrue:8 GrpSubmitJobs:4 MinPrioThresh:4 ",
        "AMOUNT": "GrpCPUMins:7 GrpCPURunMins:7 GrpCPUs:7 GrpMemory:4 GrpNodes:4 MaxCPUMinsPerJob:7 MaxCPUsPerJob:7 "
        "MaxNodesPerJob:4 ",
        "TIME": "GrpWall:4 ",
        "TRES": "GrpTRESMins:8 GrpTRESRunMins:8 MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11 MaxTRESPerNode:11 MaxTRESPN:9 "
        "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13 ",
    }
)
QOS_OPTIONS = _options(
    NUMBER=_OF_BOTH["NUMBER"]
    + "GraceTime:3 MaxJobsAccruePerAccount:17 MaxJobsAccruePA:15 MaxJobsAccruePerUser:17 MaxJobsAccruePU:15 "
    "MaxJobsPerAccount:11 MaxJobsPA:9 MaxSubmitJobsPerAccount:17 MaxSubmitJobsPA:15 MaxSubmitJobsPerUser:4 "
    "MaxSubmitJobsPU:4",
    AMOUNT=_OF_BOTH["AMOUNT"] + "MaxCPUsPerUser:11 MaxCPUsPU:9 MaxNodesPerUser:8 MaxNodesPU:8 MinCPUsPerJob:7",
    FACTOR="LimitFactor:6 UsageFactor:6 UsageThreshold:6",
    TIME=_OF_BOTH["TIME"] + "PreemptExemptTime:8",
    TRES=_OF_BOTH["TRES"]
    + "MaxTRESPerAccount:11 MaxTRESPA:9 MaxTRESRunMinsPerAccount:24 MaxTRESRunMinsPerAcct:20 MaxTRESRunMinsPA:16 "
    "MaxTRESRunMinsPerUser:20 MaxTRESRunMinsPU:16 MinTRESPerJob:7",
    PREEMPT_MODE="PreemptMode:8",
)
ACCOUNT_OPTIONS = _options(
    NUMBER=_OF_BOTH["NUMBER"] + "MaxJobs:4 MaxJobsAccrue:8 MaxSubmitJobs:4 Priority:2",
    AMOUNT=_OF_BOTH["AMOUNT"] + "MaxCPURunMins:7",
    WORD="Flags:2 Organization:1",
    TIME=_OF_BOTH["TIME"],
    TRES=_OF_BOTH["TRES"] + "MaxTRESRunMins:8",
)


def option_issues(
    options: Mapping[str, tuple[int, Form]], fields: Mapping[str, str], name: str, text: str
) -> Iterator[Issue]:
    """Yield what is wrong with an option.

    Args:
        options: those that there are.
        fields: the fields that have an option of their own, by its name in small letters.
        name: the option's name.
        text: its value.
    """
    if name.lower() == "rawusage":
        yield Issue(
            "each run of the Job would set the usage anew", "Leave it out, and use sacctmgr where it is needed."
        )
        return
    matching = _matching(options, name)
    field = fields.get(name.lower()) or next(
        (field for whole, field in fields.items() if not matching and len(name) > 3 and whole.startswith(name.lower())),
        "",
    )
    if field:
        yield Issue("there is a field for it", f"Set {field} instead.")
        return
    if not matching:
        near = closest(name, options)
        fix = f"Write {near}, if you mean that." if near else f"Write one of: {listed(name, sorted(options))}."
        yield Issue("sacctmgr has no such option here", fix)
        return
    yield from _value_issues(options[matching[0]][1], text)


def option_in_full(options: Mapping[str, tuple[int, Form]], name: str) -> str:
    """Return the whole name of an option that sacctmgr knows."""
    return _matching(options, name)[0]


def _matching(options: Mapping[str, tuple[int, Form]], name: str) -> list[str]:
    """Return the whole names for which a name may stand; one that it is comes first."""
    matching = [
        whole
        for whole, (min_letters, _) in options.items()
        if len(name) >= min_letters and whole.lower().startswith(name.lower())
    ]
    return sorted(matching, key=lambda whole: whole.lower() != name.lower())


def _value_issues(form: Form, text: str) -> Iterator[Issue]:
    match form:
        case Form.NUMBER | Form.AMOUNT:
            maximum = _MOST[form.name]
            if not re.fullmatch(r"-1|[0-9]{1,19}", text, re.ASCII) or int(text) > maximum:
                yield Issue(f"sacctmgr takes a number up to {maximum} here", 'Write a number, or "-1" for no limit.')
        case Form.WORD:
            if not re.fullmatch(r"[\w.,@+-]+", text, re.ASCII):
                yield Issue("sacctmgr would not take this as one word", "Write one word.")
        case Form.FACTOR:
            if not re.fullmatch(r"-1(\.0)?|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,3})?", text, re.ASCII):
                yield Issue("sacctmgr takes a factor here", 'Write for example "0.5".')
        case Form.TIME:
            if text != "-1":
                try:
                    read(ValueType.DURATION, text)
                except UnreadableError as error:
                    yield error.issue
        case Form.TRES:
            if not all(_AMOUNT.fullmatch(item) for item in text.split(",")):
                yield Issue("sacctmgr takes amounts of TRES here", 'Write for example "cpu=100,gres/gpu=8".')
        case Form.PREEMPT_MODE:
            yield from _mode_issues(text)


def _mode_issues(text: str) -> Iterator[Issue]:
    # preempt_mode_num in src/common/slurm_protocol_defs.c, which reads slurm.conf's key too.
    key = find(File.SLURM, "PreemptMode")
    assert key
    choices = sorted(word.text.lower() for word in key.words)
    modes = set(text.lower().split(","))
    flags = modes & {"gang", "priority", "within"}
    if not modes <= set(choices):
        yield Issue("there is no such mode", f"Write one of: {listed(text, choices)}.")
    elif len(modes - flags) > 1 or ("gang" in modes and len(flags) > 1):
        yield Issue("these modes don't go together", "Keep one of them.")
