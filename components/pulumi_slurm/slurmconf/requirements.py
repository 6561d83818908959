"""Keys of slurm.conf that need each other, without which slurmctld exits.

`unmet` judges all lines of a cluster together, ours and the operator's. Source: _validate_and_set_defaults in
src/common/read_config.c of Slurm where nothing else is said; `tests/slurmd/` draws lines and asks slurmctld.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.values import UnreadableError, ValueType, read
from pulumi_slurm.slurmconf.version import Series

WRITABLE = ("/var/log/slurm/", "/var/spool/slurmctld/", "/tmp/", "/dev/")
"""Folders in which slurmctld can create files in the pods of slurm-operator."""


@dataclass(frozen=True)
class Unmet:
    """Keys that don't go together."""

    keys: tuple[str, ...]
    """The key at which to say it first, if the user wrote it, and then the others."""
    issue: Issue


class Lines:
    """The lines of slurm.conf on which a requirement depends."""

    def __init__(self, texts: Mapping[str, str], series: Series, files: Mapping[str, str]) -> None:
        self._texts = {name.lower(): text for name, text in texts.items()}
        self.series = series
        self.files = files
        """The text of the other files in /etc/slurm by name."""

    @property
    def writable(self) -> str:
        """A folder in which slurmctld can create files: that of its log, or else of its state."""
        log, state = self.text("SlurmctldLogFile"), self.text("StateSaveLocation")
        return WRITABLE[0] if not state or log.startswith(WRITABLE[0]) else f"{state}/"

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._texts

    def text(self, name: str) -> str:
        """Return the value of a key, "" when there is none."""
        return self._texts.get(name.lower(), "")

    def items(self, name: str) -> list[str]:
        """Return the items of a value in small letters."""
        return [item.strip() for item in self.text(name).lower().split(",") if item.strip()]

    def number(self, name: str, default: int) -> int:
        """Return the value of a key that is a number, and a default when it is none."""
        try:
            value = read(ValueType.NUMBER, self.text(name))
        except UnreadableError:
            return default
        return value if isinstance(value, int) else 2**32 - 1

    def plugins(self, name: str) -> set[str]:
        """Return the names of plugins without their kind."""
        return {item.rpartition("/")[2] for item in self.items(name)} - {"none", "default"}


def unmet(texts: Mapping[str, str], series: Series, files: Mapping[str, str]) -> Iterator[Unmet]:
    """Yield what the lines of a slurm.conf need and don't have.

    Args:
        texts: the options that slurmctld reads, the operator's and ours, as text by name in any case.
        series: the series of slurmctld.
        files: the text of the other files in /etc/slurm by name.
    """
    lines = Lines(texts, series, files)
    for requirement in _REQUIREMENTS:
        yield from requirement(lines)


def _selection(lines: Lines) -> Iterator[Unmet]:
    if "cons_tres" not in (lines.text("SelectType") or "cons_tres") and "MaxNodeCount" in lines:
        yield Unmet(
            ("SelectType",),
            Issue(
                "slurmctld exits with it, since nodes that register by themselves need select/cons_tres",
                "Leave it out.",
            ),
        )
    parameters = lines.items("SelectTypeParameters")
    units = [item for item in parameters if item in _UNITS]
    if len(units) > 1:
        problem = f"slurmctld exits with more than one of {', '.join(units)}"
        yield Unmet(("SelectTypeParameters",), Issue(problem, "Keep one of them."))
    if parameters and not any(_UNITS.get(item) for item in parameters):
        problem = "slurmctld exits unless CPUs, cores or sockets are allocated"
        yield Unmet(("SelectTypeParameters",), Issue(problem, f'Write for example "CR_Core_Memory,{parameters[0]}".'))
    if "cr_one_task_per_core" in parameters and any(unit.startswith("cr_cpu") for unit in units):
        problem = "slurmctld exits with CR_CPU and CR_ONE_TASK_PER_CORE"
        yield Unmet(("SelectTypeParameters",), Issue(problem, "Write CR_Core in place of CR_CPU."))


