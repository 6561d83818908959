"""Alerts: with promtool on metrics beside each threshold, and with a Prometheus on the metrics of a real slurmctld."""

import json
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm import model as s
from pulumi_slurm.derived.alerts import ALERTS, Alert
from pulumi_slurm.derived.metrics import Metrics, endpoint_of, metrics_in
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.units import duration_seconds
from tests.e2e.draws import draws
from tests.slurmd.alert_scenes import PARTITION, SCENES, Names, Scene, Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.exposition import metrics_at
from tests.slurmd.operator_files import SLURMDBD_CONF, files
from tests.slurmd.panels import ZEROS, missing_metrics, queries_of, zeros_of
from tests.slurmd.prometheus import Prometheus
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker
from tests.unit.alert_strategies import options as drawn_options

SERIES = "26.05"
DRAWN = 6
"""How many options of each alert are drawn beside its defaults."""
NAMESPACE = "slurm"
FOLDER = "/etc/prometheus"
SUMMARIES = {
    "controller_gone": "no slurmctld answers",
    "scrape_slow": "a scrape of slurmctld takes 10.5s",
    "database_queue": "5001 messages wait for slurmdbd",
    "backfill_late": "backfill has not run for 31 minutes while jobs come and wait",
    "nodes_not_responding": "1 nodes don't answer in partition gpu",
    "nodes_invalid": "1 nodes have registered with less than they should in partition gpu",
    "nodes_drained": "there have long been drained nodes, 1 now, in partition gpu",
    "capacity_lost": "30.1 percent of the nodes are drained or down in partition gpu",
    "launches_fail": "nodes could not run 13 jobs within 15 minutes",
    "nodes_kill_jobs": "1 jobs have ended since their node failed",
    "gpus_idle": "8 GPUs are free while jobs wait in partition gpu",
}
"""What people read of the alerts with their defaults."""


def group_of(rules: s.AlertRulesSpec | dict[str, Any]) -> dict[str, Any]:
    """Return the group of a cluster's PrometheusRule."""
    written = rules if isinstance(rules, dict) else rules.model_dump(mode="json", by_alias=True, exclude_unset=True)
    (rule,) = (item for item in objects_of({"rules": written}) if item["kind"] == "PrometheusRule")
    (group,) = rule["spec"]["groups"]
    return dict(group)


def objects_of(monitoring: dict[str, Any]) -> list[Manifest]:
    """Return the objects of a cluster of which everything is scraped; an autoscaler takes workers away."""
    endpoints = [str(endpoint) for endpoint in s.MetricsEndpoint]
    autoscaling = {"kind": "hpa", "minReplicas": 1, "maxReplicas": 3}
    machine = {"cpus": 2, "memory": "1Gi", "gpus": {"count": 8}}
    node_set = {"name": PARTITION, "machine": machine, "autoscaling": autoscaling, "partition": {}}
    newest = {"slurmVersion": SERIES, "operatorVersion": "1.2.1", "accounting": {}, "nodeSets": [node_set]}
    fields = {"serviceMonitor": {"endpoints": endpoints}, **monitoring}
    spec, _ = load({"name": "c", "namespace": NAMESPACE, "monitoring": fields, **newest})
    return [*render(spec)]


def minutes_until(options: s.AlertSpec, scene: Scene) -> int:
    """Return when an alert fires at the latest."""
    return math.ceil(duration_seconds(options.after) / 60) + scene.minutes


