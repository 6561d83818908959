"""Commands that undo the scripts of QoS and accounts, line by line.

The lines of a specification are kept once its scripts have succeeded. The next run executes those that it doesn't have
any more. QoS, accounts and users are removed only if they carry the mark with which the scripts add them, so those that
were there before stay. What they were like before is not kept: limits, coordinators and administrators that were in the
specification are reset on any of them. The functions that the lines call are in `FUNCTIONS`.
"""

import shlex
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.configuration.accounts_options import account_options, parents_first, qos_options
from pulumi_slurm.model import AccountingSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS

MARK = "pulumi-slurm"
"""The description of QoS, and the comment of associations, that the scripts have added."""

FUNCTIONS = f"""
another() {{ [ "$1" != "$cluster" ]; }}  # CLUSTER. What slurmdbd has of the name that the cluster had before stays.
reset_account() {{  # ACCOUNT CLUSTER OPTION=VALUE
  if another "$2" || missing association where "account=$1" "cluster=$2"; then return; fi
  change modify account where "name=$1" "cluster=$2" set "$3"
}}
reset_qos() {{  # QOS OPTION=VALUE
  if ! missing qos where "name=$1"; then change modify qos where "name=$1" set "$2"; fi
}}
only_added_here() {{  # CLUSTER ACCOUNT [USER]. Several rows are associations with partitions, which are not added here.
  query association where "cluster=$1" "account=$2" "user=${{3:-}}" "format=cluster,partition${{mark:+,comment}}"
  [ "$rows" = "$1|${{mark:+|{MARK}}}" ]
}}
remove_user() {{  # USER ACCOUNT CLUSTER. Slurm keeps users in their default account, so another one becomes it.
  of_user="association where user=$1 cluster=$3"
  # shellcheck disable=SC2086 # of_user is four words
  if another "$3" || missing $of_user "account=$2"; then return; fi
  if ! only_added_here "$3" "$2" "$1"; then
    echo "The user $1 stays in the account $2: that, or a partition there, was not added here."
    return
  fi
  # shellcheck disable=SC2086
  query $of_user format=account
  other=$(echo "$rows" | grep -vxF "$2" | head -n 1)
  if [ -n "$other" ]; then change modify user where "name=$1" "cluster=$3" set "DefaultAccount=$other"; fi
  change delete user where "name=$1" "account=$2" "cluster=$3"
}}
remove_account() {{  # ACCOUNT CLUSTER. One of others, or with users or accounts of others, stays.
  if another "$2" || missing association where "account=$1" "cluster=$2"; then return; fi
  if ! only_added_here "$2" "$1"; then
    echo "The account $1 stays: it was not added here."
    return
  fi
  query association where "account=$1" "cluster=$2" format=user
  users=$(echo "$rows" | grep . || true)
  if [ -n "$users" ] || ! missing association where "parent=$1" "cluster=$2"; then
    echo "The account $1 stays: it has users or accounts that were not added here."
  else
    change delete account where "name=$1" "cluster=$2"
    # Of an account that is in no cluster any more its description is left.
    if missing association where "account=$1" && ! missing account where "name=$1"; then
      change delete account where "name=$1"
    fi
  fi
}}
remove_unlisted() {{  # FILE. What carries the mark and no line of the file has: a run that failed has added it.
  if [ -z "$mark" ]; then return; fi
  file=$1
  query association where "cluster=$cluster" format=account,user,partition,comment
  # Accounts are shown before what is in them, and go after it.
  echo "$rows" | sed -n '1!G;h;$p' | while IFS='|' read -r account user partition comment; do
    if [ "$comment" != {MARK} ] || [ -n "$partition" ]; then continue; fi
    # Whoever may add users chooses their names and the mark. No specification has such names.
    case $account$user in *[!A-Za-z0-9_.@-]*) continue ;; esac
    set -- remove_account "$account" "$cluster"
    if [ -n "$user" ]; then set -- remove_user "$user" "$account" "$cluster"; fi
    if grep -qixF -- "$*" "$file"; then continue; fi
    echo "added before, and not in the specification: $*"
    "$@"
  done
}}
remove_coordinator() {{  # USER ACCOUNT
  query account where "name=$2" withcoord format=coord
  if echo "$rows" | grep -qwF -- "$1"; then change delete coordinator where "name=$1" "account=$2"; fi
}}
remove_admin() {{  # USER
  if ! missing user where "name=$1"; then change modify user where "name=$1" set AdminLevel=None; fi
}}
remove_qos() {{  # QOS. Slurm takes it from the associations of all clusters.
  if missing qos where "name=$1"; then return; fi
  if missing qos where "name=$1" description={MARK}; then
    echo "The QoS $1 stays: it was not added here."
    return
  fi
  # Asked for those that have a QoS, slurmdbd also names accounts that had it until now.
  query association format=qos
  if echo "$rows" | tr , '\\n' | grep -qxF -- "$1"; then
    echo "The QoS $1 stays: accounts or users that are not in the specification have it."
  else
    change delete qos where "name=$1"
  fi
}}
"""

_RESETS = MappingProxyType(
    {
        "priority": "0",
        "fairshare": "1",
        "preempt": "",
        "qoslevel": "",
        "comment": "",
        "preemptmode": "cluster",
        "usagefactor": "1",
    }
)
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
