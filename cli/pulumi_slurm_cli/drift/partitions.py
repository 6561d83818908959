"""Partitions in slurmctld's memory against those of the stack's file.

slurmctld takes partitions from slurm.conf when it starts and at a reconfigure, and loses what scontrol has changed of
them. Source: https://slurm.schedmd.com/scontrol.html, "update", and https://slurm.schedmd.com/slurm.conf.html.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel

from pulumi_slurm.configuration.partitions import partition_texts
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import Path
from pulumi_slurm.model import PartitionOptionsSpec, SlurmSpec
from pulumi_slurm.slurmconf import values
from pulumi_slurm.slurmconf.implied import IN_LOWER_CASE
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm_cli.drift.finding import APPEND, Adoption, Change, Finding, Kind
from pulumi_slurm_cli.drift.times import minutes, time_text
from pulumi_slurm_cli.importing.fields import over_subscribe
from pulumi_slurm_cli.live import LivePartition, Look

_UNTOLD = object()


@dataclass(frozen=True)
class _Option:
    """An option of slurm.conf that slurmctld tells."""

    key: str
    field: str | None
    """The field of a specification; None for one that stands in `extra`."""
    live: Callable[[LivePartition], Any]
    """What slurmctld has; `_UNTOLD` where its release doesn't tell."""
    read: Callable[[str], Any]
    """The text of slurm.conf in the same form."""
    default: Any
    """What slurmctld has without the option."""
    text: Callable[[Any], str | None]
    """What slurmctld has, in slurm.conf's form; None where it has no text of its own."""
    reset: str | None = ""
    """What scontrol takes for the default; None where only slurm.conf brings it back."""
    value: Callable[[Any], Any] | None = None
    """The same in the form of the stack's file, where that isn't its text."""


def _number(text: str) -> float:
    value = values.read(ValueType.NUMBER, text)
    return value if isinstance(value, int) else math.inf


def _memory(text: str) -> float | None:
    """Return memory in MiB; slurmctld has no limit where it is 0, as it has where UNLIMITED is written."""
    amount = _number(text)
    return None if amount in (0, math.inf) else amount


def _names(text: str) -> frozenset[str]:
    return frozenset() if text.upper() in ("ALL", "NONE") else frozenset(text.split(","))


def _lower_case_names(text: str) -> frozenset[str]:
    """Return names as slurmctld has those of `IN_LOWER_CASE`."""
    return frozenset(map(str.lower, _names(text)))


def _shared(text: str) -> str:
    """Return OverSubscribe as slurmctld tells it: YES and FORCE mean 4 jobs, and YES:1 none beside another.

    Source: _handle_partitionname of src/common/read_config.c, branch slurm-26.05.
    """
    word, _, jobs = text.upper().partition(":")
    if word in ("YES", "FORCE"):
        return "NO" if (word, jobs) == ("YES", "1") else f"{word}:{jobs or 4}"
    return word


def _number_text(value: float | None) -> str | None:
    return None if value is None else "UNLIMITED" if value == math.inf else str(int(value))


def _names_text(names: frozenset[str]) -> str | None:
    return ",".join(sorted(names)) or None


def _flag(key: str, field: str, mark: str) -> _Option:
    return _Option(
        key,
        field,
        lambda live: _UNTOLD if live.flags is None else mark in live.flags,
        lambda text: text.upper() == "YES",
        False,
        lambda value: "YES" if value else "NO",
        "NO",
        bool,
    )


def _limit(key: str, field: str, live: Callable[[LivePartition], Any], default: Any, reset: str) -> _Option:
    return _Option(key, field, live, _number, default, _number_text, reset, int)


def _list(
    key: str,
    field: str,
    live: Callable[[LivePartition], tuple[str, ...]],
    reset: str,
) -> _Option:
    def of(partition: LivePartition) -> frozenset[str]:
        return frozenset(live(partition))

    read = _lower_case_names if key in IN_LOWER_CASE else _names
    return _Option(key, field, of, read, frozenset(), _names_text, reset, sorted)


def _memory_option(key: str, field: str, live: Callable[[LivePartition], Any]) -> _Option:
    return _Option(key, field, live, _memory, None, _number_text, "0")


