"""slurmctld's metrics: queries of them for a Prometheus, the endpoints that have them, and which a cluster lacks.

What they count is in `src/slurmctld/statistics.c` of https://github.com/SchedMD/slurm at slurm-26-05-3-1:

- A node that is drained and down counts as both. From slurm-operator 1.2 on records of removed workers stay like that,
  and nothing else tells them apart; see `pulumi_slurm.manifests.nodes_wanted`. In a partition whose workers an
  autoscaler takes away, a drained node and another that is down are therefore taken as one that is gone, and are not
  told of. Those of a node set with fewer replicas than before stay drained and down until `scontrol delete`.
- `slurm_sdiag_jobs_failed` counts batch jobs that slurmstepd could not set up, after which slurmctld drains
  the node (`src/slurmctld/proc_req.c`), and no job that ends with an error of its own. Once a day it starts anew.
- `slurm_jobs_*` count the jobs in memory, where a job stays MinJobAge after its end. One that is requeued when its node
  fails is pending again.
- Backfill runs when jobs, nodes, partitions or reservations have changed (`_more_work` in
  `src/plugins/sched/backfill/backfill.c`), so that on a busy cluster without news its last cycle may be long ago. A run
  without jobs that could start counts as none. `slurm_schedule_queue_len` is how many could when the main scheduler
  last ran, which it does each minute.

With a ServiceMonitor all metrics of a cluster have its namespace, in which there is no other Slurm cluster. Several
targets may be the same slurmctld, so that of equal series the largest counts.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.model.monitoring import MetricsEndpoint
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.slurmconf.version import Series

_GPUS_SINCE = Series(26, 5)
"""The first Slurm with metrics of GPUs: `slurm_partition_gpus` in src/plugins/metrics/openmetrics."""
_SHORTEST_JOB_AGE = 180
"""How many seconds there are between a few scrapes."""
_NAME = re.compile(r"slurm_[a-z_]+")
_ENDPOINTS: Mapping[str, MetricsEndpoint] = MappingProxyType(
    {
        "slurm_jobs": MetricsEndpoint.JOBS,
        "slurm_user_": MetricsEndpoint.JOBS_USERS_ACCTS,
        "slurm_account_": MetricsEndpoint.JOBS_USERS_ACCTS,
        "slurm_node": MetricsEndpoint.NODES,
        "slurm_partition": MetricsEndpoint.PARTITIONS,
        "slurm_": MetricsEndpoint.SCHEDULER,
    }
)
"""The endpoint of metrics by what their names begin with; the first that fits."""


@dataclass(frozen=True)
class Metrics:
    """The metrics of one cluster, as a Prometheus has them."""

    namespace: str
    gone_in: tuple[str, ...] = ()
    """The partitions in which nodes of workers that are gone are drained and down."""
    of_gpus: tuple[str, ...] = ()
    """Those of `partitions_of_gpus`."""

    @classmethod
    def of(cls, spec: SlurmSpec) -> Self:
        """Return the metrics of a cluster."""
        # Records of a DaemonSet's workers are removed: pruneSlurmNodeRecords in `pulumi_slurm.manifests.node_set`.
        come_and_go = [one for one in spec.node_sets if one.autoscaling and spec.operator.keeps_node_records]
        gone_in = {name for one in come_and_go for name in partitions_of(spec, one)}
        return cls(spec.namespace, tuple(sorted(gone_in)), partitions_of_gpus(spec))

    def series(self, name: str) -> str:
        """Return the series of a metric."""
        return f"{name}{{namespace={json.dumps(self.namespace)}}}"

    def cluster(self, name: str) -> str:
        """Return the value of a metric."""
        return f"max by (namespace) ({self.series(name)})"

    def partitions(self, name: str, only: Sequence[str] = ()) -> str:
        """Return the values of a metric by partition, of all or only some; the name is without `slurm_partition_`."""
        series = self.series(f"slurm_partition_{name}")
        if only:
            series = f"{series[:-1]},partition=~{json.dumps('|'.join(map(re.escape, only)))}}}"
        return f"max by (namespace, partition) ({series})"

    def increase(self, name: str, window: str) -> str:
        """Return by how much a metric has grown within a time."""
        return f"max by (namespace) (increase({self.series(name)}[{window}]))"

    def of_nodes(self, name: str) -> str:
        """Return the sum of a metric over all nodes; the name is without `slurm_node_`."""
        return f"sum by (namespace) (max by (namespace, node) ({self.series(f'slurm_node_{name}')}))"

    def users(self, name: str) -> str:
        """Return the values of a metric by user; the name is without `slurm_user_`."""
        return f"max by (namespace, username) ({self.series(f'slurm_user_{name}')})"

    def accounts(self, name: str) -> str:
        """Return the values of a metric by account; the name is without `slurm_account_`."""
        return f"max by (namespace, account) ({self.series(f'slurm_account_{name}')})"

    def scrape_seconds(self) -> str:
        """Return how long the slowest scrape of slurmctld took within five minutes."""
        # The endpoints of a target have the same labels, and the last one that was scraped is not the slowest.
        scrapes = f"max_over_time({self.series('scrape_duration_seconds')}[5m])"
        slurmctld = f"on (namespace, job, instance) {self.series('slurm_server_thread_cnt')}"
        return f"max by (namespace) ({scrapes} and {slurmctld})"

    def lost(self) -> str:
        """Return how many nodes are drained or down, by partition; a node that is drained and another down are one."""
        drained, down = self.partitions("nodes_drained"), self.partitions("nodes_down")
        return f"({drained} > {down} or {down})"

    def usable(self) -> str:
        """Return the share of nodes that take jobs, by partition."""
        return f"(1 - {self.lost()} / {self.partitions('nodes')})"

    def present(self, nodes: str) -> str:
        """Return a number of nodes, by partition, without those of workers that are gone."""
        if not self.gone_in:
            return nodes
        drained, down = (self.partitions(name, self.gone_in) for name in ("nodes_drained", "nodes_down"))
        present = f"clamp_min({nodes} - ({drained} < {down} or {down}), 0)"
        return f"({present} or {nodes})"


def metrics_in(query: str) -> frozenset[str]:
    """Return the names of slurmctld's metrics in a query."""
    return frozenset(_NAME.findall(query))


