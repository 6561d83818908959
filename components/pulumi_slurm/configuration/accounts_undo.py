"""What undoes the scripts of QoS and accounts, line by line.

The lines of a specification are kept once its scripts have succeeded. The next run executes those that it doesn't have
any more, and so removes what was in the specification before, but nothing that others have created. The functions that
the lines call are in `FUNCTIONS`.
"""

import shlex
from collections.abc import Iterator, Mapping

from pulumi_slurm.configuration.accounts_options import account_options, parents_first, qos_options
from pulumi_slurm.model import AccountingSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS

FUNCTIONS = """
reset_account() {  # ACCOUNT CLUSTER OPTION=VALUE
  if missing association where "account=$1" "cluster=$2"; then return; fi
  change modify account where "name=$1" "cluster=$2" set "$3"
}
reset_qos() {  # QOS OPTION=VALUE
  if ! missing qos where "name=$1"; then change modify qos where "name=$1" set "$2"; fi
}
remove_user() {  # USER ACCOUNT CLUSTER. Slurm keeps users in their default account, so another one becomes it.
  of_user="association where user=$1 cluster=$3"
  if missing $of_user "account=$2"; then return; fi
  other=$(sacctmgr --noheader --parsable2 show $of_user format=account | grep -vxF "$2" | head -n 1)
  if [ -n "$other" ]; then change modify user where "name=$1" "cluster=$3" set "DefaultAccount=$other"; fi
  change delete user where "name=$1" "account=$2" "cluster=$3"
}
remove_account() {  # ACCOUNT CLUSTER. One with users or accounts of others stays.
  if missing association where "account=$1" "cluster=$2"; then return; fi
  users=$(sacctmgr --noheader --parsable2 show association where "account=$1" "cluster=$2" format=user | grep . || true)
  if [ -n "$users" ] || ! missing association where "parent=$1" "cluster=$2"; then
    echo "The account $1 stays: it has users or accounts that were not created here."
  else
    change delete account where "name=$1" "cluster=$2"
    # Of an account that is in no cluster any more its description is left.
    if missing association where "account=$1" && ! missing account where "name=$1"; then
      change delete account where "name=$1"
    fi
  fi
}
remove_coordinator() {  # USER ACCOUNT
  if sacctmgr --noheader --parsable2 show account where "name=$2" withcoord format=coord | grep -qwF -- "$1"; then
    change delete coordinator where "name=$1" "account=$2"
  fi
}
remove_admin() {  # USER
  if ! missing user where "name=$1"; then change modify user where "name=$1" set AdminLevel=None; fi
}
remove_qos() {  # QOS
  if ! missing qos where "name=$1"; then change delete qos where "name=$1"; fi
}
"""

_RESETS = {
    "priority": "0",
    "fairshare": "1",
    "preempt": "",
    "qoslevel": "",
    "comment": "",
    "preemptmode": "cluster",
    "usagefactor": "1",
}
"""What resets an option, in lower case, where -1 doesn't; see https://slurm.schedmd.com/sacctmgr.html."""


def undo_lines(cluster: str, accounting: AccountingSpec) -> Iterator[str]:
    """Yield the lines, in the order in which they can be executed."""
    accounts = [*reversed([*parents_first(accounting.accounts)])]
    for user in accounting.admins:
        yield _call("remove_admin", user)
    for account in accounts:
        yield from (_call("remove_coordinator", user, account.name) for user in account.coordinators)
        yield from (_call("remove_user", user, account.name, cluster) for user in account.users)
        for assignment in _resets(account.name, account_options(account)):
            yield _call("reset_account", account.name, cluster, assignment)
    for account in accounts:
        yield _call("remove_account", account.name, cluster)
    for qos in accounting.qos:
        yield from (_call("reset_qos", qos.name, assignment) for assignment in _resets(qos.name, qos_options(qos)))
    for qos in accounting.qos:
        if qos.name != BUILT_IN_QOS:
            yield _call("remove_qos", qos.name)


def _resets(name: str, options: Mapping[str, str]) -> Iterator[str]:
    """Yield what resets each option, and each TRES of one that has several."""
    for key, value in options.items():
        if "=" in value:
            yield from (f"{key}={item.partition('=')[0]}=-1" for item in value.split(","))
        elif key.lower() in ("description", "organization"):
            yield f"{key}={name}"
        else:
            yield f"{key}={_RESETS.get(key.lower(), '-1')}"


def _call(function: str, *arguments: str) -> str:
    return shlex.join((function, *arguments))
