"""The chart ack-slurm-cluster, whose values don't have all fields of a SlurmCluster."""

from collections.abc import Iterator
from typing import Any

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import PodSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.rules.run import Rule

_CHART = (*ACK, "cluster_chart")
_NO_VALUE = "the chart has no value for it, so it would have no effect"


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
    for path, value, problem in _without_effect(context):
        fix = "Leave it out, or leave ack.slurm.clusterChart out."
        yield FieldError(path, value, problem, fix, depends_on_fields=(_CHART,))
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


def _without_effect(context: RuleContext) -> Iterator[tuple[Path, Any, str]]:
    """Yield the fields that the chart's values have no place for: path, value and problem."""
    spec, ack = context.spec, context.ack
    if ack.copilot and ack.copilot.token:
        problem = "the chart lets slurmctld write its token, which would replace this one"
        yield (*ACK, "copilot", "token"), True, problem
    if spec.identity and ack.ldap.start_nslcd:
        problem = "pods of the chart start by the operator's scripts, which start no nslcd"
        yield (*ACK, "ldap", "start_nslcd"), True, problem
    if ack.prometheus:
        yield (*ACK, "prometheus"), True, _NO_VALUE
    if spec.rest_api.replicas != 1:
        yield (*CLUSTER, "rest_api", "replicas"), spec.rest_api.replicas, _NO_VALUE
    if ack.controller.init_bash:
        yield (*ACK, "controller", "init_bash"), "...", _NO_VALUE
    for name, worker in ack.workers.items():
        if worker.init_bash:
            yield (*ACK, "workers", name, "init_bash"), "...", _NO_VALUE
    for index, node_set in enumerate(spec.node_sets):
        at: Path = (*CLUSTER, "node_sets", index)
        if node_set.sidecars:
            yield (*at, "sidecars"), [sidecar.name for sidecar in node_set.sidecars], _NO_VALUE
        if group_options := {**node_set.slurmd_options, **dict.fromkeys(node_set.features, "")}:
            problem = "workers of the chart start by the operator's script, which passes neither features nor options"
            if not context.groups[index].elastic:
                yield (*at, "slurmd_options" if node_set.slurmd_options else "features"), sorted(group_options), problem
        yield from _pod_fields((*at, "pod"), node_set.pod)
    yield from _pod_fields((*CLUSTER, "controller", "pod"), spec.controller.pod)
    yield from _pod_fields((*CLUSTER, "rest_api", "pod"), spec.rest_api.pod)
    if spec.accounting:
        yield from _pod_fields((*CLUSTER, "accounting", "pod"), spec.accounting.pod)


def _pod_fields(at: Path, pod: PodSpec) -> Iterator[tuple[Path, Any, str]]:
    for field in ("labels", "annotations", "runtime_class_name", "env"):
        if value := getattr(pod, field):
            yield (*at, field), value, _NO_VALUE


RULES: tuple[Rule, ...] = (chart_supports_the_cluster,)