def endpoint_of(metric: str) -> MetricsEndpoint:
    """Return the endpoint at which slurmctld has a metric."""
    return next(endpoint for prefix, endpoint in _ENDPOINTS.items() if metric.startswith(prefix))


def without_slurmdbd(spec: SlurmSpec) -> str | None:
    """Return why a cluster has no queue of messages for slurmdbd, if so."""
    return None if spec.accounting else "without accounting there is no slurmdbd"


def without_backfill(spec: SlurmSpec) -> str | None:
    """Return why backfill doesn't run, if so."""
    scheduler = {key.lower(): text for key, text in spec.slurm_conf.extra.items()}.get("schedulertype", "")
    if scheduler.lower().removeprefix("sched/") == "builtin":
        return "sched/builtin has no backfill"
    parameters = {str(word).replace(" ", "").lower() for word in spec.slurm_conf.scheduler_parameters or ()}
    return "with bf_interval=-1 there is no backfill" if "bf_interval=-1" in parameters else None


def without_ended_jobs(spec: SlurmSpec) -> str | None:
    """Return why slurmctld's memory doesn't tell of jobs that have ended a while ago, and of them alone, if so."""
    age = {key.lower(): text for key, text in spec.slurm_conf.extra.items()}.get("minjobage", "300")
    if age.isdecimal() and 0 < int(age) < _SHORTEST_JOB_AGE:
        return f"with MinJobAge={age} slurmctld forgets jobs between scrapes"
    return "with MinJobAge=0 slurmctld forgets no job" if age.isdecimal() and int(age) == 0 else None


def without_gpus(spec: SlurmSpec) -> str | None:
    """Return why slurmctld has no metrics of GPUs, or counts none, if so."""
    version = spec.controller.slurm_version or spec.slurm_version
    if Series.of(version) < _GPUS_SINCE:
        return f"slurmctld {version} has no metrics of GPUs"
    return None if spec.accounting else "without accounting slurmctld counts no GPUs"


def partitions_of_gpus(spec: SlurmSpec) -> tuple[str, ...]:
    """Return the partitions whose nodes are alike and in no other one, so that metrics tell what GPUs are free there.

    GPUs of a node in several partitions are counted as used in the one alone whose job has them:
    `_statistics_part_aggregate_job` in src/slurmctld/statistics.c.
    """
    names = []
    for _, name, _ in all_partitions(spec):
        node_sets = [one for one in spec.node_sets if name in partitions_of(spec, one)]
        are_alike = len({(one.pool, one.gpus, str(one.machine)) for one in node_sets}) == 1
        if are_alike and _may_have_gpus(node_sets[0]) and all(partitions_of(spec, one) == [name] for one in node_sets):
            names.append(name)
    return tuple(names)


def _may_have_gpus(node_set: NodeSetSpec) -> bool:
    return node_set.gpus != 0 and not (node_set.machine and not node_set.machine.gpus)


def without_free_gpus(spec: SlurmSpec) -> str | None:
    """Return why metrics don't tell how many GPUs of a partition are free, if so."""
    if why := without_gpus(spec):
        return why
    return None if partitions_of_gpus(spec) else "no partition has GPU nodes that are alike, and in no other partition"
