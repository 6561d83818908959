"""QoS and accounts: what refers to them has to be in the database."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..accounts import BUILT_IN_QOS, ROOT_ACCOUNT, Account
from ..mistakes import Mistake, Path, nearest
from .partitions import all_partitions

if TYPE_CHECKING:
    from ..accounting import Accounting
    from ..cluster import SlurmSpec

_QOS: Path = ("accounting", "qos")


def qos_exist(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse QoS that nobody makes: from 25.11 on slurmctld ends at once when a partition names one."""
    # Without accounting they are refused elsewhere; who runs a slurmdbd of their own makes their own QoS.
    if not spec.accounting or spec.accounting.external:
        return
    known = [BUILT_IN_QOS, *(qos.name for qos in spec.accounting.qos)]
    for problem, places in (
        ("there is no such QoS, and slurmctld would not start", _of_partitions(spec)),
        ("there is no such QoS", _of_the_database(spec.accounting)),
    ):
        for at, name in places:
            if name.lower() not in known:  # Slurm ignores its case.
                remedy = f"{nearest(name, known)} Or add it: accounting.qos: [{{name: {name.lower()}}}]."
                yield Mistake(at, name, problem, remedy, rests_on=(_QOS,))


def no_qos_preempts_itself(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse QoS that preempt each other in a circle, at which sacctmgr ends."""
    stated = spec.accounting.qos if spec.accounting else []
    preempts = {qos.name: [name.lower() for name in qos.preempt] for qos in stated}
    for index, qos in enumerate(stated):
        below, waiting = set[str](), list(preempts[qos.name])
        while waiting:
            name = waiting.pop()
            if name not in below:
                below.add(name)
                waiting += preempts.get(name, [])
        if qos.name in below:
            problem = "following what it preempts leads back to this QoS, and sacctmgr refuses that"
            yield Mistake((*_QOS, index, "preempt"), qos.preempt, problem, "Leave one of them out.", rests_on=(_QOS,))


def accounts_form_a_tree(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse names that stand twice, parents that don't exist and accounts above themselves."""
    if not spec.accounting:
        return
    at: Path = ("accounting", "accounts")
    accounts = spec.accounting.accounts
    parents = {account.name: account.parent for account in accounts}
    yield from _once(_QOS, (qos.name for qos in spec.accounting.qos))
    yield from _once(at, (account.name for account in accounts))
    for index, account in enumerate(accounts):
        if account.name == ROOT_ACCOUNT:
            yield Mistake((*at, index, "name"), ROOT_ACCOUNT, "slurmdbd makes it by itself", "Choose another name.")
        elif account.parent not in (ROOT_ACCOUNT, *parents):
            remedy = nearest(account.parent, [ROOT_ACCOUNT, *parents])
            yield Mistake((*at, index, "parent"), account.parent, "there is no such account", remedy, rests_on=(at,))
        elif _above_itself(account, parents):
            problem = "following the parents leads back to this account"
            yield Mistake((*at, index, "parent"), account.parent, problem, f'Write "{ROOT_ACCOUNT}".', rests_on=(at,))
        elif not _usual_is_allowed(account, {item.name: item for item in accounts}):
            field = "default_qos" if account.default_qos else "qos"
            yield Mistake(
                (*at, index, field),
                getattr(account, field),
                "the QoS of jobs that ask for none is not among those that the account, or its parent, may take",
                "Let qos of the account have its defaultQos.",
                rests_on=(at, _QOS),
            )


def _of_partitions(spec: "SlurmSpec") -> Iterator[tuple[Path, str]]:
    for at, _, options in all_partitions(spec):
        if options.qos:
            yield (*at, "qos"), options.qos
        for field in ("allow_qos", "deny_qos"):
            yield from (((*at, field, index), name) for index, name in enumerate(getattr(options, field)))


def _of_the_database(accounting: "Accounting") -> Iterator[tuple[Path, str]]:
    for index, qos in enumerate(accounting.qos):
        yield from (((*_QOS, index, "preempt", position), name) for position, name in enumerate(qos.preempt))
    for index, account in enumerate(accounting.accounts):
        at: Path = ("accounting", "accounts", index)
        yield from (((*at, "qos", position), name) for position, name in enumerate(account.qos))
        if account.default_qos:
            yield (*at, "default_qos"), account.default_qos


def _once(at: Path, names: Iterable[str]) -> Iterator[Mistake]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield Mistake((*at, index, "name"), name, "it stands here twice", "Keep one of them.")
        seen.add(name)


def _above_itself(account: Account, parents: dict[str, str]) -> bool:
    seen: set[str] = set()
    name = account.parent
    while name in parents and name not in seen:
        if name == account.name:
            return True
        seen.add(name)
        name = parents[name]
    return False


def _usual_is_allowed(account: Account, accounts: dict[str, Account]) -> bool:
    """Return whether the account's default QoS is among its QoS; both come from the parents where it has none."""
    line = [account]
    # Whoever is above itself is another mistake.
    while (above := accounts.get(line[-1].parent)) and above not in line:
        line.append(above)
    usual = next((item.default_qos for item in line if item.default_qos), None)
    allowed = next((item.qos for item in line if item.qos), [BUILT_IN_QOS])
    return usual is None or usual.lower() in map(str.lower, allowed)