_UNITS = MappingProxyType(
    {
        **dict.fromkeys(
            ("cr_cpu", "cr_cpu_memory", "cr_core", "cr_core_memory", "cr_socket", "cr_socket_memory"), True
        ),
        "cr_memory": False,
    }
)
"""Words of SelectTypeParameters of which there can be one, and whether cons_tres works with it alone."""


def _tasks(lines: Lines) -> Iterator[Unmet]:
    parameters = lines.items("TaskPluginParam")
    units = [item for item in parameters if item in {"none", "sockets", "cores", "threads"}]
    auto = [item for item in parameters if item.startswith("autobind=")]
    for several in (units, auto):
        if len(several) > 1:
            problem = f"slurmctld exits with more than one of {', '.join(several)}"
            yield Unmet(("TaskPluginParam",), Issue(problem, "Keep one of them."))
    for parameter in ("oomkillstep", "slurmdspecoverride"):
        if parameter in parameters and "cgroup" not in lines.plugins("TaskPlugin"):
            problem = f"slurmctld exits with {parameter} and without TaskPlugin=task/cgroup"
            yield Unmet(("TaskPluginParam", "TaskPlugin"), Issue(problem, "Add task/cgroup to TaskPlugin."))
    if {"slurmdoffspec", "slurmdspecoverride"} <= set(parameters):
        problem = "slurmctld exits with SlurmdOffSpec and SlurmdSpecOverride"
        yield Unmet(("TaskPluginParam",), Issue(problem, "Keep one of them."))


def _prolog(lines: Lines) -> Iterator[Unmet]:
    flags = lines.items("PrologFlags")
    contains = {"contain", "runinjob", "x11"} & set(flags)
    if "nohold" in flags and contains:
        yield Unmet(
            ("PrologFlags",), Issue("slurmctld exits with NoHold and Contain, RunInJob or X11", "Leave NoHold out.")
        )
    if "x11" in flags and lines.text("ProctrackType") == "proctrack/linuxproc":
        problem = "slurmctld exits with X11 and ProctrackType=proctrack/linuxproc"
        yield Unmet(("PrologFlags", "ProctrackType"), Issue(problem, "Leave X11 out, or enable cgroups."))
    by_cgroups = lines.text("ProctrackType") != "proctrack/linuxproc"
    stepmgr = f"enable_stepmgr{', which is on with cgroups,' if by_cgroups else ''}"
    has_stepmgr = lines.series >= _STEPMGR_SINCE and "enable_stepmgr" in lines.items("SlurmctldParameters")
    needing = {
        "SlurmctldParameters": has_stepmgr,
        "NamespaceType": bool(lines.plugins("NamespaceType")),
        "JobContainerType": bool(lines.plugins("JobContainerType")),
    }
    for name, needs in needing.items():
        if needs and not contains:
            subject = stepmgr if name == "SlurmctldParameters" else name
            flags_text = ",".join(["Contain", *filter(None, [lines.text("PrologFlags")])])
            yield Unmet(
                ("PrologFlags", name),
                Issue(
                    f"slurmctld exits with {subject} and without PrologFlags=Contain",
                    f'Write PrologFlags "{flags_text}".',
                ),
            )


_STEPMGR_SINCE = Series(24, 5)
"""The first series that knows enable_stepmgr, and refuses it: src/slurmctld/read_config.c of slurm-24-05-8-1."""

_EXCLUSIVE = MappingProxyType(
    {
        "CommunicationParameters": (("disableipv4",), ("enableipv6",)),
        "LaunchParameters": (("enable_nss_slurm", "disable_send_gids"), ()),
        "JobAcctGatherParams": (("usepss", "noshared"), ()),
    }
)
"""By key: words with which slurmctld exits when they stand together, and words that allow it."""


def _exclusive_items(lines: Lines) -> Iterator[Unmet]:
    for name, (words, unless) in _EXCLUSIVE.items():
        # Slurm looks for the words anywhere in the value.
        text = lines.text(name).lower()
        if text and all(word in text for word in words) and not (unless and all(word in text for word in unless)):
            problem = f"slurmctld exits with {' and '.join(words)}" + (f" without {unless[0]}" if unless else "")
            yield Unmet((name,), Issue(problem, f"Add {unless[0]}." if unless else "Keep one of them."))


