"""Steps that ask daemons, without a job: who answers, and what slurmctld knows of nodes."""

import re
from collections.abc import Iterator

from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm_cli.live.nodes import OPERATORS_REASON
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial

_PING = re.compile(r"^Slurmctld\((?P<role>[^)]*)\) at (?P<host>\S+) is (?P<state>\w+)", re.M | re.I)
_CLUSTER = "scontrol show config | sed -n 's/^ClusterName *= *//p'"
_ROWS = "sacctmgr --noheader --parsable2 show cluster format=cluster"
_SOCKETS = re.compile(r"\([^)]*\)")
_SUFFIXES = "KMGTP"


def daemons_answer(trial: Trial) -> Iterator[Result]:
    """Ask slurmctld and slurmdbd."""
    namespace = trial.spec.namespace
    pinged = trial.place.query("scontrol ping")
    hosts = [(match["host"], match["state"].upper()) for match in _PING.finditer(pinged.output)]
    away = [host for host, state in hosts if state != "UP"]
    if not hosts or len(away) == len(hosts):
        yield Result(
            step="daemons",
            subject="slurmctld",
            verdict=Verdict.FAIL,
            observed=f"{', '.join(away)} doesn't answer" if away else pinged.complaint,
            expected="it answers `scontrol ping`",
            fix=f"See kubectl -n {namespace} logs {trial.spec.name}-controller-0 -c slurmctld",
        )
    else:
        verdict = Verdict.SLOW if away else Verdict.PASS
        answer = f"{', '.join(host for host, state in hosts if state == 'UP')} answers"
        lost = f", {', '.join(away)} doesn't" if away else ""
        yield Result(step="daemons", subject="slurmctld", verdict=verdict, observed=answer + lost)
    if trial.spec.accounting:
        asked = trial.place.query(f"{_CLUSTER} && {_ROWS}")
        cluster, *rows = asked.lines or [""]
        is_there = trial.has_database = asked.code == 0 and cluster in rows
        yield Result(
            step="daemons",
            subject="slurmdbd",
            verdict=Verdict.PASS if is_there else Verdict.FAIL,
            observed=f"it has the cluster {cluster}"
            if is_there
            else asked.complaint
            if asked.code
            else f"it doesn't have the cluster {cluster}",
            expected="" if is_there else "it answers sacctmgr, since the specification has accounting",
            fix="" if is_there else f"See kubectl -n {namespace} logs {trial.spec.name}-accounting-0",
        )


def nodes_are_as_specified(trial: Trial) -> Iterator[Result]:
    """Compare slurmctld's nodes with the node sets."""
    asked = trial.look()
    if asked.code:
        yield Result(
            step="nodes", subject="all", verdict=Verdict.FAIL, observed=asked.complaint, expected="sinfo lists them"
        )
        return
    for node_set in trial.spec.node_sets:
        yield _of_node_set(trial, node_set)


def _of_node_set(trial: Trial, node_set: NodeSetSpec) -> Result:
    nodes, subject = trial.of(node_set), f"node set {node_set.name}"
    wanted = node_set.fixed_replicas if node_set.pulumi_sets_replicas else None
    working = [node for node in nodes if node.works and not node.is_away]
    is_complete = wanted is None or len(working) >= wanted
    records = [node for node in nodes if is_complete and _is_record(trial, node)]
    broken = [node for node in nodes if not node.works and not node.is_away and node not in records]
    if not working and not broken and not wanted:
        return Result(step="nodes", subject=subject, verdict=Verdict.SKIP, observed="it has none now")
    if broken and all(node.reason.startswith(OPERATORS_REASON) for node in broken):
        names = ", ".join(node.name for node in broken)
        observed = f"{len(working)} nodes work, and the operator has drained {names}"
        fix = "Wait until it has replaced them, or uncordon their Kubernetes nodes."
        return Result(step="nodes", subject=subject, verdict=Verdict.SLOW, observed=observed, fix=fix)
    if broken or not is_complete:
        states = [f"{node.name} is {node.state}{f' ({node.reason})' if node.reason else ''}" for node in broken]
        return Result(
            step="nodes",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"{len(working)} of {len(nodes)} can run jobs{': ' if states else ''}{', '.join(states)}",
            expected=f"{wanted} nodes, by replicas" if wanted is not None else "all of its nodes work",
            fix=_way_back(trial, broken),
        )
    options = {key.lower(): str(value) for key, value in node_options(node_set, trial.machine(node_set)).items()}
    gres = options.get("gres", "")
    other = [node for node in working if _amounts(node.gres) != _amounts(gres)]
    if other:
        return Result(
            step="nodes",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"{other[0].name} has the generic resources {other[0].gres or 'none'}",
            expected=f"{gres or 'none'}, by its machine and extraGres",
            fix="See slurmd's log, and gres.conf, for the devices that it found.",
        )
    some = working[0]
    has = f"{some.cpus} CPUs, {some.memory} MiB{f', {some.gres}' if some.gres else ''}"
    alike = "" if len(working) == 1 else ", the first"
    count = f"{len(working)} node{'s' if len(working) > 1 else ''}"
    return Result(step="nodes", subject=subject, verdict=Verdict.PASS, observed=f"{count}{alike} with {has}")


def _is_record(trial: Trial, node: SeenNode) -> bool:
    """Return whether a node is what Slurm keeps of a worker that has ended, as with slurm-operator 1.2 and later."""
    return trial.spec.operator.keeps_node_records and node.state.startswith("down")


def _amounts(gres: str) -> dict[str, int]:
    """Return how many there are of each kind: "gpu:h100:2(S:0-1)" has two gpu:h100; a number may be left out for 1."""
    amounts: dict[str, int] = {}
    for item in filter(None, _SOCKETS.sub("", gres).replace(":no_consume", "").split(",")):
        *kind, count = item.split(":")
        digits, suffix = (count[:-1], count[-1]) if count[-1:].upper() in (*_SUFFIXES,) else (count, "")
        name, number = (":".join(kind), int(digits)) if digits.isdecimal() and kind else (item, 1)
        amounts[name] = amounts.get(name, 0) + number * 1024 ** (_SUFFIXES.find(suffix.upper()) + 1 if suffix else 0)
    return amounts


def _way_back(trial: Trial, broken: list[SeenNode]) -> str:
    if drained := [node.name for node in broken if "drain" in node.state]:
        return f"When its reason is mended: scontrol update NodeName={','.join(drained)} State=RESUME"
    return f"See kubectl -n {trial.spec.namespace} get pods, and the events of those that aren't ready."
