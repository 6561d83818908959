"""Rules on QoS and accounts: whatever is referred to has to exist in the database."""

from collections.abc import Iterator

from pulumi_slurm.derived.accounts import accounts_of, with_ancestors
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT, AccountSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.names import repeated
from pulumi_slurm.rules.run import Rule, warns

_QOS: Path = ("accounting", "qos")


def qos_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse QoS that are not defined: from 25.11 on slurmctld exits at once if a partition names one."""
    # Another rule refuses them without accounting; with an external slurmdbd, its users define their own QoS.
    if not spec.accounting or spec.accounting.external:
        return
    names = [BUILT_IN_QOS, *(qos.name for qos in spec.accounting.qos)]
    for problem, references in (
        ("there is no such QoS, and slurmctld would not start", _qos_of_partitions(spec)),
        ("there is no such QoS", _qos_of_accounting(spec.accounting)),
    ):
        for at, name in references:
            if name.lower() not in names:  # Slurm ignores its case.
                fix = f"{nearest(name, names)} Or add it: accounting.qos: [{{name: {name.lower()}}}]."
                yield FieldError(at, name, problem, fix, depends_on_fields=(_QOS,))


def no_qos_preempts_itself(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse QoS that preempt each other in a cycle, which makes sacctmgr fail."""
    qos_list = spec.accounting.qos if spec.accounting else []
    preempts = {qos.name: [name.lower() for name in qos.preempt] for qos in qos_list}
    for index, qos in enumerate(qos_list):
        preempted, pending = set[str](), list(preempts[qos.name])
        while pending:
            name = pending.pop()
            if name not in preempted:
                preempted.add(name)
                pending += preempts.get(name, [])
        if qos.name in preempted:
            itself = qos.name in preempts[qos.name]
            how = "" if itself else " by way of others"
            problem = f"this QoS would preempt itself{how}, and sacctmgr refuses that"
            fix = "Leave it out of its own preempt." if itself else "Leave one QoS of the cycle out."
            yield FieldError((*_QOS, index, "preempt"), qos.preempt, problem, fix, depends_on_fields=(_QOS,))


def accounts_form_a_tree(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse repeated names, parents that don't exist, and accounts that are their own ancestors."""
    if not spec.accounting:
        return
    at: Path = ("accounting", "accounts")
    accounts = spec.accounting.accounts
    by_name = accounts_of(spec)
    for list_path, items in ((_QOS, spec.accounting.qos), (at, accounts)):
        for index, name in repeated(item.name for item in items):
            yield FieldError((*list_path, index, "name"), name, "this name is in the list twice", "Keep one of them.")
    for index, account in enumerate(accounts):
        if account.name == ROOT_ACCOUNT:
            yield FieldError((*at, index, "name"), ROOT_ACCOUNT, "slurmdbd makes it by itself", "Choose another name.")
        elif account.parent not in (ROOT_ACCOUNT, *by_name):
            fix = nearest(account.parent, [ROOT_ACCOUNT, *by_name])
            yield FieldError(
                (*at, index, "parent"), account.parent, "there is no such account", fix, depends_on_fields=(at,)
            )
        elif with_ancestors(account, by_name)[-1].parent == account.name:
            problem = "this account would be its own ancestor"
            yield FieldError(
                (*at, index, "parent"),
                account.parent,
                problem,
                f'Write "{ROOT_ACCOUNT}", or a parent outside this cycle.',
                depends_on_fields=(at,),
            )
        elif not _default_qos_is_allowed(with_ancestors(account, by_name)):
            field = "default_qos" if account.default_qos else "qos"
            yield FieldError(
                (*at, index, field),
                getattr(account, field),
                "the default QoS, the account's or inherited, is not among the account's qos, its own or inherited",
                "Add it to qos of the account, or set another defaultQos.",
                depends_on_fields=(at, _QOS),
            )


@warns
def accounts_of_partitions_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of accounts of partitions that are not among those of the specification; others may be made by hand.

    slurmctld keeps the accounts that it knows, and a list without any is none: accounts_list_build and
    part_policy_valid_acct in src/slurmctld/partition_mgr.c of SchedMD/slurm, branch slurm-26.05.
    """
    accounting = spec.accounting
    if not accounting or accounting.external or "accounts" not in accounting.model_fields_set:
        return
    names = {ROOT_ACCOUNT, *(account.name for account in accounting.accounts)}
    for at, _, options in all_partitions(spec):
        for field, nobody in (("allow_accounts", "lets every account in"), ("deny_accounts", "denies nobody")):
            listed: list[str] = getattr(options, field)
            missing = [(index, name) for index, name in enumerate(listed) if name.lower() not in names]
            for index, name in missing:
                problem = "accounting.accounts has no such account"
                if len(missing) == len(listed):
                    problem += f", and without one that the database has, this list {nobody}"
                fix = nearest(name, names)
                yield FieldError((*at, field, index), name, problem, fix, (("accounting", "accounts"),))


def privileged_users_have_an_account(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse administrators and coordinators without an account: sacctmgr adds users to accounts alone."""
    if not spec.accounting:
        return
    at: Path = ("accounting", "accounts")
    users = {user for account in spec.accounting.accounts for user in account.users}
    privileged: list[tuple[Path, str]] = [
        (("accounting", "admins", index), user) for index, user in enumerate(spec.accounting.admins)
    ]
    for index, account in enumerate(spec.accounting.accounts):
        privileged += [((*at, index, "coordinators", place), user) for place, user in enumerate(account.coordinators)]
    for path, user in privileged:
        if user not in users:
            fix = "Add the user to the users of one."
            yield FieldError(path, user, "no account has this user", fix, depends_on_fields=(at,))


def _qos_of_partitions(spec: SlurmSpec) -> Iterator[tuple[Path, str]]:
    for at, _, options in all_partitions(spec):
        if options.qos:
            yield (*at, "qos"), options.qos
        for field in ("allow_qos", "deny_qos"):
            yield from (((*at, field, index), name) for index, name in enumerate(getattr(options, field)))


def _qos_of_accounting(accounting: AccountingSpec) -> Iterator[tuple[Path, str]]:
    for index, qos in enumerate(accounting.qos):
        yield from (((*_QOS, index, "preempt", position), name) for position, name in enumerate(qos.preempt))
    for index, account in enumerate(accounting.accounts):
        at: Path = ("accounting", "accounts", index)
        yield from (((*at, "qos", position), name) for position, name in enumerate(account.qos))
        if account.default_qos:
            yield (*at, "default_qos"), account.default_qos


def _default_qos_is_allowed(lineage: list[AccountSpec]) -> bool:
    """Return whether an account's default QoS is among its QoS; it inherits both from its ancestors."""
    default_qos = next((item.default_qos for item in lineage if item.default_qos), None)
    allowed = next((item.qos for item in lineage if item.qos), [BUILT_IN_QOS])
    return default_qos is None or default_qos.lower() in map(str.lower, allowed)


RULES: tuple[Rule, ...] = (
    qos_exist,
    no_qos_preempts_itself,
    accounts_form_a_tree,
    accounts_of_partitions_exist,
    privileged_users_have_an_account,
)
