"""QoS, accounts and users as scripts of sacctmgr commands.

A script can be run again at any time: it adds what is missing, sets what the specification states and leaves all
else alone, also what was once stated and no longer is.
"""

import shlex
from collections.abc import Iterator, Mapping

from pulumi_slurm.model import AccountingSpec, SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT, AccountSpec, LimitsSpec, QosSpec

_HEAD = """#!/bin/sh
# Adds QoS, accounts and users that are missing, and sets what is stated of them.
set -eu
missing() { [ -z "$(sacctmgr --noheader --parsable2 show "$@")" ]; }
change() { sacctmgr --immediate "$@"; }
"""


def qos_script(spec: SlurmSpec) -> str | None:
    """Return the script that names all QoS, or None where none are stated.

    It comes before slurmctld, which from 25.11 on does not start with a partition whose QoS the database doesn't have.
    """
    named = [qos.name for qos in _stated(spec).qos if qos.name != BUILT_IN_QOS]
    # Before slurmctld has ever run, nothing else has made the cluster.
    names = [_add("cluster", spec.name, f"cluster {spec.name}")]
    return _script([*names, *(_add("qos", name, f"qos where name={name}") for name in named)]) if named else None


def accounts_script(spec: SlurmSpec) -> str | None:
    """Return the script that sets everything else, or None where nothing is stated.

    It comes after slurmctld, which tells the database what there is to limit beside CPUs, memory and nodes.
    """
    lines = list(_settings(spec.name, _stated(spec)))
    return _script(lines) if lines else None


def _stated(spec: SlurmSpec) -> AccountingSpec:
    return spec.accounting or AccountingSpec()


def _script(lines: list[str]) -> str:
    return _HEAD + "".join(f"{line}\n" for line in lines)


def _settings(cluster: str, stated: AccountingSpec) -> Iterator[str]:
    for qos in stated.qos:
        yield from _set(f"qos where name={qos.name}", _qos_options(qos))
    for account in _parents_first(stated.accounts):
        where = f"account where name={account.name} cluster={cluster}"
        shown = f"association where account={account.name} cluster={cluster} user="
        yield _add("account", f"{account.name} cluster={cluster} parent={account.parent}", shown)
        # Setting the parent that it has is an error to sacctmgr.
        moved = " ".join(_set(where, {"Parent": account.parent}))
        yield f"if missing {shown} parent={account.parent}; then {moved}; fi"
        yield from _set(where, _account_options(account))
        for user in account.users:
            shown = f"association where account={account.name} cluster={cluster} user={user}"
            yield _add("user", f"{user} account={account.name} cluster={cluster}", shown)


def _add(kind: str, what: str, shown: str) -> str:
    return f"if missing {shown}; then change add {kind} {what}; fi"


def _set(where: str, options: Mapping[str, object]) -> Iterator[str]:
    given = [f"{key}={shlex.quote(str(value))}" for key, value in options.items() if value not in (None, "")]
    if given:
        yield f"change modify {where} set {' '.join(given)}"


def _limits(limits: LimitsSpec) -> dict[str, object]:
    return {
        "GrpTRES": _amounts(limits.grp_tres),
        "GrpJobs": limits.grp_jobs,
        "MaxWall": limits.max_wall,
        **limits.options,
    }


def _qos_options(qos: QosSpec) -> dict[str, object]:
    return {
        "Priority": qos.priority,
        "Preempt": ",".join(qos.preempt),
        "MaxTRESPerUser": _amounts(qos.max_tres_per_user),
        "MaxJobsPerUser": qos.max_jobs_per_user,
        "Flags": ",".join(qos.flags),
        **_limits(qos),
    }


def _account_options(account: AccountSpec) -> dict[str, object]:
    return {
        "Description": account.description,
        "Fairshare": account.fairshare,
        "QosLevel": ",".join(account.qos),
        "DefaultQOS": account.default_qos,
        **_limits(account),
    }


def _amounts(amounts: Mapping[str, int]) -> str:
    return ",".join(f"{name}={amount}" for name, amount in sorted(amounts.items()))


def _parents_first(accounts: list[AccountSpec]) -> Iterator[AccountSpec]:
    done, waiting = {ROOT_ACCOUNT}, list(accounts)
    while waiting:
        ready = [account for account in waiting if account.parent in done] or waiting
        yield from ready
        done |= {account.name for account in ready}
        waiting = [account for account in waiting if account not in ready]
