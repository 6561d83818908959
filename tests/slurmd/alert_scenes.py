"""For each alert, metrics with which it fires and others, just beside them, with which it doesn't.

Series are written as promtool reads them, a value for each minute
(https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.model.units import duration_seconds

Series = dict[str, str]
"""What comes after the first minute for ever, by series: a value, or one and what is added each minute."""
PARTITION = "gpu"


@dataclass(frozen=True)
class Scene:
    """What an alert with some options is shown."""

    fires: Series
    quiet: tuple[Series, ...]
    value: float | None = None
    """What the summary speaks of; None where it speaks of none."""
    minutes: int = 2
    """How many minutes it takes until it is so."""


class Names:
    """Writes series of a cluster's metrics."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace

    def cluster(self, **values: object) -> Series:
        """Return metrics of the whole cluster."""
        return {f'slurm_{name}{{namespace="{self.namespace}"}}': str(value) for name, value in values.items()}

    def partition(self, **values: object) -> Series:
        """Return metrics of a partition."""
        labels = f'namespace="{self.namespace}",partition="{PARTITION}"'
        return {f"slurm_partition_{name}{{{labels}}}": str(value) for name, value in values.items()}

    def node(self, **values: object) -> Series:
        """Return metrics of a node."""
        labels = f'namespace="{self.namespace}",node="{PARTITION}-0"'
        return {f"slurm_node_{name}{{{labels}}}": str(value) for name, value in values.items()}

    def scrape(self, target: str, seconds: float) -> Series:
        """Return how long a scrape of a target took."""
        labels = f'namespace="{self.namespace}",job="{target}",instance="{target}"'
        return {f"scrape_duration_seconds{{{labels}}}": str(seconds)}

    def threads(self, target: str) -> Series:
        """Return a metric of slurmctld, as a scrape of a target brought it."""
        labels = f'namespace="{self.namespace}",job="{target}",instance="{target}"'
        return {f"slurm_server_thread_cnt{{{labels}}}": "1"}


def _controller_gone(names: Names, _: Any) -> Scene:
    return Scene(Names("other").cluster(server_thread_cnt=1), (names.cluster(server_thread_cnt=0),))


def _scrape_slow(names: Names, options: Any) -> Scene:
    slow, limit = options.seconds + 0.5, options.seconds
    answers = names.threads("slurmctld")
    return Scene(
        {**answers, **names.scrape("slurmctld", slow)},
        (
            {**answers, **names.scrape("slurmctld", limit)},
            # Of another program in the namespace.
            {**answers, **names.scrape("slurmctld", limit), **names.scrape("exporter", slow)},
        ),
        slow,
    )


def _above(metric: str, field: str) -> Callable[[Names, Any], Scene]:
    def scene(names: Names, options: Any) -> Scene:
        limit = getattr(options, field)
        return Scene(names.cluster(**{metric: limit + 1}), (names.cluster(**{metric: limit}),), limit + 1)

    return scene


def _backfill_late(names: Names, options: Any) -> Scene:
    minutes = duration_seconds(options.age) / 60
    counts = {"schedule_queue_len": 1, "sdiag_jobs_submitted": "7+2"}
    late = f"{-60 * minutes - 60}+60"

    def with_last_cycle(last: str, **others: object) -> Series:
        return names.cluster(bf_when_last_cycle=last, **{**counts, **others})

    return Scene(
        with_last_cycle(late),
        (
            with_last_cycle(f"{-60 * minutes}+60"),
            with_last_cycle(late, schedule_queue_len=0),
            # Nothing has happened that backfill should look at.
            with_last_cycle(late, sdiag_jobs_submitted=7),
        ),
        minutes + 1,
    )


def _nodes(state: str) -> Callable[[Names, Any], Scene]:
    def scene(names: Names, options: Any) -> Scene:
        def nodes(count: int, **others: int) -> Series:
            return names.partition(**{"nodes_drained": 0, "nodes_down": 0, f"nodes_{state}": count, **others})

        quiet = [nodes(options.nodes - 1)]
        if state != "invalid_reg":
            # Workers that are gone: their nodes don't answer, and are drained and down.
            gone = {"nodes_drained": options.nodes, "nodes_down": options.nodes}
            quiet.append(nodes(options.nodes, **gone))
        return Scene(nodes(options.nodes), tuple(quiet), options.nodes)

    return scene


def _capacity_lost(names: Names, options: Any) -> Scene:
    # Of 1000 nodes, and 200 records of workers that are gone.
    def lost(nodes: float) -> Series:
        return names.partition(nodes=1200, nodes_drained=200 + nodes, nodes_down=200)

    limit = max(options.percent * 10, options.nodes - 1)
    return Scene(lost(limit + 1), (lost(limit - 1),), (limit + 1) / 10)


def _launches_fail(names: Names, options: Any) -> Scene:
    # Of what grows by 1 each minute, the increase within 15 minutes is 15.
    def counts(failed: float, percent: float) -> Series:
        started = 100 * failed / percent
        return names.cluster(sdiag_jobs_failed=f"0+{failed / 15}", sdiag_jobs_started=f"5+{started / 15}")

    jobs = options.jobs * 1.2 + 1
    above, below = options.percent * 1.01, options.percent * 0.99
    return Scene(counts(jobs, above), (counts(options.jobs * 0.9, above), counts(jobs, below)), jobs, minutes=18)


def _nodes_kill_jobs(names: Names, options: Any) -> Scene:
    limit = options.jobs
    return Scene(names.cluster(jobs_node_failed=limit), (names.cluster(jobs_node_failed=limit - 1),), limit)


def _gpus_idle(names: Names, options: Any) -> Scene:
    total = 4 * options.gpus

    def gpus(free: int, **others: int) -> Series:
        # A quarter of the nodes is drained, or its workers are gone.
        counts = {"nodes": 40, "nodes_drained": 10, "nodes_down": 10, "jobs_pending": 3, "jobs_hold": 2, **others}
        return names.partition(gpus=total, jobs_gpus_alloc=total * 3 // 4 - free, **counts)

    limit = options.gpus
    return Scene(
        gpus(limit),
        (gpus(limit - 1), gpus(limit, jobs_hold=3), gpus(limit, nodes_drained=11)),
        limit,
    )


SCENES: Mapping[str, Callable[[Names, Any], Scene]] = MappingProxyType(
    {
        "controller_gone": _controller_gone,
        "scrape_slow": _scrape_slow,
        "database_queue": _above("slurmdbd_queue_size", "messages"),
        "backfill_late": _backfill_late,
        "nodes_not_responding": _nodes("no_resp"),
        "nodes_invalid": _nodes("invalid_reg"),
        "nodes_drained": _nodes("drained"),
        "capacity_lost": _capacity_lost,
        "launches_fail": _launches_fail,
        "nodes_kill_jobs": _nodes_kill_jobs,
        "gpus_idle": _gpus_idle,
    }
)
"""Scenes by the fields of the alerts, for an operator that keeps records of workers that are gone."""
