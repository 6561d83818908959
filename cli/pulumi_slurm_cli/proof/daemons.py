"""Steps that ask daemons, without a job: who answers, and what slurmctld knows of nodes."""

import re
from collections.abc import Iterator

from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import SeenNode, Trial

_SINFO = "sinfo --noheader --Node --all --format='%N|%T|%c|%m|%G|%f|%R|%E'"
_PING = re.compile(r"^Slurmctld\((?P<role>[^)]*)\) at (?P<host>\S+) is (?P<state>\w+)", re.M | re.I)
_SOCKETS = re.compile(r"\([^)]*\)")


def daemons_answer(trial: Trial) -> Iterator[Result]:
    """Ask slurmctld and slurmdbd, as a job's user would."""
    namespace = trial.spec.namespace
    pinged = trial.place.run("timeout 20 scontrol ping")
    hosts = [(match["host"], match["state"].upper()) for match in _PING.finditer(pinged.output)]
    away = [host for host, state in hosts if state != "UP"]
    if not hosts or len(away) == len(hosts):
        yield Result(
            step="daemons",
            subject="slurmctld",
            verdict=Verdict.FAIL,
            observed=pinged.output.strip() or "no answer",
            expected="it answers `scontrol ping`",
            fix=f"See kubectl -n {namespace} logs {trial.spec.name}-controller-0 -c slurmctld",
        )
    else:
        verdict = Verdict.SLOW if away else Verdict.PASS
        observed = f"{', '.join(host for host, state in hosts if state == 'UP')} answers"
        lost = f", {', '.join(away)} doesn't" if away else ""
        yield Result(step="daemons", subject="slurmctld", verdict=verdict, observed=observed + lost)
    if trial.spec.accounting:
        asked = trial.place.run("timeout 20 sacctmgr --noheader --parsable2 show cluster format=cluster")
        is_there = trial.has_database = asked.code == 0 and bool(asked.lines)
        yield Result(
            step="daemons",
            subject="slurmdbd",
            verdict=Verdict.PASS if is_there else Verdict.FAIL,
            observed=f"it has the cluster {', '.join(asked.lines)}"
            if is_there
            else asked.output.strip() or "no answer",
            expected="" if is_there else "it answers sacctmgr, since the specification has accounting",
            fix="" if is_there else f"See kubectl -n {namespace} logs {trial.spec.name}-accounting-0",
        )


def nodes_are_as_specified(trial: Trial) -> Iterator[Result]:
    """Compare slurmctld's nodes with the node sets."""
    asked = trial.place.run(f"timeout 20 {_SINFO}")
    trial.nodes = [] if asked.code else _nodes(asked.lines)
    if asked.code:
        observed = asked.output.strip() or "no answer"
        yield Result(step="nodes", subject="all", verdict=Verdict.FAIL, observed=observed, expected="sinfo lists them")
        return
    for node_set in trial.spec.node_sets:
        yield _of_node_set(trial, node_set)


def _nodes(lines: list[str]) -> list[SeenNode]:
    observed: dict[str, SeenNode] = {}
    for line in lines:
        name, state, cpus, memory, gres, features, partition, reason = line.split("|", 7)
        partitions = (*(observed[name].partitions if name in observed else ()), partition)
        observed[name] = SeenNode(
            name=name,
            state=state.rstrip("$@+"),
            cpus=int(cpus),
            memory=int(memory),
            gres="" if gres == "(null)" else gres,
            features=tuple(features.split(",")),
            partitions=partitions,
            reason="" if reason == "none" else reason,
        )
    return list(observed.values())


def _of_node_set(trial: Trial, node_set: NodeSetSpec) -> Result:
    nodes, subject = trial.of(node_set), f"node set {node_set.name}"
    wanted = node_set.fixed_replicas if node_set.pulumi_sets_replicas else None
    working = [node for node in nodes if node.works]
    if wanted is None and not nodes:
        return Result(step="nodes", subject=subject, verdict=Verdict.SKIP, observed="it has none now: it is scaled")
    broken = [node for node in nodes if not node.works]
    if broken or (wanted is not None and len(working) < wanted):
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
    other = [node for node in nodes if _amounts(node.gres) != _amounts(gres)]
    if other:
        return Result(
            step="nodes",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"{other[0].name} has the generic resources {other[0].gres or 'none'}",
            expected=f"{gres or 'none'}, by its machine and extraGres",
            fix="See slurmd's log, and gres.conf, for the devices that it found.",
        )
    some = nodes[0]
    has = f"{some.cpus} CPUs, {some.memory} MiB{f', {some.gres}' if some.gres else ''}"
    return Result(step="nodes", subject=subject, verdict=Verdict.PASS, observed=f"{len(nodes)} nodes with {has}")


def _amounts(gres: str) -> dict[str, int]:
    """Return how many there are of each kind: "gpu:h100:2(S:0-1)" has two gpu:h100; a number may be left out for 1."""
    amounts: dict[str, int] = {}
    for item in filter(None, _SOCKETS.sub("", gres).split(",")):
        *kind, count = item.split(":")
        name, number = (":".join(kind), int(count)) if count.isdecimal() else (item, 1)
        amounts[name] = amounts.get(name, 0) + number
    return amounts


def _way_back(trial: Trial, broken: list[SeenNode]) -> str:
    if drained := [node.name for node in broken if "drain" in node.state]:
        return f"When its reason is mended: scontrol update NodeName={','.join(drained)} State=RESUME"
    return f"See kubectl -n {trial.spec.namespace} get pods, and the events of those that aren't ready."
