"""An account and a QoS of a proof's own: jobs of a user who has none, and whether Slurm holds jobs to their limits."""

import shlex
from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import CLUSTER_NAME, NO_WAY, Trial

NAME = "pulumi-slurm-prove"
"""The name of both; always the same, since slurmdbd keeps what was removed."""
_STATE = f"""
cluster=$({CLUSTER_NAME})
echo "cluster $cluster"
sacctmgr --noheader --parsable2 show user where name="$1" format=user | sed 's/^/user /'
sacctmgr --noheader --parsable2 show assoc where user="$1" format=cluster | sed 's/^/associated /'
sacctmgr --noheader --parsable2 show assoc where account={NAME} format=account | sed 's/^/taken /'
"""
_MAKE = f"""
sacctmgr --immediate --quiet add qos {NAME} flags=DenyOnLimit >&2
sacctmgr --immediate --quiet add account {NAME} cluster="$2" qos+={NAME} >&2
sacctmgr --immediate --quiet add user "$1" account={NAME} cluster="$2" >&2
sacctmgr --noheader --parsable2 show assoc where user="$1" account={NAME} cluster="$2" format=account
"""
_REMOVE = f"""
for try in 1 2 3 4 5; do
    sacctmgr --immediate --quiet delete user where name="$1" account={NAME} cluster="$2"
    sacctmgr --immediate --quiet delete account where name={NAME} cluster="$2"
    if [ -z "$(sacctmgr --noheader --parsable2 show assoc where account={NAME} format=account)" ]; then
        sacctmgr --immediate --quiet delete account where name={NAME}
        sacctmgr --immediate --quiet delete qos {NAME}
        exit 0
    fi
    sleep 2
done >/dev/null 2>&1
exit 1
"""
"""Slurm keeps an association while slurmdbd has a job of it that still runs, and an account without any."""
_SET = """
exec >/dev/null
sacctmgr --immediate --quiet modify qos {name} set MaxTRESPerJob=mem={of_qos}
sacctmgr --immediate --quiet modify account where name={name} cluster={cluster} set MaxTRESPerJob=mem={of_account}
"""
_NONE = -1
"""sacctmgr's word for a limit that is taken away."""
_MIB = 150
_LIMITS = (("QoS", (_MIB, _NONE)), ("accounts", (_NONE, _MIB)))
"""What has limits, and what they are then: of the QoS, of the account."""


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
    """Give the user an account for the time of the proof, where jobs need one, or are held to its limits."""
    words = enforced(trial.spec)
    if "associations" not in words or not trial.has_database:
        return
    user, subject = trial.place.user, f"user {trial.place.user}"
    state = trial.place.query(f"set -- {shlex.quote(user)}\n{_STATE}")
    values = [line.partition(" ")[::2] for line in state.lines]
    cluster = dict(values).get("cluster", "")
    has_account = bool(trial.account) or ("associated", cluster) in values
    if has_account and "limits" not in words:
        return
    instead = "" if has_account else " Name an account with --account."
    kinds = {kind for kind, _ in values}
    if state.code or not cluster or "taken" in kinds or ("user" in kinds and "associated" not in kinds):
        why = state.complaint
        if "taken" in kinds:
            why = "another proof has it now, or one that was killed has left it"
        elif "user" in kinds and "associated" not in kinds:
            why = f"slurmdbd has {user} without any account, and would forget it"
        yield untried("accounts", subject, f"the account {NAME} isn't made: {why}.{instead}")
        return
    trial.own_account = cluster
    answer = trial.place.query(f"set -- {shlex.join((user, cluster))}\n{_MAKE}")
    if not answer.lines:
        remove_account(trial)
        yield untried("accounts", subject, f"the account {NAME} can't be made: {answer.complaint}.{instead}")
        return
    if not has_account:
        trial.account = NAME
    observed = f"it has the account {NAME} for the time of the proof"
    yield judged("accounts", subject, observed, wrong=False, expected="", fix="")


def account_is_gone(trial: Trial) -> Iterator[Result]:
    """Take the account away again, and tell where it stays."""
    trial.cancel()
    if trial.own_account and not remove_account(trial):
        yield judged(
            "accounts",
            f"user {trial.place.user}",
            f"the account {NAME} couldn't be taken away",
            wrong=True,
            expected="nothing is left of a proof",
            fix=f"sacctmgr delete account {NAME}; sacctmgr delete qos {NAME}",
        )


def remove_account(trial: Trial) -> bool:
    """Take the account away, where it was made; return whether it is gone."""
    if not trial.own_account:
        return True
    words = shlex.join((trial.place.user, trial.own_account))
    is_gone = trial.place.query(f"set -- {words}\n{_REMOVE}").code == 0
    if is_gone:
        trial.own_account = ""
    return is_gone


def accounts_limit_jobs(trial: Trial) -> Iterator[Result]:
    """Ask whether a job beyond a limit of its QoS, and of its account, would be taken."""
    way = trial.any_way()
    for subject, (of_qos, of_account) in _LIMITS:
        if "limits" not in enforced(trial.spec):
            yield untried("limits", subject, "accountingStorageEnforce has no limits")
        elif way is None or not trial.own_account:
            why = NO_WAY if way is None else "there is no account to try it with"
            yield untried("limits", subject, why)
        elif trial.partitions()[way[0]].qos:
            yield untried("limits", subject, f"the QoS of {way[0]} comes before that of a job")
        else:
            yield _limited(trial, subject, way, of_qos, of_account)
    if trial.own_account and way:
        trial.place.query(_SET.format(name=NAME, cluster=trial.own_account, of_qos=_NONE, of_account=_NONE))


def _limited(trial: Trial, subject: str, way: tuple[str, SeenNode], of_qos: int, of_account: int) -> Result:
    partition, node = way
    trial.place.query(_SET.format(name=NAME, cluster=trial.own_account, of_qos=of_qos, of_account=of_account))
    # Of an option that is there twice, Slurm takes the last.
    options = (*trial.options(partition, [node]), f"--account={NAME}", f"--qos={NAME}")
    job = shlex.join(("sbatch", "--test-only", *options))
    within, beyond = (trial.place.run(f"{job} --mem={mib}M --wrap true") for mib in (_MIB - 50, _MIB + 50))
    if within.code or (beyond.code and "policy" not in beyond.errors):
        refused = within if within.code else beyond
        return untried("limits", subject, f"a job is refused for something else: {refused.complaint}")
    return judged(
        "limits",
        subject,
        f"a job of {_MIB + 50} MiB is {'refused' if beyond.code else 'taken'} where {_MIB} are the limit",
        wrong=not beyond.code,
        expected="it is refused, by accountingStorageEnforce",
        fix="See `scontrol show config` for AccountingStorageEnforce, and whether slurmctld has read the file.",
    )
