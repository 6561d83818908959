"""Limits of QoS and accounts: which keep a waiting job waiting for good, and which end jobs that run.

slurmctld takes each limit from the first that has it: the partition's QoS, then the job's, the other way round where
the job's has the flag OverPartQOS, then the account. What others use is no reason here.

Source: acct_policy_set_qos_order, acct_policy_job_runnable_pre_select and _post_select, and acct_policy_job_time_out in
src/slurmctld/acct_policy.c of SchedMD/slurm, branches slurm-24.11 and slurm-26.05.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.derived.accounts import accounts_of, qos_of, with_ancestors
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, AccountSpec, QosSpec
from pulumi_slurm.model.sacctmgr_options import ACCOUNT_OPTIONS, QOS_OPTIONS, option_in_full
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm_cli.live.jobs import LiveJob
from pulumi_slurm_cli.live.values import tres

_LIMITS = frozenset({"limits", "safe", "all"})
_ASSOCIATIONS = _LIMITS | {"1", "associations", "qos", "wckeys"}
"""Words of AccountingStorageEnforce by which slurmctld looks at accounts. Without one, partitions' lists mean nothing:
part_policy_valid_acct in src/slurmctld/partition_mgr.c, and src/common/read_config.c, branch slurm-26.05."""
_OF_JOB = MappingProxyType(
    {"maxtres": "", "maxtrespj": "", "maxtresperjob": "", "maxcpusperjob": "cpu", "maxnodesperjob": "node"}
)
_OF_USER = MappingProxyType(
    {"maxcpusperuser": "cpu", "maxcpuspu": "cpu", "maxnodesperuser": "node", "maxnodespu": "node"}
)
_OF_ALL = MappingProxyType({"grpcpus": "cpu", "grpnodes": "node", "grpmemory": "mem"})
"""Options, in small letters, with the TRES of which they are the amount; "" where the amount names it."""
_ENDING = frozenset({"grptresmins", "grpcpumins", "grpwall", "maxtresminsperjob", "maxtresminspj", "maxcpuminsperjob"})
"""Options that slurmctld also holds against jobs that run, and ends them."""

_Item = QosSpec | AccountSpec
Amounts = Mapping[str, tuple[int, str]]
"""The most of each TRES, and of jobs, by its name, and the limit as it is written."""


def limits_that_end_jobs(before: SlurmSpec, after: SlurmSpec) -> dict[str, list[str]]:
    """Return the limits that are new, or lower than before, and that jobs which run may be beyond: "GrpWall 60".

    They are those of "QoS high" or "account a", by that. With "safe", slurmctld holds none against jobs that run.
    """
    enforced = _enforced(after)
    if "safe" in enforced or _LIMITS.isdisjoint(enforced):
        return {}
    old = {_label(item): _options(item) for item in _items(before)}
    limits = {}
    for item in _items(after):
        had = old.get(_label(item), {})
        limits[_label(item)] = [
            f"{name} {text}"
            for key, (name, text) in _options(item).items()
            if key in _ENDING and _is_lower(text, had[key][1] if key in had else "")
        ]
    return limits


def _is_lower(new: str, old: str) -> bool:
    """Return whether an option may be less than it was; "" is no limit. Of times that differ, that it is."""
    if "=" in new:
        before, after = _of_text(old), _of_text(new)
        return any(name not in before or after[name] < before[name] for name in after)
    if new.isdecimal() and old.isdecimal():
        return int(new) < int(old)
    return new not in ("-1", old)


def _of_text(text: str) -> Mapping[str, int]:
    """Return amounts of TRES as sacctmgr takes them; -1 is none."""
    return tres(",".join(item for item in text.split(",") if "=-" not in item))


@dataclass(frozen=True)
class _Limits:
    """What a QoS or an account allows."""

    label: str
    max_wall: str | None
    of_job: Amounts
    of_user: Amounts
    of_all: Amounts


class AccountLimits:
    """The limits of a specification's QoS and accounts."""

    def __init__(self, spec: SlurmSpec) -> None:
        """Take them from the specification."""
        self._accounts, self._qos = accounts_of(spec), qos_of(spec)
        self._limits = {_label(item): _limits(item) for item in _items(spec)}
        enforced = _enforced(spec)
        self.looks_at_accounts = not _ASSOCIATIONS.isdisjoint(enforced)
        """Whether slurmctld looks at the accounts of jobs."""
        self._looks_at_limits = not _LIMITS.isdisjoint(enforced)

    def why_beyond(self, job: LiveJob, asked: Mapping[str, int], partition_qos: str | None) -> str:
        """Return the limit beyond which a job asks by itself, and "" where there is none, or nobody can tell.

        ``asked`` is how much it is charged with at least, of each TRES. ``partition_qos`` is the QoS of the partition
        in which it would run.
        """
        names = self._qos_names(job, partition_qos)
        if not self._looks_at_limits or not self._accounts_of(job) or not {*names} <= {BUILT_IN_QOS, *self._qos}:
            return ""
        qos = [self._qos[name] for name in names if name in self._qos]
        levels = [self._limits[label] for label in self.that_hold_for(job, partition_qos)]
        of_time = "" if "usagefactorsafe" in self._flags(job) else _of_time(job, levels)
        return of_time or (
            "" if any(map(_counts_otherwise, qos)) else _of_amounts({**asked, "jobs": 1}, levels, len(qos))
        )

    def that_hold_for(self, job: LiveJob, partition_qos: str | None) -> list[str]:
        """Return the QoS and accounts whose limits hold for a job, as "QoS high" and "account a"."""
        qos = [self._qos[name] for name in self._qos_names(job, partition_qos) if name in self._qos]
        return [*map(_label, qos), *map(_label, self._accounts_of(job))]

    def _accounts_of(self, job: LiveJob) -> list[AccountSpec]:
        """Return the account of a job and those above; none for one that is made by hand, and stays as it is."""
        account = self._accounts.get(job.account.lower())
        if account is None or (account.users and job.has_user_name and job.user not in account.users):
            return []
        return with_ancestors(account, self._accounts)

    def _qos_names(self, job: LiveJob, partition_qos: str | None) -> list[str]:
        """Return the QoS that hold for a job, the first one first."""
        names = [*dict.fromkeys(name.lower() for name in (partition_qos, job.qos) if name)]
        return names[::-1] if "overpartqos" in self._flags(job) else names

    def _flags(self, job: LiveJob) -> set[str]:
        qos = self._qos.get(job.qos.lower())
        return {flag.lower() for flag in qos.flags} if qos else set()


