"""The ConfigMap with a cluster's dashboard."""

import json
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm import model as s
from pulumi_slurm.derived.dashboards import ROWS, Kind
from pulumi_slurm.derived.metrics import endpoint_of, metrics_in
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.dashboards import COLUMNS
from pulumi_slurm.manifests.objects import Manifest
from tests.unit.manifests.grafana import differences
from tests.unit.strategies import dashboards
from tools import dashboards_page

NEWEST: dict[str, Any] = {"slurmVersion": "26.05", "operatorVersion": "1.2.1", "accounting": {}}
ALL = {"serviceMonitor": {"endpoints": [str(item) for item in s.MetricsEndpoint]}}
TITLES = [panel.title for row in ROWS for panel in row.panels]
LARGEST = 2**20
"""The bytes that a ConfigMap may have: https://kubernetes.io/docs/concepts/configuration/configmap/."""


def config_map(monitoring: dict[str, Any] | None = None, **fields: Any) -> Manifest:
    """Return the ConfigMap of a cluster."""
    written = {"name": "hpc", "namespace": "slurm", "monitoring": {"dashboards": {}, **(monitoring or {})}, **fields}
    spec, pools = load(written)
    (item,) = (item for item in render(spec, pools) if item["metadata"]["name"] == f"{spec.name}-dashboards")
    return item


def dashboard(monitoring: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """Return the dashboard of a cluster."""
    (text,) = config_map(monitoring, **fields)["data"].values()
    return dict(json.loads(text))


def titles(**fields: Any) -> list[str]:
    """Return the titles of a cluster's panels."""
    return [panel["title"] for panel in dashboard(**fields)["panels"] if panel["type"] != "row"]


def columns(title: str, **fields: Any) -> list[str]:
    """Return the names of a panel's queries."""
    (panel,) = (panel for panel in dashboard(**fields)["panels"] if panel["title"] == title)
    return [target["legendFormat"] for target in panel["targets"]]


def test_the_page_is_that_of_the_table() -> None:
    assert dashboards_page.FILE.read_text() == dashboards_page.text(), "`make generate` writes it anew"
    assert not [title for title, count in Counter(TITLES).items() if count > 1]


@given(dashboards)
def test_labels_annotations_and_the_folder_are_as_the_fields_say(drawn: s.DashboardsSpec) -> None:
    written = drawn.model_dump(mode="json", by_alias=True, exclude_unset=True)
    metadata = config_map({"dashboards": written})["metadata"]
    assert written.get("labels", {"grafana_dashboard": "1"}).items() <= metadata["labels"].items()
    assert ("grafana_dashboard" in metadata["labels"]) == ("grafana_dashboard" in drawn.labels)
    folder = {drawn.folder_annotation: drawn.folder} if drawn.folder else {}
    assert metadata.get("annotations", {}) == {**drawn.annotations, **folder}


series = st.sampled_from(["25.11", "26.05"])
endpoints = st.lists(st.sampled_from([str(item) for item in s.MetricsEndpoint]), unique=True)
schedulers = st.sampled_from([{}, {"SchedulerType": "sched/builtin"}])


@given(series, endpoints, schedulers, st.booleans(), st.booleans())
def test_any_dashboard_is_one_for_grafana(
    series: str, endpoints: list[str], conf: dict[str, str], accounting: bool, autoscaled: bool
) -> None:
    scaling = {"autoscaling": {"kind": "hpa", "minReplicas": 1, "maxReplicas": 3}} if autoscaled else {}
    fields: dict[str, Any] = {
        "slurmVersion": series,
        "slurmConf": {"extra": conf},
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}, **scaling}],
        "operatorVersion": "1.2.1",
        **({"accounting": {}} if accounting else {}),
    }
    monitoring = {"serviceMonitor": {"endpoints": endpoints}}
    item = config_map(monitoring, **fields)
    assert item == config_map(monitoring, **fields)
    (text,) = item["data"].values()
    assert len(text.encode()) < LARGEST / 4
    made = json.loads(text)
    assert differences(made) == []
    panels = made["panels"]
    assert [panel["id"] for panel in panels] == [*range(1, len(panels) + 1)]
    assert_nothing_overlaps([panel["gridPos"] for panel in panels])
    for panel in panels:
        assert (panel["type"] == "row") == ("targets" not in panel)
        # A table of one query would have another name for its column.
        assert panel["type"] != Kind.TABLE or len(panel["targets"]) > 1
    scraped = {s.MetricsEndpoint(name) for name in endpoints} or {*s.MetricsEndpoint} - {"jobs-users-accts"}
    names = {name for panel in panels for target in panel.get("targets", ()) for name in metrics_in(target["expr"])}
    assert {endpoint_of(name) for name in names} == scraped
    assert any("gpus" in name for name in names) <= (series == "26.05" and accounting)
    assert any(name.startswith("slurm_bf_") for name in names) <= (not conf)
    assert ("slurm_slurmdbd_queue_size" in names) == (accounting and s.MetricsEndpoint.SCHEDULER in scraped)


def assert_nothing_overlaps(places: list[dict[str, int]]) -> None:
    assert all(place["x"] >= 0 and place["x"] + place["w"] <= COLUMNS for place in places)
    for one, other in combinations(places, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        assert beside or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"], (one, other)


def test_all_panels_are_there_where_all_metrics_are() -> None:
    assert titles(monitoring=ALL, **NEWEST) == TITLES


def test_what_a_cluster_cannot_have_is_left_out() -> None:
    of_users = [panel.title for panel in ROWS[-1].panels]
    assert titles(**NEWEST) == [title for title in TITLES if title not in of_users]
    older = titles(monitoring=ALL, **{**NEWEST, "slurmVersion": "25.11"})
    assert older == [title for title in TITLES if "GPU" not in title or "CPU" in title]
    table = "CPUs and GPUs of partitions"
    assert [name for name in columns(table, **NEWEST) if "CPU" in name] == columns(table)
    assert columns("Messages that wait") == ["for nodes"]


def test_two_clusters_of_one_grafana_have_dashboards_and_files_of_their_own() -> None:
    pairs = [("a", "b-c"), ("a-b", "c"), ("a", "c")]
    made = [config_map(namespace=namespace, name=name) for namespace, name in pairs]
    assert len({name for item in made for name in item["data"]}) == len(pairs)
    contents = [json.loads(text) for item in made for text in item["data"].values()]
    assert len({content["uid"] for content in contents}) == len({content["title"] for content in contents}) == 3
    for (namespace, _), content in zip(pairs, contents, strict=True):
        for panel in content["panels"]:
            for target in panel.get("targets", ()):
                assert set(s_namespace(target["expr"])) == {namespace}


def s_namespace(query: str) -> list[str]:
    """Return the namespaces that the series of a query have."""
    return [part.partition('"')[0] for part in query.split('{namespace="')[1:]]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"id": "1"}, {"type": "graph"}, {"unit": "none"}, {"gridPos": {"h": 1.5}}),
        *({"options": {"colorMode": "red"}}, {"targets": [{"datasource": {"type": "prometheus"}, "query": "up"}]}),
    ],
)
def test_what_grafana_does_not_know_is_noticed(wrong: dict[str, Any]) -> None:
    made = dashboard()
    assert differences(made) == []
    made["panels"][1] |= wrong
    assert differences(made)
