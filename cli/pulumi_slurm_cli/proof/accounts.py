"""An account and a QoS of a proof's own: jobs of a user who has none, and whether Slurm holds jobs to their limits."""

import shlex
from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial

NAME = "pulumi-slurm-prove"
"""The name of both; always the same, since slurmdbd keeps what was removed."""
_MAKE = f"""
sacctmgr --immediate --quiet add qos {NAME} flags=DenyOnLimit >&2
sacctmgr --immediate --quiet add account {NAME} qos+={NAME} >&2
sacctmgr --immediate --quiet add user "$1" account={NAME} >&2
sacctmgr --noheader --parsable2 show assoc where user="$1" account={NAME} format=account
"""
_REMOVE = f"""
scancel --account={NAME} --user="$(id -u -- "$1")" 2>/dev/null
sacctmgr --immediate --quiet delete user where name="$1" account={NAME} >/dev/null
sacctmgr --immediate --quiet delete account {NAME} >/dev/null
sacctmgr --immediate --quiet delete qos {NAME} >/dev/null
"""
_SET = """
sacctmgr --immediate --quiet modify qos {name} set MaxTRESPerJob=mem={of_qos} >/dev/null
sacctmgr --immediate --quiet modify account {name} set MaxTRESPerJob=mem={of_account} >/dev/null
"""
_NONE = -1
"""sacctmgr's word for a limit that is taken away."""
_MIB = 150
_LIMITS = (("qos", "QoS", (_MIB, _NONE)), ("limits", "accounts", (_NONE, _MIB)))
"""The word that enforces a kind of limits, what has them, and what they are then: of the QoS, of the account."""


def enforced(spec: SlurmSpec) -> frozenset[str]:
    """Return the words of AccountingStorageEnforce, with those that they imply.

    Source: https://slurm.schedmd.com/slurm.conf.html#OPT_AccountingStorageEnforce.
    """
    text = str(slurm_conf_lines(spec).get("AccountingStorageEnforce") or "").lower()
    words = {word.strip() for word in text.split(",")} - {"", "none"}
    if "all" in words:
        words |= {"limits", "qos"}
    if "safe" in words:
        words |= {"limits"}
    if words - {"nojobs", "nosteps"}:
        words |= {"associations"}
    return frozenset(words)


def users_have_accounts(trial: Trial) -> Iterator[Result]:
    """Give the user an account for the time of the proof, where jobs need one and there is none."""
    words = enforced(trial.spec)
    if "associations" not in words or not trial.has_database:
        return
    user = trial.place.user
    of_user = f"sacctmgr --noheader --parsable2 show assoc where user={shlex.quote(user)} format=account"
    accounts = trial.place.query(of_user).lines
    if (accounts or trial.account) and not words & {"qos", "limits"}:
        return
    trial.has_own_account = True
    answer = trial.place.query(f"set -- {shlex.quote(user)}\n{_MAKE}")
    if not answer.lines:
        trial.has_own_account = False
        why = f"no account can be made for the time of the proof: {answer.complaint}"
        yield untried("accounts", f"user {user}", why if accounts or trial.account else f"{why}. Name one by --account")
        return
    if not accounts and not trial.account:
        trial.account = NAME
    observed = f"it has the account {NAME} for the time of the proof"
    yield judged("accounts", f"user {user}", observed, wrong=False, expected="", fix="")


def remove_account(trial: Trial) -> None:
    """Take the account away again, where it was made."""
    if trial.has_own_account:
        trial.place.query(f"set -- {shlex.quote(trial.place.user)}\n{_REMOVE}")


def accounts_limit_jobs(trial: Trial) -> Iterator[Result]:
    """Ask whether a job beyond a limit of its QoS, and of its account, would be taken."""
    words, way = enforced(trial.spec), trial.any_way()
    for word, subject, (of_qos, of_account) in _LIMITS:
        if word not in words or way is None or not trial.has_own_account:
            why = "no idle node runs jobs" if way is None else "there is no account to try it with"
            why = why if word in words else f"accountingStorageEnforce has no {word}"
            yield untried("limits", subject, why)
            continue
        partition, node = way
        if trial.partitions()[partition].qos:
            yield untried("limits", subject, f"the QoS of {partition} comes before that of a job")
            continue
        trial.place.query(_SET.format(name=NAME, of_qos=of_qos, of_account=of_account))
        options = [word for word in trial.options(partition, [node]) if not word.startswith(("--account=", "--mem="))]
        job = shlex.join(("sbatch", "--test-only", f"--account={NAME}", f"--qos={NAME}", *options))
        within, beyond = (trial.place.run(f"{job} --mem={mib}M --wrap true") for mib in (_MIB - 50, _MIB + 50))
        if within.code or (beyond.code and "policy" not in beyond.errors):
            refused = within if within.code else beyond
            yield untried("limits", subject, f"a job is refused for something else: {refused.complaint}")
            continue
        yield judged(
            "limits",
            subject,
            f"a job of {_MIB + 50} MiB is {'refused' if beyond.code else 'taken'} where {_MIB} are the limit",
            wrong=not beyond.code,
            expected="it is refused, by accountingStorageEnforce",
            fix="See `scontrol show config` for AccountingStorageEnforce, and whether slurmctld has read the file.",
        )
    if trial.has_own_account and way:
        trial.place.query(_SET.format(name=NAME, of_qos=_NONE, of_account=_NONE))