def _enforced(spec: SlurmSpec) -> set[str]:
    words = str(option_texts(spec).get("AccountingStorageEnforce") or "").lower().replace(" ", "").split(",")
    return {*words}


def _of_time(job: LiveJob, levels: list[_Limits]) -> str:
    for limits in levels:
        max_seconds = time_seconds(limits.max_wall) if limits.max_wall else None
        if max_seconds is not None:
            beyond = job.time_limit is not None and job.time_limit * 60 > max_seconds
            return f"{limits.label} has maxWall {limits.max_wall}" if beyond else ""
    return ""


def _of_amounts(asked: Mapping[str, int], levels: list[_Limits], of_qos: int) -> str:
    """Return the limit of a TRES, or of jobs, beyond which a job asks; the first ``of_qos`` are those of QoS."""
    for kind in ("of_job", "of_user", "of_all"):
        limited: set[str] = set()
        for level, limits in enumerate(levels):
            amounts: Amounts = getattr(limits, kind)
            for name, (maximum, text) in amounts.items():
                if name not in limited and asked.get(name, 0) > maximum:
                    return f"{limits.label} has {text}"
            # All accounts above have to allow what a group uses, but an account's own limits for a job come first.
            if level < of_qos or kind == "of_job":
                limited |= amounts.keys()
    return ""


def _counts_otherwise(qos: QosSpec) -> bool:
    """Return whether the limits with it are shares of the cluster, or of what they say."""
    return "relative" in map(str.lower, qos.flags) or "limitfactor" in _options(qos)


def _limits(item: _Item) -> _Limits:
    options = _options(item)
    of_all = {**_amounts(item.grp_tres, "grpTres"), **_of_options(options, _OF_ALL)}
    if item.grp_jobs is not None:
        of_all["jobs"] = (item.grp_jobs, f"grpJobs {item.grp_jobs}")
    of_user = _of_options(options, _OF_USER)
    if isinstance(item, QosSpec):
        of_user = {**_amounts(item.max_tres_per_user, "maxTresPerUser"), **of_user}
        if item.max_jobs_per_user is not None:
            of_user["jobs"] = (item.max_jobs_per_user, f"maxJobsPerUser {item.max_jobs_per_user}")
    return _Limits(_label(item), item.max_wall, of_job=_of_options(options, _OF_JOB), of_user=of_user, of_all=of_all)


def _items(spec: SlurmSpec) -> list[_Item]:
    return [*qos_of(spec).values(), *accounts_of(spec).values()]


def _label(item: _Item) -> str:
    return f"{'QoS' if isinstance(item, QosSpec) else 'account'} {item.name}"


def _amounts(amounts: Mapping[str, int], limit: str) -> dict[str, tuple[int, str]]:
    return {name.lower(): (amount, f"{limit} {name}={amount}") for name, amount in amounts.items()}


def _of_options(options: Mapping[str, tuple[str, str]], names: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    """Return the amounts of those options that have names; -1 is none."""
    amounts: dict[str, tuple[int, str]] = {}
    for key in names:
        name, text = options.get(key, ("", "-1"))
        if text != "-1":
            amounts |= _amounts({names[key]: int(text)} if names[key] else _of_text(text), name)
    return amounts


def _options(item: _Item) -> dict[str, tuple[str, str]]:
    """Return the further options by their whole names in small letters: each as it is written, and its value."""
    catalogue = QOS_OPTIONS if isinstance(item, QosSpec) else ACCOUNT_OPTIONS
    return {option_in_full(catalogue, name).lower(): (name, text) for name, text in item.options.items()}
