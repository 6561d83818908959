"""Steps that ask daemons, without a job: who answers, and whose tokens are accepted."""

import base64
from collections.abc import Iterator

from pulumi_slurm.manifests.slinky import token_secret
from pulumi_slurm.model.access import TokenSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.proof.http import status_of
from pulumi_slurm_cli.proof.pings import pings_in
from pulumi_slurm_cli.proof.result import Result, Verdict, judged, untried
from pulumi_slurm_cli.proof.trial import CLUSTER_NAME, Trial

_ROWS = "sacctmgr --noheader --parsable2 show cluster format=cluster"
_WITH_TOKEN = "read -r SLURM_JWT; export SLURM_JWT; timeout 20 squeue --noheader >/dev/null"


def daemons_answer(trial: Trial) -> Iterator[Result]:
    """Ask slurmctld, slurmdbd and slurmrestd."""
    namespace = trial.spec.namespace
    pinged = trial.place.query("scontrol ping")
    pings = pings_in(pinged.output, "slurmctld")
    away = [ping.host for ping in pings if not ping.answers]
    if not pings or len(away) == len(pings):
        yield judged(
            "daemons",
            "slurmctld",
            f"{', '.join(away)} doesn't answer" if away else pinged.complaint,
            wrong=True,
            expected="it answers `scontrol ping`",
            fix=f"See kubectl -n {namespace} logs {trial.spec.name}-controller-0 -c slurmctld",
        )
        return
    verdict = Verdict.SLOW if away else Verdict.PASS
    answer = f"{', '.join(ping.host for ping in pings if ping.answers)} answers"
    lost = f", {', '.join(away)} doesn't" if away else ""
    yield Result(step="daemons", subject="slurmctld", verdict=verdict, observed=answer + lost)
    if trial.spec.accounting:
        asked = trial.place.query(f"{CLUSTER_NAME} && {_ROWS}")
        cluster, *rows = asked.lines or [""]
        is_there = trial.has_database = asked.code == 0 and cluster in rows
        without = asked.complaint if asked.code else f"it doesn't have the cluster {cluster}"
        yield judged(
            "daemons",
            "slurmdbd",
            f"it has the cluster {cluster}" if is_there else without,
            wrong=not is_there,
            expected="it answers sacctmgr, since the specification has accounting",
            fix=f"See kubectl -n {namespace} logs {trial.spec.name}-accounting-0",
        )
    yield _slurmrestd(trial)


def _slurmrestd(trial: Trial) -> Result:
    host = f"{trial.spec.name}-restapi.{trial.spec.namespace}"
    status = status_of(trial.place, host, SLURMRESTD_PORT, "/")
    if status is None:
        return untried("daemons", "slurmrestd", f"pod {trial.place.pod} has no bash")
    return judged(
        "daemons",
        "slurmrestd",
        f"{host} {'answers' if status else 'does not answer'}",
        wrong=not status,
        expected="it answers requests, as the operator's to find busy workers",
        fix=f"See kubectl -n {trial.spec.namespace} get pods, and the log of those of slurmrestd.",
    )


def tokens_are_accepted(trial: Trial) -> Iterator[Result]:
    """Ask slurmctld with each token of the specification."""
    for token in trial.spec.tokens:
        yield _of_token(trial, token)


def _of_token(trial: Trial, token: TokenSpec) -> Result:
    subject = f"token {token.name}"
    if not token.refresh:
        return untried("tokens", subject, "it isn't renewed, and may have ended")
    secret = token_secret(ClusterRef.of(trial.spec), token)
    try:
        is_there = trial.place.kubectl.find("secret", secret.name, trial.spec.namespace)
    except KubectlError as error:
        return untried("tokens", subject, str(error))
    text = base64.b64decode(((is_there or {}).get("data") or {}).get(secret.key, ""))
    asked = trial.place.query(_WITH_TOKEN, stdin=text + b"\n") if text else None
    observed = f"slurmctld doesn't take it: {asked.complaint}" if asked else f"Secret {secret.name} has none"
    return judged(
        "tokens",
        subject,
        f"slurmctld takes it as {token.username}'s" if asked and asked.code == 0 else observed,
        wrong=not asked or asked.code != 0,
        expected="it is valid, as the operator renews it",
        fix=f"Delete Secret {secret.name}, which the operator makes again, and see its log.",
    )
