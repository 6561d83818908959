"""A step for nodes: whether slurmctld has those of each node set, able to run jobs, with what their machines have."""

import re
from collections.abc import Iterator

from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.model import MachineSpec, NodeSetSpec
from pulumi_slurm_cli.live.nodes import OPERATORS_REASON
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, Verdict, judged, untried
from pulumi_slurm_cli.proof.trial import Trial

_SOCKETS = re.compile(r"\([^)]*\)")
_SUFFIXES = "KMGTP"
_OF_SLURMD = frozenset(("cpus", "boards", "sockets", "corespersocket", "threadspercore", "realmemory"))
"""Options of slurmd that say what a node has, in place of what it sees."""


def nodes_are_as_specified(trial: Trial) -> Iterator[Result]:
    """Compare slurmctld's nodes with the node sets."""
    asked = trial.look()
    if asked.code:
        yield judged("nodes", "all", asked.complaint, wrong=True, expected="sinfo lists them", fix="")
        return
    for node_set in trial.spec.node_sets:
        yield _of_node_set(trial, node_set)


def _of_node_set(trial: Trial, node_set: NodeSetSpec) -> Result:
    nodes, subject = trial.of(node_set), f"node set {node_set.name}"
    if not partitions_of(trial.spec, node_set):
        return untried("nodes", subject, "it is in no partition, and sinfo shows none of its nodes")
    wanted = node_set.fixed_replicas if node_set.pulumi_sets_replicas else None
    working = [node for node in nodes if node.works and not node.is_away]
    is_complete = wanted is None or sum(node.works or node.is_away for node in nodes) >= wanted
    records = [node for node in nodes if is_complete and _is_record(trial, node)]
    broken = [node for node in nodes if not node.works and not node.is_away and node not in records]
    if not working and not broken and not wanted:
        return untried("nodes", subject, "it has none now")
    if broken and all(node.reason.startswith(OPERATORS_REASON) for node in broken):
        names = ", ".join(node.name for node in broken)
        observed = f"{len(working)} nodes work, and the operator has drained {names}"
        fix = "Wait until it has replaced them, or uncordon their Kubernetes nodes."
        return Result(step="nodes", subject=subject, verdict=Verdict.SLOW, observed=observed, fix=fix)
    if broken or not is_complete:
        states = [f"{node.name} is {node.state}{f' ({node.reason})' if node.reason else ''}" for node in broken]
        return judged(
            "nodes",
            subject,
            f"{len(working)} of {len(nodes)} can run jobs{': ' if states else ''}{', '.join(states)}",
            wrong=True,
            expected=f"{wanted} nodes, by replicas" if wanted is not None else "all of its nodes work",
            fix=_way_back(trial, broken),
        )
    for node in working:
        if difference := _difference(trial, node_set, node):
            observed, expected, fix = difference
            return judged("nodes", subject, f"{node.name} has {observed}", wrong=True, expected=expected, fix=fix)
    some = working[0]
    has = f"{some.cpus} CPUs, {some.memory} MiB{f', {some.gres}' if some.gres else ''}"
    alike = "" if len(working) == 1 else ", the first"
    count = f"{len(working)} node{'s' if len(working) > 1 else ''}"
    return Result(step="nodes", subject=subject, verdict=Verdict.PASS, observed=f"{count}{alike} with {has}")


def _difference(trial: Trial, node_set: NodeSetSpec, node: SeenNode) -> tuple[str, str, str] | None:
    """Return what a node has otherwise than its node set says, what was expected, and what to do."""
    machine = trial.machine(node_set)
    options = {key.lower(): str(value) for key, value in node_options(node_set, machine).items()}
    gres, features = options.get("gres", ""), options.get("features", "")
    if _amounts(node.gres) != _amounts(gres):
        fix = "See slurmd's log, and gres.conf, for the devices that it found."
        return f"the generic resources {node.gres or 'none'}", f"{gres or 'none'}, by its machine and extraGres", fix
    if lacking := [name for name in features.split(",") if name and name not in node.features]:
        fix = "See `scontrol show node`, and whether `pulumi up` has applied the file."
        return f"not the feature {' and '.join(lacking)}", "it has, by features", fix
    # Of more than its pod's share nothing follows: slurmd may see all of the machine.
    if machine and not _OF_SLURMD & {*options} and _is_less(node, machine):
        wanted = f"at least {machine.cpus} CPUs and {memory_for_jobs(machine)} MiB, by its machine"
        return f"{node.cpus} CPUs, {node.memory} MiB", wanted, "See slurmd's log, and what the machine really has."
    return None


def _is_less(node: SeenNode, machine: MachineSpec) -> bool:
    # Slinky's image turns CPUs into whole cores: see `MachineSpec.cpus`.
    return node.cpus < machine.cpus - 1 or node.memory < memory_for_jobs(machine)


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
