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
from pulumi_slurm_cli.drift.finding import Change, Finding, Kind
from pulumi_slurm_cli.live import LiveNode, Look

DYNAMIC = "DYNAMIC_NORM"


def of_nodes(spec: SlurmSpec, pools: Sequence[NodePoolSpec], look: Look, at: Path) -> Iterator[Finding]:
    """Yield what is not as specified, and what somebody did; ``at`` is the path of the cluster in the file."""
    outside = bool(spec.external_nodes or spec.bridge)
    for node in look.nodes:
        if indexed_set := _set_of(node, spec):
            index, node_set = indexed_set
            yield from _differences(node, node_set, pools, (*at, "nodeSets", index))
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


def _differences(node: LiveNode, node_set: NodeSetSpec, pools: Sequence[NodePoolSpec], path: Path) -> Iterator[Finding]:
    machine = machine_of(node_set, pools)
    options = {key.lower(): str(value) for key, value in node_options(node_set, machine).items()}
    weight = int(options.get("weight", WEIGHT_WITHOUT_GPUS))
    # Without its machine nothing says whether it has GPUs, and so another weight.
    if node.weight != weight and (machine or node_set.weight is not None):
        yield Finding(
            Kind.DANGEROUS,
            f"node {node.name}",
            f"its weight is {node.weight}, and {weight} in the specification; it is lost when the node registers anew",
            f"scontrol update NodeName={node.name} Weight={weight}",
            (Change((*path, "weight"), node.weight),),
        )
    wanted_features = {node_set.slurm_name, *filter(None, options.get("features", "").split(","))}
    if {*node.features} != wanted_features:
        features = ",".join(sorted(wanted_features))
        yield Finding(
            Kind.DANGEROUS,
            f"node {node.name}",
            f"its features are {','.join(sorted(node.features))}, and {features} in the specification; "
            "it is lost when the node registers anew",
            f"scontrol update NodeName={node.name} AvailableFeatures={features} ActiveFeatures={features}",
        )


def _drained(node: LiveNode) -> Finding:
    since = time.strftime(" since %Y-%m-%d %H:%M UTC", time.gmtime(node.reason_at)) if node.reason_at else ""
    by = f" by {node.reason_by}" if node.reason_by else ""
    why = f": {node.reason}" if node.reason else ", without a reason"
    way_back = f"scontrol update NodeName={shlex.quote(node.name)} State=RESUME"
    return Finding(Kind.ON_PURPOSE, f"node {node.name}", f"drained{by}{since}{why}", way_back)
