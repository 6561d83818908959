"""slurm.conf in slurmctld's memory against the one that the stack's file comes to.

slurmctld reads it when it starts and at a reconfigure: what it hasn't read, or couldn't, isn't in its memory. It tells
its memory in words of its own, which `_same` knows. Source: PARSER_ARRAY(SLURM_CONF) in
src/plugins/data_parser/v0.0.45/parsers.c of SchedMD/slurm, branch slurm-26.05, and what real daemons say.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.errors import Path
from pulumi_slurm.model import NodePoolSpec, SlurmConfSpec, SlurmSpec
from pulumi_slurm.slurmconf import catalogue, values
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.catalogue.key import Change as Takes, Key
from pulumi_slurm.slurmconf.values import Value, ValueType
from pulumi_slurm_cli.drift.finding import Change, Finding, Kind
from pulumi_slurm_cli.importing.fields import field_of
from pulumi_slurm_cli.live import Look

SUBJECT = "slurm.conf"
_LEVELS: Mapping[str, tuple[str, Value]] = MappingProxyType(
    {
        "SlurmctldDebug": ("setdebug", "info"),
        "SlurmSchedLogLevel": ("schedloglevel", 0),
        "DebugFlags": ("setdebugflags", ""),
    }
)
"""What scontrol sets in memory: the word of scontrol, and what slurmctld has without a line."""
UNTOLD = frozenset(
    {
        *("CertgenParameters", "CertgenType", "CpuFreqDef", "CpuFreqGovernors", "DefMemPerCPU", "HealthCheckNodeState"),
        "HealthCheckTimeout",
        *("MaxMemPerCPU", "PrioritySiteFactorPlugin", "PropagateResourceLimits", "PropagateResourceLimitsExcept"),
        "TaskPluginParam",
    }
)
"""Keys of which slurmrestd tells something else than slurmctld has, mostly nothing; others it leaves out."""
ADDED_TO = frozenset(
    {
        *("AccountingStorageEnforce", "AccountingStorageTRES", "CommunicationParameters", "LogTimeFormat"),
        *("PriorityFlags", "PrivateData", "PrologFlags"),
    }
)
"""Keys to which slurmctld adds words that follow from what is written."""
_LEAST = MappingProxyType({"MinJobAge": (2, 2), "SchedulerTimeSlice": (5, 30), "TreeWidth": (1, 16)})
"""The least of some numbers, and what slurmctld has in place of one below it."""
_FOREVER = "49710-06:27:16"
"""What slurmctld tells in place of UNLIMITED: as many seconds as 32 bits hold, less a minute."""
_PORTS, _PORT = re.compile(r"(\d+)-(\d+)"), 2**16
_NOTHING = frozenset({"", "none", "no", "off", "disabled", "n/a"})
_LEVEL_NAMES = ("quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5")
_LEVEL_NUMBERS = MappingProxyType({str(number): name for number, name in enumerate(_LEVEL_NAMES)})
_SAID_AS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        name: MappingProxyType(words)
        for name, words in {
            "AcctGatherEnergyType": {"rsmi": "gpu", "acct_gather_energy/rsmi": "acct_gather_energy/gpu"},
            "DebugFlags": {
                **{
                    "audittls": "tls",
                    "elasticsearch": "jobcomp",
                    "jag": "jobaccountgather",
                    "jobcontainer": "namespace",
                },
                **{"net": "network", "netraw": "networkraw", "powersave": "power", "task": "", "trigger": "triggers"},
                **dict.fromkeys(("threads", "workq", "workqueue"), "thread"),
            },
            "EnforcePartLimits": {
                "yes": "any",
                "true": "any",
                "up": "any",
                "1": "any",
                "false": "",
                "down": "",
                "0": "",
            },
            "LogTimeFormat": {"format_stderr": ""},
            "MpiDefault": {"openmpi": ""},
            "PriorityFlags": {"no_fair_tree": "", "no_normal_all": "no_normal_tres", "ticket_based": ""},
            "PrivateData": {"all": "jobs", "cloud": ""},
            "PropagatePrioProcess": {"0": "", "1": "on", "2": "nicer"},
            "ReturnToService": {"0": "", "1": "non_responsive_only", "2": "all"},
            **dict.fromkeys(
                ("SlurmctldDebug", "SlurmctldSyslogDebug", "SlurmdDebug", "SlurmdSyslogDebug"), _LEVEL_NUMBERS
            ),
            "TopologyPlugin": {"": "flat", "default": "flat", "topology/default": "flat"},
        }.items()
    }
)
"""Words of slurm.conf that slurmrestd tells otherwise, or that mean nothing any more."""


def of_settings(spec: SlurmSpec, pools: Sequence[NodePoolSpec], look: Look, at: Path) -> Iterator[Finding]:
    """Yield what slurmctld has otherwise than the file; nothing of keys that the file leaves to slurmctld or others."""
    memory = look.configuration
    if memory is None or spec.controller.external or "extraConf" in spec.controller.overrides:
        return
    options = slinky_files(spec, pools)[File.SLURM].options
    for name, value in options.items():
        key = catalogue.find(File.SLURM, name)
        if key and name in memory and name not in UNTOLD and not _same(key, value, memory[name]):
            yield _finding(key, values.write(key.type, value), memory[name], at)
    for name, (_, default) in _LEVELS.items():
        key = catalogue.find(File.SLURM, name)
        if key and name not in options and name in memory and not _same(key, default, memory[name]):
            yield _finding(key, "", memory[name], at)


def _same(key: Key, file_value: Value, live_value: Any) -> bool:
    """Return whether slurmctld has what is written."""
    if isinstance(live_value, Mapping):
        return _same_limit(file_value, live_value)
    if isinstance(live_value, bool):
        return live_value == bool(file_value)
    if key.type is ValueType.DURATION and isinstance(live_value, str):
        return file_value == (values.UNLIMITED if live_value == _FOREVER else _duration(live_value))
    if isinstance(live_value, int | float):
        minimum, instead = _LEAST.get(key.name, (-math.inf, 0))
        return not isinstance(file_value, int | float) or live_value == (
            file_value if file_value >= minimum else instead
        )
    return _same_words(key.name, file_value, live_value)


def _duration(text: str) -> Value | None:
    try:
        return values.read(ValueType.DURATION, text)
    except values.UnreadableError:
        return None


def _same_limit(file_value: Value, live_value: Mapping[str, Any]) -> bool:
    if "minimum" in live_value:
        ports = _PORTS.fullmatch(str(file_value))
        written = (int(ports[1]), int(ports[2])) if ports else (0, 0)
        # Of a range that is none slurmctld has nothing.
        return written == (live_value["minimum"], live_value.get("maximum")) or (
            not live_value.get("set") and not 0 < written[0] < written[1] < _PORT
        )
    number = math.inf if live_value.get("infinite") else live_value.get("number")
    return (
        bool(live_value.get("set") or live_value.get("infinite"))
        and (math.inf if isinstance(file_value, str) else file_value) == number
    )


def _same_words(name: str, file_value: Value, live_value: Any) -> bool:
    """Return whether words are the same; the folder of a plugin may be left out of slurm.conf."""
    said_as = _SAID_AS.get(name, {})
    listed = live_value.split(",") if isinstance(file_value, tuple) and isinstance(live_value, str) else live_value
    wanted, there = ({said_as.get(word, word) for word in _words(value) or {""}} for value in (file_value, listed))
    # A number that nobody knows has no word.
    wanted = {word for word in wanted if word and not (said_as and word.isdigit())}
    there -= {""}
    short = {word.rpartition("/")[2] for word in there if not word.startswith("/")}
    unread = {word for word in wanted if word not in there and ("/" in word or word not in short)}
    return not unread and (name in ADDED_TO or len(wanted) == len(there))


def _words(value: Any) -> set[str]:
    listed = value if isinstance(value, tuple | list) else (value,)
    words = {str(word).lower() for word in listed}
    return {word for word in words if word.rpartition("/")[2] not in _NOTHING}


def _finding(key: Key, file_text: str, live_value: Any, at: Path) -> Finding:
    shown = _text(live_value)
    problem = (
        f"{key.name} is {shown or 'not set'} in slurmctld's memory, and {file_text or 'not set'} in the specification"
    )
    if key.name in _LEVELS:
        field = field_of(SlurmConfSpec, key.name)
        change = Change((*at, "slurmConf", *((field,) if field else ("extra", key.name))), shown or None)
        problem += "; the next restart or reconfigure loses it"
        return Finding(Kind.DANGEROUS, SUBJECT, problem, _scontrol(key.name, file_text, shown), (change,))
    back = "scontrol reconfigure" if key.change is Takes.RECONFIGURE else f"{key.change}"
    return Finding(Kind.OURS, SUBJECT, f"{problem}; slurmctld hasn't read it, or refuses the file", back)


def _scontrol(name: str, file_text: str, live_text: str) -> str:
    word, default = _LEVELS[name]
    if name != "DebugFlags":
        return f"scontrol {word} {file_text or default}"
    said_as = _SAID_AS[name]
    wanted, there = ({said_as.get(word, word) for word in _words(text.split(","))} for text in (file_text, live_text))
    signs = [*(f"+{flag}" for flag in sorted(wanted - there)), *(f"-{flag}" for flag in sorted(there - wanted))]
    return f"scontrol {word} {' '.join(signs)}"


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    if isinstance(value, Mapping):
        if not (value.get("set") or value.get("infinite")):
            return ""
        ports = f"{value.get('minimum')}-{value.get('maximum')}"
        return values.UNLIMITED if value.get("infinite") else str(value.get("number", ports))
    return {True: "YES", False: "NO"}.get(value, str(value)) if isinstance(value, bool) else str(value)