_OPTIONS = (
    _Option("State", "state", lambda live: live.state, str.upper, "UP", str, "UP"),
    _flag("Default", "default", "DEFAULT"),
    _Option("MaxTime", "max_time", lambda live: live.max_time, minutes, math.inf, time_text, "UNLIMITED"),
    _Option("DefaultTime", "default_time", lambda live: live.default_time, minutes, None, time_text, None),
    _limit("MaxNodes", "max_nodes", lambda live: live.max_nodes, math.inf, "UNLIMITED"),
    _limit("MinNodes", "min_nodes", lambda live: live.min_nodes, 0, "0"),
    _limit("MaxCPUsPerNode", "max_cpus_per_node", lambda live: live.max_cpus_per_node, math.inf, "UNLIMITED"),
    _limit("MaxCPUsPerSocket", "max_cpus_per_socket", lambda live: live.max_cpus_per_socket, math.inf, "UNLIMITED"),
    _limit("PriorityTier", "priority_tier", lambda live: live.tier, 1, "1"),
    _limit("PriorityJobFactor", "priority_job_factor", lambda live: live.job_factor, 1, "1"),
    _limit("GraceTime", "grace_time", lambda live: live.grace_time, 0, "0"),
    _Option("OverSubscribe", "over_subscribe", lambda live: live.oversubscribe, _shared, "NO", str, "NO"),
    _Option("QOS", "qos", lambda live: live.qos, str, "", lambda value: value or None, ""),
    _list("AllowAccounts", "allow_accounts", lambda live: live.allowed_accounts, "ALL"),
    _list("DenyAccounts", "deny_accounts", lambda live: live.denied_accounts, ""),
    _list("AllowGroups", "allow_groups", lambda live: live.allowed_groups, "ALL"),
    _list("AllowQos", "allow_qos", lambda live: live.allowed_qos, "ALL"),
    _list("DenyQos", "deny_qos", lambda live: live.denied_qos, ""),
    _Option("Alternate", None, lambda live: live.alternate, str, "", lambda value: value or None, "NONE"),
    _memory_option("DefMemPerCPU", "def_mem_per_cpu", lambda live: live.default_memory_per_cpu),
    _memory_option("DefMemPerNode", "def_mem_per_node", lambda live: live.default_memory_per_node),
    _memory_option("MaxMemPerCPU", "max_mem_per_cpu", lambda live: live.max_memory_per_cpu),
    _memory_option("MaxMemPerNode", "max_mem_per_node", lambda live: live.max_memory_per_node),
    _flag("Hidden", "hidden", "HIDDEN"),
    _flag("LLN", "lln", "LLN"),
    _flag("ReqResv", "req_resv", "REQ_RESV"),
    _flag("RootOnly", "root_only", "ROOT_ONLY"),
)
"""What slurmctld tells of a partition, and scontrol can change."""


_WITH_DEFAULT = ("state", "max_time")
"""Fields that can say what holds without them."""


def of_partitions(spec: SlurmSpec, look: Look, at: Path) -> Iterator[Finding]:
    """Yield what is not as specified; ``at`` is the path of the cluster in the file."""
    live = {partition.name: partition for partition in look.partitions}
    specified = {name: ((*at, *map(_in_file, path)), options) for path, name, options in all_partitions(spec)}
    for name, (path, options) in specified.items():
        if name in live:
            yield from _differences(path, name, options, live[name])
        else:
            problem = "slurmctld has no such partition"
            adoption = (Change(path, None),)
            yield Finding(Kind.DANGEROUS, f"partition {name}", problem, "scontrol reconfigure", adoption)
    for name in live.keys() - specified.keys():
        yield _made_by_hand(spec, live[name], at)


def _in_file(step: str | int | object) -> Any:
    return to_camel(step) if isinstance(step, str) else step


def _differences(path: Path, name: str, options: PartitionOptionsSpec, live: LivePartition) -> Iterator[Finding]:
    texts = {key.lower(): str(text) for key, text in partition_texts(options).items() if text is not None}
    for option in _OPTIONS:
        live_value = option.live(live)
        if live_value is _UNTOLD:
            continue
        text = texts.get(option.key.lower())
        wanted = option.default if text is None else option.read(text)
        if live_value != wanted:
            yield _finding(path, name, option, live_value, text)


def _finding(path: Path, name: str, option: _Option, live_value: Any, file_text: str | None) -> Finding:
    shown = option.text(live_value) or "not set"
    problem = f"{option.key} is {shown} in slurmctld's memory, and {file_text or 'not set'} in the specification"
    back_to = option.reset if file_text is None else file_text
    way_back = f"scontrol update PartitionName={name} {option.key}={back_to}"
    way_back = "scontrol reconfigure" if back_to is None else way_back
    return Finding(
        Kind.DANGEROUS,
        f"partition {name}",
        f"{problem}; the next restart or reconfigure loses it",
        way_back,
        _adoption(path, option, live_value),
    )


def _adoption(path: Path, option: _Option, live_value: Any) -> Adoption:
    """Return how the file says what slurmctld has."""
    if option.field == "over_subscribe":
        fields = over_subscribe(str(live_value))
        return tuple(Change((*path, name), fields.get(name)) for name in ("overSubscribe", "overSubscribeJobs"))
    field = (to_camel(option.field),) if option.field else ("extra", option.key)
    # A line that is removed takes its comment along.
    if live_value == option.default and option.field not in _WITH_DEFAULT:
        return (Change((*path, *field), None),)
    value = option.value(live_value) if option.value else option.text(live_value)
    return (Change((*path, *field), value),)


def _made_by_hand(spec: SlurmSpec, live: LivePartition, at: Path) -> Finding:
    problem = (
        "it is in slurmctld's memory alone; the next restart or reconfigure loses it, and its jobs can't start then"
    )
    return Finding(
        Kind.DANGEROUS,
        f"partition {live.name}",
        problem,
        f"scontrol delete PartitionName={live.name}",
        _new_partition(spec, live, at),
    )


def _new_partition(spec: SlurmSpec, live: LivePartition, at: Path) -> Adoption:
    """Return the partition for the file, if it has all nodes of some node sets and no others."""
    sets = {node_set.slurm_name: node_set.name for node_set in spec.node_sets}
    named = [name for name in live.node_sets.split(",") if name]
    if not named or any(name not in sets and name.upper() != "ALL" for name in named):
        return ()
    members = ["ALL"] if "ALL" in map(str.upper, named) else [sets[name] for name in named]
    fields: dict[str, Any] = {"name": live.name, "nodeSets": members}
    for option in _OPTIONS:
        live_value = option.live(live)
        if live_value is not _UNTOLD and live_value != option.default and option.field not in (None, "over_subscribe"):
            fields[to_camel(str(option.field))] = option.value(live_value) if option.value else option.text(live_value)
    return (Change((*at, "partitions", APPEND), fields),)
