"""Limits of QoS and accounts: which keep a waiting job waiting for good, and which end jobs that run.

slurmctld takes each limit from the first that has it: the partition's QoS, then the job's, the other way round where
the job's has the flag OverPartQOS, then the account. What others use is no reason here.

Source: acct_policy_set_qos_order, acct_policy_job_runnable_pre_select and _post_select, and acct_policy_job_time_out in
src/slurmctld/acct_policy.c of SchedMD/slurm, branches slurm-24.11 and slurm-26.05.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.live.jobs import LiveJob
from pulumi_slurm.live.values import tres
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, AccountSpec, QosSpec
from pulumi_slurm.model.sacctmgr_options import ACCOUNT_OPTIONS, QOS_OPTIONS, option_in_full
from pulumi_slurm.model.units import time_seconds

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


def looks_at_accounts(spec: SlurmSpec) -> bool:
    """Return whether slurmctld looks at the accounts of jobs."""
    return not _ASSOCIATIONS.isdisjoint(_enforced(spec))


def limits_that_end_jobs(spec: SlurmSpec, old: _Item | None, new: _Item) -> list[str]:
    """Return the limits that are new, or lower than before, and that jobs which run may be beyond: "GrpWall 60".

    ``spec`` is the specification with the new ones. With "safe", slurmctld holds no limit against jobs that run.
    """
    enforced = _enforced(spec)
    if "safe" in enforced or _LIMITS.isdisjoint(enforced):
        return []
    before = _options(old) if old else {}
    return [
        f"{name} {text}"
        for key, (name, text) in _options(new).items()
        if key in _ENDING and _is_lower(text, before[key][1] if key in before else "")
    ]


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
        self._spec = spec
        accounting = spec.accounting
        self._accounts = {item.name: item for item in accounting.accounts} if accounting else {}
        self._qos = {item.name: item for item in accounting.qos} if accounting else {}
        items: list[_Item] = [*self._accounts.values(), *self._qos.values()]
        self._limits = {id(item): _limits(item) for item in items}
        self._enforced = not _LIMITS.isdisjoint(_enforced(spec))

    def why_beyond(self, job: LiveJob, asked: Mapping[str, int], partition_qos: str | None) -> str:
        """Return the limit beyond which a job asks by itself, and "" where there is none, or nobody can tell.

        ``asked`` is how much it is charged with at least, of each TRES. ``partition_qos`` is the QoS of the partition
        in which it would run.
        """
        account = self._account(job)
        if not self._enforced or account is None:
            return ""
        names = self._qos_names(job, partition_qos)
        if any(name not in self._qos and name != BUILT_IN_QOS for name in names):
            return ""
        chosen = [self._qos[name] for name in names if name in self._qos]
        qos = [self._limits[id(item)] for item in chosen]
        accounts = [self._limits[id(item)] for item in self._with_ancestors(account)]
        of_time = "" if "usagefactorsafe" in self._flags(job) else _of_time(job, [*qos, *accounts])
        return of_time or (
            "" if any(map(_counts_otherwise, chosen)) else _of_amounts({**asked, "jobs": 1}, qos, accounts)
        )

    def that_end(self, job: LiveJob, partition_qos: str | None, before: AccountLimits) -> list[str]:
        """Return the limits that end a running job when it is beyond them, and were higher, or weren't, before."""
        account = self._account(job)
        qos = [self._qos[name] for name in self._qos_names(job, partition_qos) if name in self._qos]
        accounts = [*self._with_ancestors(account)] if account else []
        pairs: list[tuple[_Item | None, _Item]] = [(before._qos.get(item.name), item) for item in qos]
        pairs += [(before._accounts.get(item.name), item) for item in accounts]
        return [
            f"{self._limits[id(new)].label} has {limit}"
            for old, new in pairs
            for limit in limits_that_end_jobs(self._spec, old, new)
        ]

    def _account(self, job: LiveJob) -> AccountSpec | None:
        """Return the account of a job; None for one that is made by hand, and stays as it is."""
        account = self._accounts.get(job.account.lower())
        return None if account and account.users and job.user not in account.users else account

    def _qos_names(self, job: LiveJob, partition_qos: str | None) -> list[str]:
        """Return the QoS that hold for a job, the first one first."""
        names = [*dict.fromkeys(name.lower() for name in (partition_qos, job.qos) if name)]
        return names[::-1] if "overpartqos" in self._flags(job) else names

    def _flags(self, job: LiveJob) -> set[str]:
        qos = self._qos.get(job.qos.lower())
        return {flag.lower() for flag in qos.flags} if qos else set()

    def _with_ancestors(self, account: AccountSpec) -> Iterator[AccountSpec]:
        found: AccountSpec | None = account
        names = set()
        while found and found.name not in names:
            yield found
            names.add(found.name)
            found = self._accounts.get(found.parent)


def _enforced(spec: SlurmSpec) -> set[str]:
    words = str(option_texts(spec).get("AccountingStorageEnforce") or "").lower().replace(" ", "").split(",")
    return {*words}


def _of_time(job: LiveJob, levels: list[_Limits]) -> str:
    for limits in levels:
        most = time_seconds(limits.max_wall) if limits.max_wall else None
        if most is not None:
            beyond = job.time_limit is not None and job.time_limit * 60 > most
            return f"{limits.label} has maxWall {limits.max_wall}" if beyond else ""
    return ""


def _of_amounts(asked: Mapping[str, int], qos: list[_Limits], accounts: list[_Limits]) -> str:
    """Return the limit of a TRES, or of jobs, beyond which a job asks."""
    for kind in ("of_job", "of_user", "of_all"):
        taken: set[str] = set()
        for limits in [*qos, *accounts]:
            amounts: Amounts = getattr(limits, kind)
            for name, (most, text) in amounts.items():
                if name not in taken and asked.get(name, 0) > most:
                    return f"{limits.label} has {text}"
            # All accounts above have to allow what a group uses, but an account's own limits for a job come first.
            if limits in qos or kind == "of_job":
                taken |= amounts.keys()
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
    label = f"{'QoS' if isinstance(item, QosSpec) else 'account'} {item.name}"
    return _Limits(label, item.max_wall, of_job=_of_options(options, _OF_JOB), of_user=of_user, of_all=of_all)


def _amounts(amounts: Mapping[str, int], limit: str) -> dict[str, tuple[int, str]]:
    return {name.lower(): (most, f"{limit} {name}={most}") for name, most in amounts.items()}


def _of_options(options: Mapping[str, tuple[str, str]], names: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    """Return the amounts of those options that have names; -1 is none."""
    found: dict[str, tuple[int, str]] = {}
    for key in names:
        name, text = options.get(key, ("", "-1"))
        if text != "-1":
            found |= _amounts({names[key]: int(text)} if names[key] else _of_text(text), name)
    return found


def _options(item: _Item) -> dict[str, tuple[str, str]]:
    """Return the further options by their whole names in small letters: each as it is written, and its value."""
    known = QOS_OPTIONS if isinstance(item, QosSpec) else ACCOUNT_OPTIONS
    return {option_in_full(known, name).lower(): (name, text) for name, text in item.options.items()}
