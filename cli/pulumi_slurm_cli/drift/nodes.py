"""Nodes in slurmctld's memory against the node sets of the stack's file, and what people did to nodes.

Nodes of slurm-operator register themselves with the options of their node set. What scontrol has changed of one is lost
when its slurmd registers anew. Source: https://slurm.schedmd.com/dynamic_nodes.html.
"""

import shlex
import time
from collections.abc import Iterator, Sequence

from pulumi_slurm.configuration.node_sets import WEIGHT_WITHOUT_GPUS, node_options
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.errors import Path
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm_cli.drift.applied import Applied, Options
from pulumi_slurm_cli.drift.finding import APPLY, Adoption, Change, Finding, Kind
from pulumi_slurm_cli.live import LiveNode, Look

DYNAMIC = "DYNAMIC_NORM"


def of_nodes(
    spec: SlurmSpec, pools: Sequence[NodePoolSpec], look: Look, at: Path, applied: Applied | None
) -> Iterator[Finding]:
    """Yield what is not as specified, and what somebody did; ``at`` is the path of the cluster in the file."""
    node_sets = applied.node_sets if applied else {}
    outside = bool(spec.external_nodes or spec.bridge)
    for node in look.nodes:
        if indexed_set := _set_of(node, spec):
            index, node_set = indexed_set
            options = node_sets.get(node_set.slurm_name)
            yield from _differences(node, node_set, pools, (*at, "nodeSets", index), options)
        elif leaving := next((name for name in node_sets if name in node.features), None):
            problem = f"its node set {leaving} isn't in the file any more, which isn't applied"
            yield Finding(Kind.OURS, f"node {node.name}", problem, APPLY)
        elif DYNAMIC in node.states and not outside:
            problem = "it is of no node set; it was made by hand, or is left of a set that is gone"
            yield Finding(Kind.DANGEROUS, f"node {node.name}", problem, f"scontrol delete NodeName={node.name}")
        if node.is_drained_by_hand:
            yield _drained(node)


def _set_of(node: LiveNode, spec: SlurmSpec) -> tuple[int, NodeSetSpec] | None:
    """Return a node's set and its index: by its name, and where that is a Kubernetes node's, by its features.

    The operator adds the name of its set to a node's features.
    """
    sets = [*enumerate(spec.node_sets)]
    for index, node_set in sets:
        number = node.name.removeprefix(node_set.host_name)
        if number != node.name and number.isdecimal():
            return index, node_set
    return next((item for item in sets if item[1].slurm_name in node.features), None)


def _differences(
    node: LiveNode, node_set: NodeSetSpec, pools: Sequence[NodePoolSpec], path: Path, applied: Options | None
) -> Iterator[Finding]:
    machine = machine_of(node_set, pools)
    options = {key.lower(): str(value) for key, value in node_options(node_set, machine).items()}
    weight = _weight(options)
    # Without its machine nothing says whether it has GPUs, and so another weight.
    if str(node.weight) != weight and (machine or node_set.weight is not None):
        problem = f"its weight is {node.weight}, and {weight} in the file"
        if applied is not None and str(node.weight) == _weight(applied):
            yield _not_applied(node, problem)
        else:
            adoption = (Change((*path, "weight"), node.weight),)
            yield _edited(node, problem, f"Weight={weight}", adoption)
    features = _features(node_set, options)
    if {*node.features} != features:
        text = ",".join(sorted(features))
        problem = f"its features are {','.join(sorted(node.features))}, and {text} in the file"
        if applied is not None and {*node.features} == _features(node_set, applied):
            yield _not_applied(node, problem)
        else:
            yield _edited(node, problem, f"AvailableFeatures={text} ActiveFeatures={text}")


def _weight(options: Options) -> str:
    return options.get("weight", str(WEIGHT_WITHOUT_GPUS))


def _features(node_set: NodeSetSpec, options: Options) -> set[str]:
    """Return a worker's features: those of its options, and its set's name, which the operator adds."""
    return {node_set.slurm_name, *filter(None, options.get("features", "").split(","))}


def _not_applied(node: LiveNode, problem: str) -> Finding:
    return Finding(Kind.OURS, f"node {node.name}", f"{problem}, which isn't applied", APPLY)


def _edited(node: LiveNode, problem: str, options: str, adoption: Adoption = ()) -> Finding:
    lost = f"{problem}; it is lost when the node registers anew"
    way_back = f"scontrol update NodeName={node.name} {options}"
    return Finding(Kind.DANGEROUS, f"node {node.name}", lost, way_back, adoption)


def _drained(node: LiveNode) -> Finding:
    since = time.strftime(" since %Y-%m-%d %H:%M UTC", time.gmtime(node.reason_at)) if node.reason_at else ""
    by = f" by {node.reason_by}" if node.reason_by else ""
    why = f": {node.reason}" if node.reason else ", without a reason"
    way_back = f"scontrol update NodeName={shlex.quote(node.name)} State=RESUME"
    return Finding(Kind.ON_PURPOSE, f"node {node.name}", f"drained{by}{since}{why}", way_back)
