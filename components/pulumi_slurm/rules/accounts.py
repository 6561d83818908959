"""QoS and accounts: what refers to them has to be in the database."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT, AccountSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.names import repeated
from pulumi_slurm.rules.partitions import all_partitions

_QOS: Path = ("accounting", "qos")


def qos_exist(spec: SlurmSpec) -> Iterator[FieldError]:
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
                fix = f"{nearest(name, known)} Or add it: accounting.qos: [{{name: {name.lower()}}}]."
                yield FieldError(at, name, problem, fix, depends_on_fields=(_QOS,))


def no_qos_preempts_itself(spec: SlurmSpec) -> Iterator[FieldError]:
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
            yield FieldError(
                (*_QOS, index, "preempt"), qos.preempt, problem, "Leave one of them out.", depends_on_fields=(_QOS,)
            )


def accounts_form_a_tree(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names that stand twice, parents that don't exist and accounts above themselves."""
    if not spec.accounting:
        return
    at: Path = ("accounting", "accounts")
    accounts = spec.accounting.accounts
    by_name = {account.name: account for account in accounts}
    for place, named in ((_QOS, spec.accounting.qos), (at, accounts)):
        for index, name in repeated(item.name for item in named):
            yield FieldError((*place, index, "name"), name, "it stands here twice", "Keep one of them.")
    for index, account in enumerate(accounts):
        if account.name == ROOT_ACCOUNT:
            yield FieldError((*at, index, "name"), ROOT_ACCOUNT, "slurmdbd makes it by itself", "Choose another name.")
        elif account.parent not in (ROOT_ACCOUNT, *by_name):
            fix = nearest(account.parent, [ROOT_ACCOUNT, *by_name])
            yield FieldError(
                (*at, index, "parent"), account.parent, "there is no such account", fix, depends_on_fields=(at,)
            )
        elif _with_those_above(account, by_name)[-1].parent == account.name:
            problem = "following the parents leads back to this account"
            yield FieldError(
                (*at, index, "parent"), account.parent, problem, f'Write "{ROOT_ACCOUNT}".', depends_on_fields=(at,)
            )
        elif not _usual_is_allowed(_with_those_above(account, by_name)):
            field = "default_qos" if account.default_qos else "qos"
            yield FieldError(
                (*at, index, field),
                getattr(account, field),
                "the QoS of jobs that ask for none is not among those that the account, or its parent, may take",
                "Let qos of the account have its defaultQos.",
                depends_on_fields=(at, _QOS),
            )


def _of_partitions(spec: SlurmSpec) -> Iterator[tuple[Path, str]]:
    for at, _, options in all_partitions(spec):
        if options.qos:
            yield (*at, "qos"), options.qos
        for field in ("allow_qos", "deny_qos"):
            yield from (((*at, field, index), name) for index, name in enumerate(getattr(options, field)))


def _of_the_database(accounting: AccountingSpec) -> Iterator[tuple[Path, str]]:
    for index, qos in enumerate(accounting.qos):
        yield from (((*_QOS, index, "preempt", position), name) for position, name in enumerate(qos.preempt))
    for index, account in enumerate(accounting.accounts):
        at: Path = ("accounting", "accounts", index)
        yield from (((*at, "qos", position), name) for position, name in enumerate(account.qos))
        if account.default_qos:
            yield (*at, "default_qos"), account.default_qos


def _with_those_above(account: AccountSpec, by_name: dict[str, AccountSpec]) -> list[AccountSpec]:
    """Return an account, its parent and so on, up to the last before one comes again."""
    line = [account]
    while (above := by_name.get(line[-1].parent)) and above.name not in {item.name for item in line}:
        line.append(above)
    return line


def _usual_is_allowed(line: list[AccountSpec]) -> bool:
    """Return whether an account's default QoS is among its QoS; both come from those above where it has none."""
    usual = next((item.default_qos for item in line if item.default_qos), None)
    allowed = next((item.qos for item in line if item.qos), [BUILT_IN_QOS])
    return usual is None or usual.lower() in map(str.lower, allowed)
