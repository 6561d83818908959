"""Needs of autoscalers: metrics of slurmctld, a Prometheus that has them, and a partition whose jobs they count."""

from collections.abc import Iterator

from pulumi_slurm.derived.metrics_access import auth_users, private_data
from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.autoscaling import Autoscaler, AutoscalingSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.replicas import scalable_sets
from pulumi_slurm.rules.run import Rule, warns


def _scaled_by_jobs(spec: SlurmSpec) -> Iterator[tuple[int, NodeSetSpec, AutoscalingSpec]]:
    """Yield the node sets that KEDA scales by the query for the jobs of a partition, each with its index."""
    for index, node_set in enumerate(spec.node_sets):
        scaling = node_set.autoscaling
        if scaling and scaling.kind is Autoscaler.KEDA and not scaling.query:
            yield index, node_set, scaling


def autoscalers_find_prometheus(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse autoscalers with KEDA that have no Prometheus to ask."""
    if spec.monitoring.prometheus:
        return
    for at, scalable_set in scalable_sets(spec):
        scaling = scalable_set.autoscaling
        if scaling and scaling.kind is Autoscaler.KEDA and not scaling.prometheus_address:
            yield FieldError(
                (*at, "autoscaling", "prometheus_address"),
                FieldError.ABSENT,
                "KEDA counts jobs and nodes in Prometheus and needs its address",
                "Write monitoring: {prometheus: {}} to make one, or add prometheusAddress, for example "
                '"http://prometheus.monitoring:9090", or use kind "hpa".',
                depends_on_fields=((*at, "autoscaling", "kind"), ("monitoring",)),
            )


def autoscalers_can_read_metrics(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse settings with which slurmctld answers Prometheus with an error, in a cluster that needs its metrics."""
    reader = _reader_of_metrics(spec)
    if spec.monitoring.prometheus and spec.controller.external:
        yield FieldError(
            ("monitoring", "prometheus"),
            FieldError.ABSENT,
            "slurmctld is outside, and nothing is known here of its metrics",
            "Leave it out, and let a Prometheus of yours scrape that slurmctld.",
        )
    if reader is None or spec.controller.external:
        return
    if not spec.monitoring.metrics:
        yield FieldError(("monitoring", "metrics"), False, f"{reader} reads slurmctld's metrics", "Write true.")
    if key := private_data(spec):
        yield FieldError(
            ("slurm_conf", "extra", key),
            spec.slurm_conf.extra[key],
            f"slurmctld then refuses its metrics to all who don't authenticate, and {reader} gets none",
            'Leave it out, or from Slurm 26.05 on add MetricsParameters: "ignore_private_data".',
        )
    # A Prometheus of the user's can have a token.
    if (key := auth_users(spec)) and (spec.monitoring.prometheus or spec.monitoring.service_monitor):
        yield FieldError(
            ("slurm_conf", "extra", key),
            spec.slurm_conf.extra[key],
            f"slurmctld then refuses its metrics to all without a token, and {reader} has none",
            "Leave it out.",
        )


def _reader_of_metrics(spec: SlurmSpec) -> str | None:
    for _, node_set, _ in _scaled_by_jobs(spec):
        return f'the autoscaler of node set "{node_set.name}"'
    if spec.monitoring.prometheus:
        return "monitoring.prometheus"
    if spec.monitoring.service_monitor:
        return "the ServiceMonitor"
    return "monitoring.dashboards" if spec.monitoring.dashboards else None


def autoscalers_know_the_names_of_nodes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse autoscalers whose query would find none of the node set's nodes, and would drain all of them.

    On the node's network a worker has the name of its Kubernetes node (`GetSlurmNodeName` in
    internal/controller/nodeset/utils/utils.go of SlinkyProject/slurm-operator at v1.1.2).
    """
    for index, node_set, _ in _scaled_by_jobs(spec):
        if node_set.pod.host_network:
            yield FieldError(
                ("node_sets", index, "autoscaling", "query"),
                FieldError.ABSENT,
                "with hostNetwork workers are named after Kubernetes nodes, so the default query doesn't find them",
                "Write a query of your own, or leave hostNetwork out.",
                depends_on_fields=(("node_sets", index, "pod"),),
            )


@warns
def autoscaled_partitions_are_counted_once(spec: SlurmSpec) -> Iterator[FieldError]:
    """Tell of partitions whose jobs start no workers, or those of several node sets."""
    if spec.controller.external:
        return
    for index, node_set, scaling in _scaled_by_jobs(spec):
        names = partitions_of(spec, node_set)
        counted = scaling.partition or next(iter(names), None)
        others = [name for name in names if name != counted]
        at: Path = ("node_sets", index, "autoscaling", "partition")
        if others:
            yield FieldError(
                at,
                counted,
                f"only its pending jobs start workers, those of {', '.join(others)} start none",
                "Put the node set into one partition, or write a query.",
            )
        sharing = [other.name for other in spec.node_sets if counted in partitions_of(spec, other)]
        if counted and len(sharing) > 1:
            yield FieldError(
                at,
                counted,
                f"each of its pending jobs would start workers of {', '.join(sharing)}, whichever it can run on",
                "Give the node set a partition of its own.",
            )


def autoscaled_partitions_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse autoscalers that count the jobs of no partition, or of a partition without their node set."""
    for index, node_set, scaling in _scaled_by_jobs(spec):
        names = partitions_of(spec, node_set)
        at: Path = ("node_sets", index, "autoscaling", "partition")
        depends_on_fields: tuple[Path, ...] = (("partitions",), ("node_sets", index, "partition"))
        if spec.controller.external:
            if not scaling.partition:
                yield FieldError(
                    at,
                    FieldError.ABSENT,
                    "the partitions of a slurmctld outside the cluster are not known here",
                    "Add the name of the partition whose pending jobs are counted.",
                )
        elif scaling.partition and scaling.partition not in names:
            yield FieldError(
                at,
                scaling.partition,
                f'the node set "{node_set.name}" is not in it',
                nearest(scaling.partition, names)
                if names
                else f'Add "{node_set.name}" to nodeSets of a partition, and name that one.',
                depends_on_fields,
            )
        elif not names:
            yield FieldError(
                at,
                FieldError.ABSENT,
                "the node set is in no partition, so no pending job would ever start it",
                "Add it to one.",
                depends_on_fields,
            )


RULES: tuple[Rule, ...] = (
    autoscaled_partitions_exist,
    autoscalers_can_read_metrics,
    autoscalers_find_prometheus,
    autoscalers_know_the_names_of_nodes,
    autoscaled_partitions_are_counted_once,
)
RULES_OF_SLINKY: tuple[Rule, ...] = (autoscalers_can_read_metrics,)
