"""The queries of a dashboard's panels, in a Prometheus that has watched a cluster."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pulumi_slurm.derived.metrics import endpoint_of, metrics_in
from pulumi_slurm.manifests.objects import Manifest
from tests.slurmd.exposition import metrics_at
from tests.slurmd.host import Host
from tests.slurmd.prometheus import Prometheus

_NO_BACKFILL = "see SlurmBackfillLate, for which backfill is kept from running"
ZEROS: Mapping[str, str] = MappingProxyType(
    {
        "Nodes set aside: planned": _NO_BACKFILL,
        "Cycles of backfill: last": _NO_BACKFILL,
        "Cycles of backfill: mean": _NO_BACKFILL,
        "How often schedulers run: backfill": _NO_BACKFILL,
        "Jobs that schedulers look at: backfill": _NO_BACKFILL,
        "Jobs that nodes ended: not set up": "see SlurmLaunchesFail",
        "Threads: requests": "threads are only busy while clients ask more than slurmctld answers",
        "Messages that wait: for nodes": "a node that doesn't answer is soon not asked any more",
    }
)
"""Queries that may stay at zero here, and why."""


def queries_of(objects: Iterable[Manifest]) -> dict[str, str]:
    """Return the queries by the titles of their panels and by their names."""
    (config_map,) = (item for item in objects if item["metadata"]["name"].endswith("-dashboards"))
    (text,) = config_map["data"].values()
    return {
        f"{panel['title']}: {target['legendFormat']}": target["expr"]
        for panel in json.loads(text)["panels"]
        for target in panel.get("targets", ())
    }


def missing_metrics(queries: Mapping[str, str], host: Host) -> set[str]:
    """Return the metrics of queries that slurmctld on a host doesn't have where they are scraped."""
    names = {name for query in queries.values() for name in metrics_in(query)}
    endpoints = {endpoint_of(name) for name in names}
    at_endpoints = {endpoint: metrics_at(host, f"/metrics/{endpoint}") for endpoint in endpoints}
    return {name for name in names if name not in at_endpoints[endpoint_of(name)]}


def zeros_of(prometheus: Prometheus, queries: Mapping[str, str]) -> set[str]:
    """Return the queries without a result above zero within the last minutes."""
    results = {title: prometheus.values(f"max_over_time(({query})[10m:1s])") for title, query in queries.items()}
    assert all(results.values()), [title for title, values in results.items() if not values]
    return {title for title, values in results.items() if not max(values) > 0}
