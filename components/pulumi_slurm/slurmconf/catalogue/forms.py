"""Forms of values, for keys whose values are neither words nor plain numbers; Slurm's daemons refuse other ones.

Source: the functions of Slurm's source that are named below; `tests/slurmd/` draws values and asks the daemons.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist

_LICENSE = re.compile(r"[^\s,;|:=]+([:=][0-9]{1,9})?")
_TRES_WEIGHT = re.compile(r"([A-Za-z]+(/[^\s,=]+)?)=[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[KMGTP]?", re.ASCII)
_TRES = frozenset({"billing", "cpu", "energy", "mem", "node", "pages", "vmem"})
_TOPOLOGY = re.compile(r"[^\s,:]+:[^\s,]+")
_PARAMETER_RANGES: Mapping[str, tuple[int, int | None]] = MappingProxyType(
    {
        **dict.fromkeys(("rl_table_size", "rl_bucket_size", "rl_refill_rate", "rl_refill_period"), (1, None)),
        "conmgr_max_connections": (4, None),
        "conmgr_threads": (2, 1024),
    }
)
"""Parameters of slurmctld, with the smallest and the largest number with which all series work."""
_CPU_BIND_TYPES = frozenset(
    {"no", "none", "socket", "sockets", "ldom", "ldoms", "core", "cores", "thread", "threads", "off"}
)
_CPU_BIND_TYPE_LIST = "none, socket, ldom, core, thread, off"
_PURGE = re.compile(r"([0-9]{1,100})([A-Za-z]*)", re.ASCII)
_PURGED = ("Event", "Job", "JobEnv", "JobScript", "Resv", "Step", "Suspend", "TXN", "Usage")
_MOST_PURGE_UNITS = 2**15 - 1
_PARAMETER_LIMITS = MappingProxyType({"max_script_size": 512 * 1024 * 1024, "max_submit_line_size": 2 * 1024 * 1024})


def has_form(file: str, entry: str | None, name: str) -> bool:
    """Return whether the values of a key have a form of their own."""
    return (entry, name) in _FORMS.get(file, {})


def form_issues(file: str, entry: str | None, name: str, text: str) -> Iterator[Issue]:
    """Yield the issues with the value of a key of a file, on a line of its own or of an entry."""
    if form := _FORMS.get(file, {}).get((entry, name)):
        yield from form(text)


def _paths(text: str) -> Iterator[Issue]:
    # _validate_bcast_exclude in src/common/read_config.c
    if text.lower() != "none" and not all(item.startswith("/") for item in _items(text)):
        yield Issue("slurmctld exits unless these are absolute paths", 'Write for example "/lib,/usr/lib" or "none".')


def _cpu_bind(text: str) -> Iterator[Issue]:
    # xlate_cpu_bind_str in src/common/slurm_resource_info.c
    words = [word for word in re.split("[,;]", text.lower()) if word]
    types = [word for word in words if word not in {"v", "verbose"}]
    if not types or len(types) > 1 or types[0] not in _CPU_BIND_TYPES:
        yield Issue("Slurm ignores it, since it is not a way to bind tasks", f"Write one of: {_CPU_BIND_TYPE_LIST}.")


def _licenses(text: str) -> Iterator[Issue]:
    # _build_license_list in src/slurmctld/licenses.c
    for item in re.split("[,;]", text):
        if item and not _LICENSE.fullmatch(item.strip()):
            yield Issue(f'slurmctld exits on "{item}"', 'Write name:count, for example "matlab:10,ansys:2".')


def _limits(text: str) -> Iterator[Issue]:
    # parse_rlimits in src/common/slurm_rlimits_info.c
    items = _items(text)
    if len(items) > 1 and {"ALL", "NONE"} & set(items):
        yield Issue("slurmctld exits when ALL or NONE is not alone", "Write one of them, or names of limits.")


def _period(text: str) -> Iterator[Issue]:
    # _validate_and_set_defaults in src/common/read_config.c, as for all that follow without a source of their own
    if text.lower() in {"-1", "unlimited", "infinite"} or not re.search("[1-9]", text):
        yield Issue("slurmctld exits on less than a minute, and on no limit", 'Write for example "5".')


def _keepalive(text: str) -> Iterator[Issue]:
    # net_set_keep_alive in src/common/net.c, which sets SO_LINGER to the same
    if any(re.fullmatch("(keepalivetime=)?0+", item.lower()) for item in _items(text)):
        yield Issue(
            "with 0 seconds connections are reset, and clients lose answers", "Write 1 or more, or leave it out."
        )


def _scheduler_parameters(text: str) -> Iterator[Issue]:
    for item in _items(text):
        parameter, _, number = item.partition("=")
        maximum = _PARAMETER_LIMITS.get(parameter)
        if maximum and number.isdigit() and int(number) > maximum:
            yield Issue(f"slurmctld exits on more than {maximum}", f'Write at most "{parameter}={maximum}".')
    # _load_config in src/plugins/sched/backfill/backfill.c, which looks for both anywhere in the value
    if "max_job_bf=" in text.lower() and "bf_max_job_test=" not in text.lower():
        yield Issue(
            "max_job_bf has another name now, and with sched/backfill slurmctld exits", "Write bf_max_job_test."
        )


def _excluded_nodes(text: str) -> Iterator[Issue]:
    # _parse_exc_nodes in src/slurmctld/power_save.c, which with a colon splits at each comma, also within brackets, and
    # from 26.05 on dies of a list that it can't read
    for hosts in [item.partition(":")[0] for item in text.split(",")] if ":" in text else [text]:
        try:
            hostlist.count(hosts)
        except ValueError as error:
            fix = 'Write for example "cpu-[0-3,7]", or with numbers of nodes "cpu-[0-3]:2,cpu-7".'
            yield Issue(f"Slurm reads no hosts from {hosts}: {error}", fix)
            return


def _slurmctld_parameters(text: str) -> Iterator[Issue]:
    # rate_limit_init in src/slurmctld/rate_limit.c, where older series take 0; conmgr_init in src/conmgr/conmgr.c
    for item in _items(text):
        parameter, _, number = item.lower().partition("=")
        minimum, maximum = _PARAMETER_RANGES.get(parameter, (0, None))
        if minimum and not (number.isdigit() and minimum <= int(number) <= (maximum or int(number))):
            problem = f"with {item} slurmctld does not start, or does not answer"
            yield Issue(problem, f"Write {parameter}={minimum} or more{f', up to {maximum}' if maximum else ''}.")


def _weights(text: str) -> Iterator[Issue]:
    # _tres_weight_item in src/common/slurm_protocol_api.c
    for item in _items(text):
        weight = _TRES_WEIGHT.fullmatch(item)
        if not weight or not (weight[2] or weight[1].lower() in _TRES):
            yield Issue(f'slurmctld exits on "{item}"', 'Write for example "CPU=1.0,Mem=0.25G".')


def _units_of_topologies(text: str) -> Iterator[Issue]:
    # topology_g_add_rm_node in src/interfaces/topology.c. A flat topology has no units, and without a topology.yaml it
    # is called default; which it is, `topologies_exist` knows.
    for item in _items(text):
        if item != "default" and not _TOPOLOGY.fullmatch(item):
            yield Issue(f'slurmctld exits on "{item}"', "Write topology:unit, with names of topology.yaml.")


def _purge(text: str) -> Iterator[Issue]:
    # slurmdb_parse_purge in src/common/slurmdb_defs.c, which takes the beginning of a unit for it. Of 0
    # archive_setup_end_time in src/plugins/accounting_storage/common/common_as.c makes the beginning of this month, day
    # or hour; it reads 16 bits with a sign, and with more nothing is ever purged.
    number = _PURGE.fullmatch(text)
    unit = next((unit for unit in ("months", "days", "hours") if number and unit.startswith(number[2].lower())), None)
    if number is None or unit is None:
        yield Issue("slurmdbd exits unless this is a number of months, days or hours", 'Write for example "12months".')
    elif int(number[1]) == 0:
        problem = f"slurmdbd then removes all that is older than this {unit.removesuffix('s')}"
        yield Issue(problem, f'Write "1{unit}" or more, or leave it out to keep everything.')
    elif int(number[1]) > _MOST_PURGE_UNITS:
        yield Issue(
            f"slurmdbd can't count so many {unit}, and never purges", f'Write at most "{_MOST_PURGE_UNITS}{unit}".'
        )


def _no_way_to_communicate(text: str) -> Iterator[Issue]:
    # read_slurmdbd_conf in src/slurmdbd/read_config.c
    words = [item.lower() for item in _items(text)]
    if "disableipv4" in words and "enableipv6" not in words:
        yield Issue("slurmdbd exits with neither IPv4 nor IPv6", "Add EnableIPv6.")


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


_Forms = Mapping[tuple[str | None, str], Callable[[str], Iterator[Issue]]]

_OF_SLURM_CONF: _Forms = MappingProxyType(
    {
        (None, "BcastExclude"): _paths,
        (None, "CommunicationParameters"): _keepalive,
        (None, "KeepAliveTime"): _keepalive,
        (None, "Licenses"): _licenses,
        (None, "PriorityCalcPeriod"): _period,
        (None, "PriorityWeightTRES"): _weights,
        (None, "PropagateResourceLimits"): _limits,
        (None, "PropagateResourceLimitsExcept"): _limits,
        (None, "SchedulerParameters"): _scheduler_parameters,
        (None, "SlurmctldParameters"): _slurmctld_parameters,
        (None, "SuspendExcNodes"): _excluded_nodes,
        ("NodeName", "CpuBind"): _cpu_bind,
        ("PartitionName", "CpuBind"): _cpu_bind,
        ("NodeName", "Topology"): _units_of_topologies,
        ("NodeName", "TRESWeights"): _weights,
    }
)
_OF_SLURMDBD_CONF: _Forms = MappingProxyType(
    {
        (None, "CommunicationParameters"): _no_way_to_communicate,
        **{(None, f"Purge{records}After"): _purge for records in _PURGED},
    }
)
_FORMS: Mapping[str, _Forms] = MappingProxyType({"slurm.conf": _OF_SLURM_CONF, "slurmdbd.conf": _OF_SLURMDBD_CONF})
