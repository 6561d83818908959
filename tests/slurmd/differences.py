"""Where files differ from what runs in a real cluster: what this machine lacks, and nothing else.

1. Slurm's plugin for cgroup v2 refuses a machine on which controllers of v1 are mounted beside it. There the daemons
   get the plugin for v1; every other line about cgroups stays (`ProctrackType`, `TaskPlugin`, `PrologFlags`, …).
2. There are no GPUs. Where a test needs them, their device files lie in the host's own /dev, and gres.conf names these
   files instead of having a driver asked.
3. Debian builds fewer plugins than SchedMD's own packages, of which Slinky's images are made. Lines that need one of
   the others are left out of the tests that draw lines.
4. A machine may not let even root raise a limit, as a container without the capability SYS_RESOURCE. There what raises
   the limit of locked memory to "unlimited" raises it to the most that this machine gives.
"""

from __future__ import annotations

import re
import resource
from pathlib import Path

from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import Files


def for_this_machine(files: Files) -> dict[str, str | bytes]:
    """Return the files with the plugin for cgroups that this machine allows (difference 1)."""
    adapted = dict(files)
    if only_cgroup_v2() or "cgroup.conf" not in adapted:
        return adapted
    text = str(adapted["cgroup.conf"])
    adapted["cgroup.conf"] = re.sub(r"(?im)^(CgroupPlugin)=(cgroup/v2|autodetect)$", r"\1=cgroup/v1", text)
    return adapted


def with_device_files(files: Files, gpus: dict[str, int], gpu_type: str = "") -> dict[str, str | bytes]:
    """Return the files with a gres.conf for nodes that have so many device files each (difference 2)."""
    typed = f" Type={gpu_type}" if gpu_type else ""
    lines = [f"NodeName={nodes} Name=gpu{typed} File=/dev/nvidia[0-{count - 1}]" for nodes, count in gpus.items()]
    return {**files, "gres.conf": "\n".join(lines) + "\n"}


def only_cgroup_v2() -> bool:
    """Whether no hierarchy of cgroup v1 is mounted on this machine."""
    return Path("/proc/self/cgroup").read_text().startswith("0::")


def most_locked_memory() -> str:
    """Return the limit of locked memory to which root can raise it here, as `ulimit` has it (difference 4)."""
    _, most = limits = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    try:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, PermissionError):
        return str(most // 1024)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, limits)
    return "unlimited"


_NOT_IN_DEBIAN = (
    *("acct_gather_energy/ipmi", "acct_gather_energy/xcc", "acct_gather_profile/hdf5", "acct_gather_profile/influxdb"),
    *("jobcomp/elasticsearch", "jobcomp/kafka", "switch/hpe_slingshot"),
    "jobcomp/mysql",  # It is there, but the database that it needs is not.
)
_SINCE_26_05 = ("acct_gather_interconnect/ofed", "certgen/script", "certmgr/script")
"""Plugins that Debian builds from that series on, although Slurm had them before."""


def has_the_plugins(files: Files, series: Series) -> bool:
    """Return whether slurmctld here has all plugins that slurm.conf names (difference 3)."""
    missing = (*_NOT_IN_DEBIAN, *(_SINCE_26_05 if series < Series(26, 5) else ()))
    lines = str(files["slurm.conf"]).splitlines()
    return not any(_uses(line, name) for line in lines for name in missing)


def _uses(line: str, plugin: str) -> bool:
    kind, _, name = plugin.partition("/")
    key = _KEYS[kind]
    return bool(re.match(rf"{key}=(.*[,/])?{name}(,|$)", line))


_KEYS = {
    "acct_gather_energy": "AcctGatherEnergyType",
    "acct_gather_profile": "AcctGatherProfileType",
    "acct_gather_interconnect": "AcctGather(Interconnect|Infiniband)Type",
    "jobcomp": "JobCompType",
    "switch": "SwitchType",
    "certgen": "CertgenType",
    "certmgr": "CertmgrType",
}
