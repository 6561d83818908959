"""Accounts, users and QoS in slurmdbd against those of the stack's file.

The Job that makes them adds and sets what the file says, and leaves alone what others have made: see
`pulumi_slurm.configuration.accounts`. Source of the commands: https://slurm.schedmd.com/sacctmgr.html.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic.alias_generators import to_camel

from pulumi_slurm.configuration.accounts_undo import MARK
from pulumi_slurm.errors import Path
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT, AccountSpec, QosSpec
from pulumi_slurm_cli.drift.finding import APPEND, Change, Finding, Kind
from pulumi_slurm_cli.drift.times import minutes, time_text
from pulumi_slurm_cli.live import DatabaseLook, LiveAssociation, LiveQos
from pulumi_slurm_cli.live.values import Number

_SACCTMGR = "sacctmgr --immediate"
_BY_HAND = "it is in the database alone, and was made by hand"
_NOT_APPLIED = (
    "the stack has added it, and the specification doesn't have it: not applied yet, or of an update that failed"
)


def has_database(spec: SlurmSpec) -> bool:
    """Return whether the stack makes accounts or QoS in a database."""
    return bool(spec.accounting and not spec.accounting.external and _managed(spec))


def _managed(spec: SlurmSpec) -> set[str]:
    return spec.accounting.model_fields_set & {"accounts", "qos"} if spec.accounting else set()


def of_database(spec: SlurmSpec, look: DatabaseLook, at: Path) -> Iterator[Finding]:
    """Yield what is not as specified; lists that the file leaves out aren't compared."""
    accounting = spec.accounting
    assert accounting
    if "qos" in _managed(spec):
        yield from _qos(accounting.qos, look.qos, (*at, "accounting", "qos"))
    if "accounts" in _managed(spec):
        cluster = spec.slurm_name.lower()
        of_cluster = [item for item in look.associations if item.cluster == cluster and not item.partition]
        yield from _accounts(accounting.accounts, of_cluster, cluster, (*at, "accounting", "accounts"))


def _qos(specs: Sequence[QosSpec], live: Sequence[LiveQos], path: Path) -> Iterator[Finding]:
    live_by_name = {qos.name: qos for qos in live}
    for index, qos in enumerate(specs):
        if qos.name in live_by_name:
            at, where = (*path, index), f"{_SACCTMGR} modify qos where name={qos.name} set"
            yield from _limits(f"QoS {qos.name}", _limits_of_qos(qos, live_by_name[qos.name]), at, where)
        else:
            yield _lost(f"QoS {qos.name}", f"{_SACCTMGR} add qos {qos.name}", (*path, index))
    for name in live_by_name.keys() - {qos.name for qos in specs} - {BUILT_IN_QOS}:
        priority = live_by_name[name].priority
        fields = {"name": name, **({"priority": int(priority)} if priority and priority != math.inf else {})}
        yield _made(f"QoS {name}", f"{_SACCTMGR} delete qos where name={name}", path, fields)


def _accounts(
    specs: Sequence[AccountSpec], live: Sequence[LiveAssociation], cluster: str, path: Path
) -> Iterator[Finding]:
    live_by_name = {item.account: item for item in live if not item.user}
    users: dict[str, list[LiveAssociation]] = {}
    for item in live:
        if item.user:
            users.setdefault(item.account, []).append(item)
    for index, account in enumerate(specs):
        subject, at = f"account {account.name}", (*path, index)
        if account.name not in live_by_name:
            add = f"{_SACCTMGR} add account {account.name} cluster={cluster} parent={account.parent}"
            yield _lost(subject, add, at)
            continue
        where = f"{_SACCTMGR} modify account where name={account.name} cluster={cluster} set"
        above = live_by_name.get(live_by_name[account.name].parent)
        yield from _limits(subject, _limits_of_account(account, live_by_name[account.name], above), at, where)
        yield from _users(account, users.get(account.name, []), cluster, at)
    for name in live_by_name.keys() - {account.name for account in specs} - {ROOT_ACCOUNT}:
        delete = f"{_SACCTMGR} delete account where name={name} cluster={cluster}"
        names = sorted(item.user for item in users.get(name, []))
        fields = {"name": name, "parent": live_by_name[name].parent, "users": names}
        kept = {key: value for key, value in fields.items() if value and value != ROOT_ACCOUNT}
        yield _made(f"account {name}", delete, path, kept, live_by_name[name])