_ALONE = MappingProxyType({"start_only": Series(25, 11), "reboot_only": Series(26, 5)})
"""Words of HealthCheckNodeState beside which there can be no other, and their first series."""
_HEALTH_CHECK_STATES = frozenset({"any", "alloc", "cycle", "idle", "mixed", "nondrained_idle", *_ALONE})


def _health_checks(lines: Lines) -> Iterator[Unmet]:
    # Others are ignored.
    items = set(lines.items("HealthCheckNodeState")) & _HEALTH_CHECK_STATES
    for word, since in _ALONE.items():
        if word in items and len(items) > 1 and lines.series >= since:
            problem = f"slurmctld exits with {word.upper()} and other words"
            yield Unmet(("HealthCheckNodeState",), Issue(problem, f"Write {word.upper()} alone, or leave it out."))


def _memory(lines: Lines) -> Iterator[Unmet]:
    kills = "overmemorykill" in lines.items("JobAcctGatherParams")
    if kills and confines_memory(lines.files) and "cgroup" in lines.plugins("TaskPlugin"):
        problem = "slurmctld exits when cgroup.conf confines memory too"
        yield Unmet(("JobAcctGatherParams",), Issue(problem, "Leave OverMemoryKill out."))


def confines_memory(files: Mapping[str, str]) -> bool:
    """Return whether the cgroup.conf among files has Slurm hold jobs to their memory.

    Source: cgroup_memcg_job_confinement in src/interfaces/cgroup.c.
    """
    cgroup_lines = files.get("cgroup.conf", "").lower().replace(" ", "")
    return re.search(r"^constrain(ram|swap)space=(yes|true|1|up)", cgroup_lines, re.M) is not None


def _job_completion(lines: Lines) -> Iterator[Unmet]:
    location, plugins = lines.text("JobCompLoc"), lines.plugins("JobCompType")
    if "filetxt" in plugins and not location.startswith((lines.writable, *WRITABLE)):
        yield Unmet(
            ("JobCompLoc", "JobCompType"),
            Issue(
                "slurmctld exits when it can't create the file of jobcomp/filetxt",
                f"Set JobCompLoc to a file in {lines.writable}.",
            ),
        )
    if "script" in plugins and location.removeprefix("/etc/slurm/") not in lines.files:
        yield Unmet(
            ("JobCompLoc", "JobCompType"),
            Issue(
                "slurmctld exits without the script of jobcomp/script",
                "Set JobCompLoc to a script of configFiles, by its path below /etc/slurm.",
            ),
        )
    if "mysql" in plugins and lines.text("JobCompHost") in ("", "localhost"):
        problem = "slurmctld exits without a database, and there is none in its pod"
        yield Unmet(("JobCompHost", "JobCompType"), Issue(problem, "Set JobCompHost, or leave JobCompType out."))
    for plugin in plugins & {"elasticsearch", "kafka"}:
        if not location:
            yield Unmet(
                ("JobCompType",), Issue(f"slurmctld exits with jobcomp/{plugin} and no JobCompLoc", "Set JobCompLoc.")
            )


def _tokens(lines: Lines) -> Iterator[Unmet]:
    # From 26.05 on, slurmctld hands these parameters to auth/jwt in place of AuthAltParameters.
    for name in ("SlurmctldHttpAuthParameters",):
        if name in lines and not any(item.startswith("jwt_key=") for item in lines.items(name)):
            problem = "slurmctld exits unless the key of tokens is named here too"
            yield Unmet((name,), Issue(problem, "Add jwt_key=/etc/slurm/jwt.key."))


def _numbers(lines: Lines) -> Iterator[Unmet]:
    first, last = lines.number("FirstJobId", 1), min(lines.number("MaxJobId", 0x03FF0000), 0x03FFFFFF)
    if first > last:
        yield Unmet(
            ("FirstJobId", "MaxJobId"),
            Issue(f"slurmctld exits when it is above MaxJobId, {last}", "Write a smaller number."),
        )
    half_life = lines.text("PriorityDecayHalfLife")
    if half_life and not half_life.strip("0-:") and "PriorityUsageResetPeriod" not in lines:
        yield Unmet(
            ("PriorityDecayHalfLife",),
            Issue(
                "slurmctld exits when usage never decays and is never reset",
                "Set PriorityUsageResetPeriod, or leave it out.",
            ),
        )
    if lines.number("SlurmSchedLogLevel", 0) and not lines.text("SlurmSchedLogFile"):
        yield Unmet(
            ("SlurmSchedLogLevel",), Issue("slurmctld exits without a SlurmSchedLogFile", "Set SlurmSchedLogFile.")
        )


