"""The chart ack-slurm-cluster, whose values don't have all fields of a SlurmCluster."""

from collections.abc import Iterator

from pulumi_slurm.ack.slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.partition import ALL_NODE_SETS

_CHART = (*ACK, "cluster_chart")


def chart_supports_the_cluster(context: RuleContext) -> Iterator[FieldError]:
    """Refuse options that need a start script or a field that the chart's values don't have."""
    if context.ack.cluster_chart is None:
        return
    dynamic_node_sets = {group.name for group in context.groups if not group.elastic}
    problem = (
        "the chart's workers register without the feature of their node set, so this partition would have no nodes"
    )
    fix = "Let partitions contain ALL, let Slurm scale the node set, or leave ack.slurm.clusterChart out."
    for index, partition in enumerate(context.spec.partitions):
        if ALL_NODE_SETS not in partition.node_sets and dynamic_node_sets & set(partition.node_sets):
            at = (*CLUSTER, "partitions", index, "node_sets")
            yield FieldError(at, partition.node_sets, problem, fix, depends_on_fields=(_CHART,))
    for index, node_set in enumerate(context.spec.node_sets):
        if node_set.partition and node_set.name in dynamic_node_sets:
            at = (*CLUSTER, "node_sets", index, "partition")
            yield FieldError(at, node_set.slurm_name, problem, fix, depends_on_fields=(_CHART,))
    if context.ack.overrides:
        fix = "Leave it out; ack.slurm.clusterChart.values is merged into the chart's values."
        yield FieldError(
            (*ACK, "overrides"), context.ack.overrides, "the chart creates the object", fix, depends_on_fields=(_CHART,)
        )
    if len(context.ack.controller_hosts) > 1:
        at = (*ACK, "controller_hosts")
        problem = "the chart's values have no number of controllers"
        fix = "Leave ack.slurm.clusterChart out."
        yield FieldError(at, context.ack.controller_hosts, problem, fix, depends_on_fields=(_CHART,))
