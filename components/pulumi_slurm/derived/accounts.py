"""QoS and accounts of a specification by their names, and the accounts above one."""

from collections.abc import Mapping

from pulumi_slurm.model.accounts import AccountSpec, QosSpec
from pulumi_slurm.model.slurm import SlurmSpec


def qos_of(spec: SlurmSpec) -> dict[str, QosSpec]:
    """Return the QoS of a specification, by name."""
    return {qos.name: qos for qos in spec.accounting.qos} if spec.accounting else {}


def accounts_of(spec: SlurmSpec) -> dict[str, AccountSpec]:
    """Return the accounts of a specification, by name."""
    return {account.name: account for account in spec.accounting.accounts} if spec.accounting else {}


def with_ancestors(account: AccountSpec, accounts: Mapping[str, AccountSpec]) -> list[AccountSpec]:
    """Return an account, its parent and so on; in a cycle, up to the last one before the first repetition."""
    lineage = {account.name: account}
    while (parent := accounts.get(account.parent)) and parent.name not in lineage:
        lineage[parent.name] = account = parent
    return [*lineage.values()]
