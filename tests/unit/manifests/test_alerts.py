"""The PrometheusRule of a cluster's alerts."""

from typing import Any

import pytest
from hypothesis import given

from pulumi_slurm import model as s
from pulumi_slurm.derived.alerts import ALERTS
from pulumi_slurm.derived.metrics import Metrics, endpoint_of, metrics_in
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest
from tests.unit.alert_strategies import alert_rules
from tools import alerts_page

GPU = {"name": "gpu", "machine": {"cpus": 2, "memory": "1Gi", "gpus": {"count": 8}}, "partition": {}}
NEWEST: dict[str, Any] = {"slurmVersion": "26.05", "operatorVersion": "1.2.1", "nodeSets": [GPU]}
NAMES = {alert.field: alert.name for alert in ALERTS}


def rule(**fields: Any) -> Manifest:
    """Return the PrometheusRule of a cluster."""
    (made,) = rules(**fields)
    return made


def rules(*, rules: Any = None, **fields: Any) -> list[Manifest]:
    """Return the PrometheusRules of a cluster."""
    monitoring = {"serviceMonitor": {}, "rules": {} if rules is None else rules}
    spec, pools = load({"name": "hpc", "namespace": "slurm", "monitoring": monitoring, **fields})
    return [item for item in render(spec, pools) if item["kind"] == "PrometheusRule"]


def alerts(manifest: Manifest) -> dict[str, Any]:
    """Return the alerts of a PrometheusRule by name."""
    (group,) = manifest["spec"]["groups"]
    return {item["alert"]: item for item in group["rules"]}


def test_the_table_has_the_fields_of_the_model_in_their_order() -> None:
    options = [name for name, field in s.AlertRulesSpec.model_fields.items() if isinstance(field.default, s.AlertSpec)]
    assert [alert.field for alert in ALERTS] == options


def test_the_page_is_that_of_the_table() -> None:
    assert alerts_page.FILE.read_text() == alerts_page.text(), "`make generate` writes it anew"


@given(alert_rules)
def test_alerts_are_as_their_fields_say(drawn: s.AlertRulesSpec) -> None:
    written = drawn.model_dump(mode="json", by_alias=True, exclude_unset=True)
    manifest = rule(rules=written, accounting={}, **NEWEST)
    assert written.get("labels", {}).items() <= manifest["metadata"]["labels"].items()
    assert manifest["metadata"].get("annotations", {}) == written.get("annotations", {})
    made = alerts(manifest)
    assert made.keys() == {alert.name for alert in ALERTS if alert.options(drawn).enabled}
    for alert in ALERTS:
        options = alert.options(drawn)
        if not options.enabled:
            continue
        item = made[alert.name]
        assert (item["for"], item["labels"]) == (options.after, {"severity": str(options.severity)})
        assert item["annotations"]["runbook_url"].startswith(f"{drawn.page}#")
        others = {name: value for name, value in dict(options).items() if name not in s.AlertSpec.model_fields}
        for name, value in others.items():
            changed = options.model_copy(update={name: "7h" if name == "age" else value / 2})
            assert alert.query(Metrics("slurm", ("gpu",), ("gpu",)), changed).text != item["expr"], name


def test_the_link_of_an_alert_leads_to_its_section() -> None:
    headings = [line.removeprefix("## ").lower() for line in alerts_page.text().splitlines() if line.startswith("## ")]
    links = [item["annotations"]["runbook_url"] for item in alerts(rule(accounting={}, **NEWEST)).values()]
    assert links == [f"docs/alerts.md#{heading}" for heading in headings]


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({**NEWEST, "accounting": {}}, set()),
        ({**NEWEST}, {"database_queue", "gpus_idle"}),
        ({**NEWEST, "slurmVersion": "25.11", "accounting": {}}, {"gpus_idle"}),
        ({**NEWEST, "accounting": {}, "slurmConf": {"extra": {"SchedulerType": "sched/builtin"}}}, {"backfill_late"}),
        ({**NEWEST, "accounting": {}, "slurmConf": {"schedulerParameters": ["bf_interval=-1"]}}, {"backfill_late"}),
        ({**NEWEST, "accounting": {}, "slurmConf": {"extra": {"MinJobAge": "60"}}}, {"nodes_kill_jobs"}),
        ({**NEWEST, "accounting": {}, "slurmConf": {"extra": {"minJobAge": "0"}}}, {"nodes_kill_jobs"}),
        # Its nodes are in another partition too.
        ({**NEWEST, "accounting": {}, "partitions": [{"name": "all", "nodeSets": ["ALL"]}]}, {"gpus_idle"}),
    ],
)
def test_what_a_cluster_cannot_have_is_left_out(fields: dict[str, Any], missing: set[str]) -> None:
    assert NAMES.keys() - missing == {field for field, name in NAMES.items() if name in alerts(rule(**fields))}


def test_without_any_alert_there_is_no_object() -> None:
    assert rules(rules={s.AlertRulesSpec.model_fields[field].alias: {"enabled": False} for field in NAMES}) == []


def test_records_of_workers_that_are_gone_are_left_out_where_there_are_such() -> None:
    def query(version: str, **node_set: Any) -> str:
        cpu = {"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}, "partition": {}, **node_set}
        made = alerts(rule(operatorVersion=version, nodeSets=[cpu]))
        return str(made["SlurmNodesDrained"]["expr"])

    plain = 'max by (namespace, partition) (slurm_partition_nodes_drained{namespace="slurm"}) >= 1'
    scaled = {"autoscaling": {"kind": "hpa", "minReplicas": 1, "maxReplicas": 3}}
    assert query("1.1.2", **scaled) == query("1.2.1", replicas=2) == plain
    assert 'slurm_partition_nodes_down{namespace="slurm",partition=~"cpu"}' in query("1.2.1", **scaled)


def test_each_metric_is_at_an_endpoint_of_its_own() -> None:
    names = {
        name
        for alert in ALERTS
        for name in metrics_in(alert.query(Metrics("a"), alert.options(s.AlertRulesSpec())).text)
    }
    endpoints = {s.MetricsEndpoint.JOBS, s.MetricsEndpoint.PARTITIONS, s.MetricsEndpoint.SCHEDULER}
    assert {endpoint_of(name) for name in names} == endpoints
