"""Accounting: the slurmdbd that the cluster has, or a new one."""

import contextlib
from enum import StrEnum
from typing import Any

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load_model
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.model.references import EndpointSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.version import SERIES
from pulumi_slurm_cli.importing.conf_file import ConfFile, read_conf_file
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.source import Source


class Accounting(StrEnum):
    """Which slurmdbd the imported cluster uses."""

    EXTERNAL = "external"
    """The one that slurm.conf names."""
    NEW = "new"
    """One of its own, with a new database."""


HANDLED = frozenset({"AccountingStorageType", "AccountingStorageHost", "AccountingStoragePort"})

KEYS_SECRET = "slurm-keys"

_UNKNOWN_HOST = "slurmdbd.example.org"
"""Stands for the host of slurmdbd until the user writes it."""


def add_accounting(draft: Draft, conf_file: ConfFile, source: Source, choice: Accounting) -> None:
    """Put slurmdbd into the draft, when the cluster has one."""
    options = conf_file.conf.options
    storage_type = str(options.get("AccountingStorageType", "")).removeprefix("accounting_storage/")
    has_slurmdbd = storage_type == "slurmdbd"
    if not has_slurmdbd or choice is Accounting.NEW:
        reason = "The cluster gets a slurmdbd of its own." if has_slurmdbd else "There is no slurmdbd."
        for key in sorted(HANDLED & options.keys() - {"AccountingStorageType"}):
            draft.leave_out(conf_file.location(key), f"{key}={options[key]}", reason)
    if storage_type not in {"", "none", "slurmdbd"}:
        draft.leave_out(
            conf_file.location("AccountingStorageType"),
            f"AccountingStorageType={options['AccountingStorageType']}",
            "Slurm keeps accounts by slurmdbd alone. Set accounting, or import with --accounting new.",
        )
    if choice is Accounting.NEW and storage_type not in {"", "none"}:
        _add_new(draft, conf_file)
    elif has_slurmdbd:
        _add_external(draft, conf_file, source)


def _add_new(draft: Draft, conf_file: ConfFile) -> None:
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


def _add_external(draft: Draft, conf_file: ConfFile, source: Source) -> None:
    options = conf_file.conf.options
    host = str(options.get("AccountingStorageHost", "localhost"))
    endpoint: dict[str, Any] = {"host": host, "port": options.get("AccountingStoragePort", SLURMDBD_PORT)}
    if not _is_reachable(host):
        endpoint["host"] = _guessed_host(conf_file, source)
        draft.to_do.append(
            f'slurmdbd is at "{host}" in slurm.conf, where no pod can reach it; "{endpoint["host"]}" is a guess. Write '
            "a name or address that pods can reach."
        )
    host = endpoint["host"]
    draft.cluster["accounting"] = {"external": endpoint}
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


def _guessed_host(conf_file: ConfFile, source: Source) -> str:
    """Return where slurmdbd probably is: what slurmdbd.conf says, or the machine of slurmctld."""
    candidates: list[str] = []
    text = source.beside(File.SLURMDBD)
    if text is not None:
        with contextlib.suppress(ConfError):
            dbd = read_conf_file(text, File.SLURMDBD, SERIES[-1], File.SLURMDBD, source.included).conf.options
            candidates += [str(dbd[key]) for key in ("DbdAddr", "DbdHost") if key in dbd]
    slurmctld = conf_file.conf.options.get("SlurmctldHost", ())
    candidates += slurmctld if isinstance(slurmctld, tuple) else ()
    candidates += [str(conf_file.conf.options.get("ControlMachine", ""))]
    # A name of slurmctld may have its address behind it, as in ctl(10.0.0.1).
    names = [candidate.partition("(")[0] for candidate in candidates]
    return next(filter(_is_reachable, names), _UNKNOWN_HOST)


def _is_reachable(host: str) -> bool:
    """Return whether pods may reach a host of this name, as far as the name tells."""
    try:
        load_model(EndpointSpec, {"host": host, "port": SLURMDBD_PORT}, "")
    except SpecError:
        return False
    return True


def _names_in_partitions(draft: Draft, *fields: str) -> set[str]:
    """Return the names in lower case, as Slurm's database has them."""
    names: set[str] = set()
    for partition in draft.cluster["partitions"]:
        for field in fields:
            value = partition.get(field, [])
            names |= {value} if isinstance(value, str) else set(value)
    return {name.lower() for name in names}