def _fair_share(lines: Lines) -> Iterator[Unmet]:
    # _decay_thread in src/plugins/priority/multifactor/priority_multifactor.c, which looks for associations
    flags = {"no_fair_tree", "depth_oblivious"} & set(lines.items("PriorityFlags"))
    multifactor = "basic" not in lines.plugins("PriorityType")
    accounting = bool(lines.plugins("AccountingStorageType"))
    if flags and multifactor and not accounting and lines.series < _NO_ASSOCIATIONS_SINCE:
        problem = f"slurmctld exits with {min(flags)} and no accounting"
        yield Unmet(("PriorityFlags",), Issue(problem, "Add accounting, or leave it out."))


_NO_ASSOCIATIONS_SINCE = Series(25, 11)
"""The first series in which priorities can be calculated without a fair tree and without associations."""


def _mcs(lines: Lines) -> Iterator[Unmet]:
    if "MCSParameters" in lines and "MCSPlugin" not in lines:
        yield Unmet(
            ("MCSParameters",), Issue("slurmctld exits without an MCSPlugin", "Set MCSPlugin, or leave it out.")
        )
    if "group" in lines.plugins("MCSPlugin") and "MCSParameters" not in lines:
        yield Unmet(
            ("MCSPlugin",), Issue("slurmctld exits with mcs/group and no groups", "Set MCSParameters to the groups.")
        )


def _certificates(lines: Lines) -> Iterator[Unmet]:
    # _load_script_paths in src/plugins/certmgr/script/certmgr_script.c
    signs = any(item.startswith("sign_csr_script=") for item in lines.items("CertmgrParameters"))
    if "script" in lines.plugins("CertmgrType") and not signs:
        problem = "slurmctld exits with certmgr/script and no script that signs"
        yield Unmet(("CertmgrType",), Issue(problem, "Add sign_csr_script=/its/path to CertmgrParameters."))


_FILES = MappingProxyType(
    {
        "NodeFeaturesPlugins": MappingProxyType({"helpers": "helpers.conf"}),
        "BurstBufferType": MappingProxyType({"lua": "burst_buffer.lua"}),
        "JobCompType": MappingProxyType({"lua": "jobcomp.lua"}),
    }
)
"""Plugins that read a file in /etc/slurm, by their keys; files_match_the_specification reports others."""


def _files(lines: Lines) -> Iterator[Unmet]:
    for name, files in _FILES.items():
        for plugin, file in files.items():
            if plugin in lines.plugins(name) and file not in lines.files:
                yield Unmet(
                    (name,), Issue(f"slurmctld exits without {file}", f'Add configFiles["{file}"], or leave this out.')
                )


def _gres(lines: Lines) -> Iterator[Unmet]:
    types = lines.items("GresTypes")
    if {"mps", "shard"} & set(types) and "gpu" not in types:
        yield Unmet(("GresTypes",), Issue("slurmctld exits with mps or shard and without gpu", "Add gpu."))


def _log_files(lines: Lines) -> Iterator[Unmet]:
    for name in ("SlurmSchedLogFile",):
        if name in lines and not lines.text(name).startswith((lines.writable, *WRITABLE)):
            problem = "slurmctld exits when it can't create the file"
            yield Unmet((name,), Issue(problem, f"Leave it out, or name a file in {lines.writable}."))


_REQUIREMENTS = (
    _selection,
    _tasks,
    _prolog,
    _exclusive_items,
    _health_checks,
    _memory,
    _job_completion,
    _tokens,
    _numbers,
    _fair_share,
    _mcs,
    _certificates,
    _files,
    _gres,
    _log_files,
)
