"""QoS, accounts and users as scripts of sacctmgr commands.

A script can be run again at any time: it adds what is missing and sets what is in the specification. It also removes
what was in the specification of the last run and no longer is, by the lines of `undo_lines`; of QoS, accounts and
users only those that a script has added, which it marks. Marked accounts and users that no line has are of a run that
failed, which kept no lines: they go too. It changes nothing else.
"""

import shlex
from collections.abc import Iterator, Mapping

from pulumi_slurm.configuration.accounts_options import account_options, parents_first, qos_options
from pulumi_slurm.configuration.accounts_undo import FUNCTIONS, MARK, undo_lines
from pulumi_slurm.model import AccountingSpec, SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS

UNDO_FILE = "/etc/slurm/undo"
"""Where the Job's pod has the lines that undo the scripts which it runs."""
LAST_UNDO_FILE = "/etc/slurm-last/undo"
"""Where the Job's pod has those of the last Job that has succeeded, if there was one."""

_SCRIPT_HEADER = f"""#!/bin/sh
# Adds QoS, accounts and users that are missing, and sets what is stated of them.
set -eu
query() {{  # Ends the script where there is no answer, also within a condition.
  rows=$(sacctmgr --noheader --parsable2 show "$@") || {{ echo "sacctmgr did not answer: show $*" >&2; exit 1; }}
}}
missing() {{ query "$@"; [ -z "$rows" ]; }}
change() {{ sacctmgr --immediate "$@"; }}
# Associations have a comment from Slurm 23.02 on (src/sacctmgr/association_functions.c at slurm-23-02-7-1).
mark=Comment={MARK}
case $(sacctmgr show association format=comment 2>&1) in *"Unknown field"*) mark= ;; esac
"""
_UNDO = f"""
if [ -e {LAST_UNDO_FILE} ]; then
  grep -vxFf {UNDO_FILE} {LAST_UNDO_FILE} | while read -r line; do
    echo "no longer in the specification: $line"
    eval "$line"
  done
fi
remove_unlisted {UNDO_FILE}
"""


def qos_script(spec: SlurmSpec) -> str | None:
    """Return the script that adds all QoS, without their options, or None if there are none.

    It runs before slurmctld, which from 25.11 on does not start if the database lacks the QoS of a partition.
    """
    qos_names = [qos.name for qos in _accounting_of(spec).qos if qos.name != BUILT_IN_QOS]
    if not qos_names:
        return None
    # Until slurmctld has run for the first time, nothing else adds the cluster to the database.
    cluster = spec.slurm_name.lower()
    add_cluster = _add_if_missing("cluster", cluster, f"cluster {cluster}")
    return _script(
        [
            add_cluster,
            *(_add_if_missing("qos", f"{name} description={MARK}", f"qos where name={name}") for name in qos_names),
        ]
    )


def accounts_script(spec: SlurmSpec) -> str | None:
    """Return the script that sets everything else and removes what is no longer there, or None if there is neither.

    It runs after slurmctld, which registers the TRES other than CPUs, memory and nodes that limits can refer to. An
    empty list that is written out counts, because something may have been in it.
    """
    accounting = _accounting_of(spec)
    if not accounting.model_fields_set & {"qos", "accounts", "admins"}:
        return None
    cluster = spec.slurm_name.lower()
    return _script([f"cluster={cluster}", *_commands(cluster, accounting)]) + FUNCTIONS + _UNDO


def undo_file(spec: SlurmSpec) -> str:
    """Return the content of `UNDO_FILE`."""
    return "".join(f"{line}\n" for line in undo_lines(spec.slurm_name.lower(), _accounting_of(spec)))


def _accounting_of(spec: SlurmSpec) -> AccountingSpec:
    return spec.accounting or AccountingSpec()


def _script(commands: list[str]) -> str:
    return _SCRIPT_HEADER + "".join(f"{command}\n" for command in commands)


def _commands(cluster: str, accounting: AccountingSpec) -> Iterator[str]:
    for qos in accounting.qos:
        yield from _modify(f"qos where name={qos.name}", qos_options(qos))
    for account in parents_first(accounting.accounts):
        selector = f"account where name={account.name} cluster={cluster}"
        association = f"association where account={account.name} cluster={cluster} user="
        yield _add_if_missing("account", f"{account.name} cluster={cluster} parent={account.parent} $mark", association)
        # sacctmgr fails if the account already has this parent.
        set_parent = " ".join(_modify(selector, {"Parent": account.parent}))
        yield f"if missing {association} parent={account.parent}; then {set_parent}; fi"
        yield from _modify(selector, account_options(account))
        for user in account.users:
            association = f"association where account={account.name} cluster={cluster} user={user}"
            yield _add_if_missing("user", f"{user} account={account.name} cluster={cluster} $mark", association)
    for account in accounting.accounts:
        for user in account.coordinators:
            yield f"change add coordinator account={account.name} name={user}"
    for user in accounting.admins:
        yield from _modify(f"user where name={user}", {"AdminLevel": "Administrator"})


def _add_if_missing(entity: str, arguments: str, query: str) -> str:
    return f"if missing {query}; then change add {entity} {arguments}; fi"


def _modify(selector: str, options: Mapping[str, str]) -> Iterator[str]:
    assignments = [f"{key}={shlex.quote(value)}" for key, value in options.items()]
    if assignments:
        yield f"change modify {selector} set {' '.join(assignments)}"
