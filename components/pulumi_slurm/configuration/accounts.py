"""QoS, accounts and users as scripts of sacctmgr commands.

A script can be run again at any time: it adds what is missing and sets what is in the specification. It changes
nothing else, not even what was in the specification before and has been removed from it.
"""

import shlex
from collections.abc import Iterator, Mapping

from pulumi_slurm.model import AccountingSpec, SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT, AccountSpec, LimitsSpec, QosSpec

_SCRIPT_HEADER = """#!/bin/sh
# Adds QoS, accounts and users that are missing, and sets what is stated of them.
set -eu
missing() { [ -z "$(sacctmgr --noheader --parsable2 show "$@")" ]; }
change() { sacctmgr --immediate "$@"; }
"""


def qos_script(spec: SlurmSpec) -> str | None:
    """Return the script that adds all QoS, without their options, or None if there are none.

    It runs before slurmctld, which from 25.11 on does not start if the database lacks the QoS of a partition.
    """
    qos_names = [qos.name for qos in _accounting_of(spec).qos if qos.name != BUILT_IN_QOS]
    if not qos_names:
        return None
    # Until slurmctld has run for the first time, nothing else adds the cluster to the database.
    add_cluster = _add_if_missing("cluster", spec.name, f"cluster {spec.name}")
    return _script([add_cluster, *(_add_if_missing("qos", name, f"qos where name={name}") for name in qos_names)])


def accounts_script(spec: SlurmSpec) -> str | None:
    """Return the script that sets everything else, or None if there is nothing to set.

    It runs after slurmctld, which registers the TRES other than CPUs, memory and nodes that limits can refer to.
    """
    commands = list(_commands(spec.name, _accounting_of(spec)))
    return _script(commands) if commands else None


def _accounting_of(spec: SlurmSpec) -> AccountingSpec:
    return spec.accounting or AccountingSpec()


def _script(commands: list[str]) -> str:
    return _SCRIPT_HEADER + "".join(f"{command}\n" for command in commands)


def _commands(cluster: str, accounting: AccountingSpec) -> Iterator[str]:
    for qos in accounting.qos:
        yield from _modify(f"qos where name={qos.name}", _qos_options(qos))
    for account in _parents_first(accounting.accounts):
        selector = f"account where name={account.name} cluster={cluster}"
        association = f"association where account={account.name} cluster={cluster} user="
        yield _add_if_missing("account", f"{account.name} cluster={cluster} parent={account.parent}", association)
        # sacctmgr fails if the account already has this parent.
        set_parent = " ".join(_modify(selector, {"Parent": account.parent}))
        yield f"if missing {association} parent={account.parent}; then {set_parent}; fi"
        yield from _modify(selector, _account_options(account))
        for user in account.users:
            association = f"association where account={account.name} cluster={cluster} user={user}"
            yield _add_if_missing("user", f"{user} account={account.name} cluster={cluster}", association)


def _add_if_missing(entity: str, arguments: str, query: str) -> str:
    return f"if missing {query}; then change add {entity} {arguments}; fi"


def _modify(selector: str, options: Mapping[str, object]) -> Iterator[str]:
    assignments = [f"{key}={shlex.quote(str(value))}" for key, value in options.items() if value not in (None, "")]
    if assignments:
        yield f"change modify {selector} set {' '.join(assignments)}"


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
    yielded, pending = {ROOT_ACCOUNT}, list(accounts)
    while pending:
        ready = [account for account in pending if account.parent in yielded] or pending
        yield from ready
        yielded |= {account.name for account in ready}
        pending = [account for account in pending if account not in ready]
