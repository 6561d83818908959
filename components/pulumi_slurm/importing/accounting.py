"""Accounting: the slurmdbd that the cluster has, or a new one."""

from enum import StrEnum

from pulumi_slurm.importing.conf_file import ConfFile
from pulumi_slurm.importing.draft import Draft
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT
from pulumi_slurm.model.ports import SLURMDBD_PORT


class Accounting(StrEnum):
    """Which slurmdbd the imported cluster uses."""

    EXTERNAL = "external"
    """The one that slurm.conf names."""
    NEW = "new"
    """One of its own, with a new database."""


HANDLED = {"AccountingStorageType", "AccountingStorageHost", "AccountingStoragePort"}

KEYS_SECRET = "slurm-keys"


def add_accounting(draft: Draft, conf_file: ConfFile, choice: Accounting) -> None:
    """Put slurmdbd into the draft, when the cluster has one."""
    options = conf_file.conf.options
    storage_type = str(options.get("AccountingStorageType", "")).removeprefix("accounting_storage/")
    if storage_type != "slurmdbd" or choice is Accounting.NEW:
        reason = "The cluster gets a slurmdbd of its own." if storage_type == "slurmdbd" else "There is no slurmdbd."
        for key in sorted(HANDLED & options.keys() - {"AccountingStorageType"}):
            draft.leave_out(conf_file.location(key), f"{key}={options[key]}", reason)
    if storage_type != "slurmdbd":
        return
    if choice is Accounting.NEW:
        draft.set_origin(("accounting",), conf_file.location("AccountingStorageType"), "The new database")
        # slurmctld does not start when a partition names a QoS that is not in the database.
        qos = _names_in_partitions(draft, "qos", "allowQos", "denyQos") - {BUILT_IN_QOS}
        accounts = _names_in_partitions(draft, "allowAccounts", "denyAccounts")
        draft.cluster["accounting"] = {
            "qos": [{"name": name} for name in sorted(qos)],
            "accounts": [{"name": name} for name in sorted(accounts - {ROOT_ACCOUNT})],
        }
        draft.to_do.append(
            "The new database has the accounts and QoS that partitions name, without users and limits. Compare "
            "`sacctmgr show associations` and `sacctmgr show qos` on the old cluster, and complete accounting."
        )
        return
    host = str(options.get("AccountingStorageHost", "localhost"))
    port = options.get("AccountingStoragePort", SLURMDBD_PORT)
    draft.cluster["accounting"] = {"external": {"host": host, "port": port}}
    draft.set_origin(("accounting",), conf_file.location("AccountingStorageHost"), f"AccountingStorageHost={host}")
    draft.cluster["keys"] = {
        "slurm": {"existing": {"name": KEYS_SECRET, "key": "slurm.key"}},
        "jwt": {"existing": {"name": KEYS_SECRET, "key": "jwt_hs256.key"}},
    }
    draft.to_do.append(
        f'Make the Secret "{KEYS_SECRET}" in the namespace, with slurm.key and jwt_hs256.key of the slurmdbd at {host}.'
    )
    if str(options.get("AuthType", "auth/munge")) != "auth/slurm":
        draft.to_do.append(f"Set up auth/slurm at the slurmdbd on {host}: workers in pods have no munge.")


def _names_in_partitions(draft: Draft, *fields: str) -> set[str]:
    """Return the names in lower case, as Slurm's database has them."""
    names: set[str] = set()
    for partition in draft.cluster["partitions"]:
        for field in fields:
            value = partition.get(field, [])
            names |= {value} if isinstance(value, str) else set(value)
    return {name.lower() for name in names}