def _users(account: AccountSpec, live: Sequence[LiveAssociation], cluster: str, at: Path) -> Iterator[Finding]:
    users, live_by_name = dict.fromkeys(account.users), {item.user: item for item in live}
    for user in sorted(live_by_name.keys() - users.keys()):
        subject = f"user {user} of account {account.name}"
        delete = f"{_SACCTMGR} delete user where name={user} account={account.name} cluster={cluster}"
        yield _made(subject, delete, (*at, "users"), user, live_by_name[user])
    for user in sorted(users.keys() - live_by_name.keys()):
        subject = f"user {user} of account {account.name}"
        add = f"{_SACCTMGR} add user {user} account={account.name} cluster={cluster}"
        yield _lost(subject, add, (*at, "users", account.users.index(user)))


def _lost(subject: str, back: str, at: Path) -> Finding:
    return Finding(Kind.OURS, subject, "it isn't in the database: not made yet, or lost", back, (Change(at, None),))


def _made(subject: str, back: str, path: Path, item: Any, live: LiveAssociation | None = None) -> Finding:
    """Return the finding of what the database alone has; ``item`` is what the list at the path would have of it."""
    kind, problem = Kind.DANGEROUS, _BY_HAND
    if live and live.comment == MARK:
        kind, problem = Kind.OURS, _NOT_APPLIED
    return Finding(kind, subject, problem, back, (Change((*path, APPEND), item),))


_Limit = tuple[str, str, Any, Any, Any]
"""sacctmgr's key, the field, what the file says, what the database has, and what it has where nobody set anything."""


def _limits_of_qos(qos: QosSpec, live: LiveQos) -> Iterator[_Limit]:
    yield "Priority", "priority", qos.priority, live.priority, 0
    yield "Preempt", "preempt", {*qos.preempt}, {*live.preempt}, set()
    yield "MaxTRESPerUser", "max_tres_per_user", qos.max_tres_per_user, dict(live.max_tres_per_user), {}
    yield "MaxJobsPerUser", "max_jobs_per_user", qos.max_jobs_per_user, live.max_jobs_per_user, math.inf
    yield "GrpTRES", "grp_tres", qos.grp_tres, dict(live.grp_tres), {}
    yield "GrpJobs", "grp_jobs", qos.grp_jobs, live.grp_jobs, math.inf
    yield "MaxWall", "max_wall", None if qos.max_wall is None else minutes(qos.max_wall), live.max_wall, math.inf


def _limits_of_account(account: AccountSpec, live: LiveAssociation, above: LiveAssociation | None) -> Iterator[_Limit]:
    wall: Number = math.inf if above is None else above.max_wall
    yield "Parent", "parent", account.parent, live.parent, ROOT_ACCOUNT
    yield "Fairshare", "fairshare", account.fairshare, live.fairshare, 1
    if account.qos:
        yield "QosLevel", "qos", {*account.qos}, {*live.qos}, set()
    yield "GrpTRES", "grp_tres", account.grp_tres, dict(live.grp_tres), {}
    yield "GrpJobs", "grp_jobs", account.grp_jobs, live.grp_jobs, math.inf
    yield "MaxWall", "max_wall", None if account.max_wall is None else minutes(account.max_wall), live.max_wall, wall


def _limits(subject: str, limits: Iterator[_Limit], at: Path, where: str) -> Iterator[Finding]:
    for key, field, in_file, in_database, default in limits:
        wanted = default if in_file is None else in_file
        if in_database == wanted:
            continue
        problem = (
            f"{key} is {_shown(field, in_database)} in the database, and {_shown(field, wanted)} in the specification"
        )
        back = f"{where} {key}={_for_sacctmgr(field, wanted, in_database, default)}"
        adopted = None if in_database in (default, math.inf) else _for_file(field, in_database)
        yield Finding(Kind.DANGEROUS, subject, problem, back, (Change((*at, to_camel(field)), adopted),))


def _shown(field: str, value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}={amount}" for name, amount in sorted(value.items())) or "not set"
    if isinstance(value, set):
        return ",".join(sorted(value)) or "not set"
    if value == math.inf:
        return "not set"
    return str(time_text(value)) if field == "max_wall" else str(value)


def _for_sacctmgr(field: str, wanted: Any, in_database: Any, default: Any) -> str:
    """Return what sacctmgr sets; -1 takes a limit away."""
    if isinstance(wanted, dict):
        gone = {name: -1 for name in in_database if name not in wanted}
        return ",".join(f"{name}={amount}" for name, amount in sorted({**wanted, **gone}.items()))
    if isinstance(wanted, set):
        return ",".join(sorted(wanted)) or "''"
    # What comes from the account above isn't set again.
    if wanted == math.inf or (field == "max_wall" and wanted == default):
        return "-1"
    return str(time_text(wanted)) if field == "max_wall" else str(wanted)


def _for_file(field: str, value: Any) -> Any:
    if isinstance(value, set):
        return sorted(value)
    return time_text(value) if field == "max_wall" else value