def unit_tests(alert: Alert, options: s.AlertSpec, rule: dict[str, Any], *, defaults: bool) -> Iterator[dict[str, Any]]:
    """Yield promtool's tests of an alert: it fires, and not before its time; beside each threshold it doesn't."""
    scene = SCENES[alert.field](Names(NAMESPACE), options)
    end = minutes_until(options, scene)
    before = int(duration_seconds(options.after) // 60) - 1

    def case(series: Series, results: dict[int, int]) -> dict[str, Any]:
        firing = f'count(ALERTS{{alertname="{alert.name}",alertstate="firing"}})'
        return {
            "interval": "1m",
            "input_series": [
                {"series": name, "values": f"{value if '+' in value else f'{value}+0'}x{end}"}
                for name, value in series.items()
            ],
            "promql_expr_test": [
                {
                    "expr": firing,
                    "eval_time": f"{minute}m",
                    "exp_samples": [{"labels": "{}", "value": count}] if count else [],
                }
                for minute, count in results.items()
                if minute >= 0
            ],
        }

    fires = case(scene.fires, {before: 0, end: 1})
    if defaults:
        labels = {"severity": str(options.severity), "namespace": NAMESPACE}
        if "partition" in alert.summary:
            labels["partition"] = PARTITION
        annotations = {**rule["annotations"], "summary": f"Slurm cluster c: {SUMMARIES[alert.field]}"}
        expected = {"exp_labels": labels, "exp_annotations": annotations}
        fires["alert_rule_test"] = [{"eval_time": f"{end}m", "alertname": alert.name, "exp_alerts": [expected]}]
    yield fires
    for series in scene.quiet:
        yield case(series, {end: 0})
    # The metrics of another cluster, without those of this one, which would be missed.
    others = SCENES[alert.field](Names("other"), options).fires
    yield case({**others, **Names(NAMESPACE).cluster(server_thread_cnt=0)}, {end: 0})


def test_each_alert_fires_beyond_its_threshold_and_only_then(
    images: dict[str, SlurmImage], tmp_path: Path, seed: int
) -> None:
    assert SCENES.keys() == SUMMARIES.keys() == {alert.field for alert in ALERTS}
    with Site(images[SERIES], tmp_path) as site:
        host = site.host("promtool")
        rules, tests, cases = [], [], 0
        for alert in ALERTS:
            enabled = [item for item in draws(drawn_options(alert, {}), DRAWN, f"{seed}") if item.enabled]
            for number, options in enumerate([alert.options(s.AlertRulesSpec()), *enabled]):
                others = {item.field: type(item.options(s.AlertRulesSpec()))(enabled=False) for item in ALERTS}
                group = group_of(s.AlertRulesSpec(**{**others, alert.field: options}))
                rules.append(f"{FOLDER}/{alert.name}-{number}.json")
                host.write(rules[-1], json.dumps({"groups": [group]}))
                found = [*unit_tests(alert, options, group["rules"][0], defaults=number == 0)]
                cases += len(found)
                tests.append(f"{FOLDER}/{alert.name}-{number}.test.json")
                content = {"rule_files": [rules[-1]], "evaluation_interval": "1m", "tests": found}
                host.write(tests[-1], json.dumps(content))
        assert cases > len(ALERTS) * 3
        host.run(["promtool", "check", "rules", "--lint=all", "--lint-fatal", *rules])
        done = host.attempt(["promtool", "test", "rules", *tests])
        assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


STATES = ("drained", "cpu", "gpu", "lost", "bad")
"""Node sets, each with a partition of its own, by what happens to their nodes."""
GENERAL = """\
MetricsType=metrics/openmetrics
SchedulerParameters=sched_interval=1,bf_interval=600
SlurmdTimeout=10
"""
LINES = GENERAL + "".join(
    f"NodeSet={state} Feature={state}\nPartitionName={state} Nodes={state} MaxTime=UNLIMITED\n" for state in STATES
)
SENSITIVE: dict[str, Any] = {
    "scrapeSlow": {"seconds": 0.001},
    "databaseQueue": {"messages": 0},
    "capacityLost": {"nodes": 1},
    "launchesFail": {"jobs": 0, "percent": 0},
    "gpusIdle": {"gpus": 1},
}
"""Thresholds that a small cluster gets beyond."""
METRICS = Metrics(NAMESPACE, STATES, ("gpu",))
ALIASES = {alert.field: s.AlertRulesSpec.model_fields[alert.field].alias for alert in ALERTS}
NOT_FIRED = {
    "SlurmLaunchesFail": "no slurmd was found to fail as slurmctld counts it: without a place for its script or output "
    "a job ends otherwise",
}
"""Alerts that don't fire here, and why."""


@pytest.fixture
def site(images: dict[str, SlurmImage], tmp_path: Path) -> Iterator[Site]:
    with Site(images[SERIES], tmp_path) as site:
        yield site


def test_each_alert_fires_by_what_happens_to_a_real_cluster(site: Site) -> None:
    options = {name: {"after": "1s", **SENSITIVE.get(name, {})} for name in map(str, ALIASES.values())}
    cluster = Cluster(site)
    group = group_of(options)
    for rule in group["rules"]:
        # Jobs have to wait for so long.
        rule["expr"] = rule["expr"].replace("[10m]", "[5s]")
    prometheus = Prometheus(site, {"c-controller:6817": NAMESPACE}, group)
    fired = fires(prometheus, {"SlurmControllerGone"})

    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    cluster.start_controller(with_device_files(files(LINES, accounting=True), {"gpu-0": 2}))
    cluster.start_workers({f"{state}-0": f"Features={state}" for state in ("drained", "cpu", "lost")})
    cluster.start_workers({"cpu-1": "Features=cpu", "gpu-0": "Features=gpu Gres=gpu:2"}, gpus={"gpu-0": 2})
    for alert in ALERTS:
        query = alert.query(METRICS, alert.options(s.AlertRulesSpec()))
        for name in metrics_in(query.text):
            assert name in metrics_at(cluster.controller.host, f"/metrics/{endpoint_of(name)}"), alert.name
        if alert.field != "controller_gone":
            prometheus.daemon.eventually(query.value, partial(prometheus.values, query.value))
    assert not prometheus.firing() & {"SlurmControllerGone", "SlurmNodesDrained/drained", "SlurmNodesKillJobs"}

    def sbatch(*arguments: str) -> None:
        cluster.run("sbatch", "--output=/dev/null", *arguments, "--wrap=sleep 3600", user=JOB_USER)

    cluster.run("scontrol", "update", "NodeName=drained-0", "State=DRAIN", "Reason=health")
    fired |= fires(prometheus, {"SlurmNodesDrained/drained", "SlurmCapacityLost/drained"})

    sbatch("--partition=gpu", "--gres=gpu:1", "--begin=now+1hour")
    fired |= fires(prometheus, {"SlurmGpusIdle/gpu"})

    sbatch("--partition=cpu", "--nodelist=cpu-0", "--no-requeue")
    running = ("squeue", "--noheader", "--nodelist=cpu-0", "--states=RUNNING")
    prometheus.daemon.eventually("a job on cpu-0", lambda: cluster.run(*running).strip())
    # Backfill will look at it in ten minutes for the first time.
    sbatch("--partition=cpu", "--nodes=2", "--exclusive")
    fired |= fires(prometheus, {"SlurmBackfillLate"})
    cluster.run("scontrol", "update", "NodeName=cpu-0", "State=DOWN", "Reason=gone")
    fired |= fires(prometheus, {"SlurmNodesKillJobs"})

    break_daemons(cluster)
    sbatch("--partition=gpu", "--hold")
    fired |= fires(prometheus, {"SlurmNodesInvalid/bad", "SlurmNodesNotResponding/lost", "SlurmDatabaseQueue"})

    assert {alert.name for alert in ALERTS} - {name.partition("/")[0] for name in fired} == NOT_FIRED.keys()
    assert not any("Nodes" in name for name in fired if name.endswith("/gpu"))

    queries = queries_of(objects_of({"dashboards": {}}))
    assert missing_metrics(queries, cluster.controller.host) == set()
    cluster.run("srun", "--partition=gpu", "true", user=JOB_USER)
    sbatch("--partition=gpu", "--gres=gpu:1")
    for gpus in (METRICS.of_nodes("gpus_alloc"), METRICS.accounts("jobs_gpus_alloc")):
        prometheus.daemon.eventually(gpus, partial(prometheus.values, gpus), [1].__eq__)
    cluster.run("scontrol", "update", "NodeName=gpu-0", "State=DRAIN", "Reason=health")
    cluster.run("scontrol", "update", "NodeName=cpu-1", "State=FAIL", "Reason=health")
    reservation = ("StartTime=now", "Duration=60", "Users=root", "Nodes=drained-0", "Flags=MAINT")
    cluster.run("scontrol", "create", "reservation", *reservation)
    draining = METRICS.cluster("slurm_nodes_draining")
    prometheus.daemon.eventually("draining", partial(prometheus.values, draining), [1].__eq__)
    cluster.run("scancel", "--user", JOB_USER, "--partition=gpu")
    zeros = partial(zeros_of, prometheus, queries)
    prometheus.daemon.eventually("shown by panels", zeros, ZEROS.keys().__ge__)


def fires(prometheus: Prometheus, names: set[str]) -> set[str]:
    """Wait until these alerts fire, and return all that do."""
    return prometheus.daemon.eventually(", ".join(sorted(names)), prometheus.firing, names.issubset)


def break_daemons(cluster: Cluster) -> None:
    """Have a worker with less than it should have, and another one and slurmdbd that have gone."""
    # More memory than the machine has.
    bad = cluster.workers["bad-0"] = Worker(cluster.site, "bad-0")
    bad.start(cluster.server, "Features=bad RealMemory=99999999")
    gone = cluster.workers["lost-0"].daemon
    assert gone
    gone.kill()
    assert cluster.accounting
    assert cluster.accounting.daemon
    cluster.accounting.daemon.kill()
