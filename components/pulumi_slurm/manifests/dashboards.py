"""A cluster's dashboard in Grafana's JSON, and the ConfigMap with it.

Names and values of fields: https://github.com/grafana/grafana-foundation-sdk, of Grafana 11.6.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from pulumi_slurm.derived.dashboards import Kind, Panel, Row, made_rows
from pulumi_slurm.derived.metrics import Metrics
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.dashboards import DashboardsSpec
from pulumi_slurm.model.slurm import SlurmSpec

COLUMNS = 24
"""How wide Grafana's grid is."""
_SCHEMA = 36
"""The version of Grafana 10.0; each later Grafana brings an older dashboard up to its own."""
_VARIABLE = "datasource"
"""The variable by which people choose a Prometheus."""
_SIZES: Mapping[Kind, tuple[int, int]] = MappingProxyType(
    {Kind.STAT: (4, 4), Kind.TABLE: (COLUMNS, 8), Kind.TIME_SERIES: (8, 8)}
)
"""Width and height of panels."""


def dashboard_files(spec: SlurmSpec) -> dict[str, str]:
    """Return the JSON of a cluster's dashboard by the name of its file, under which no other cluster has one.

    A sidecar writes the files of all ConfigMaps into one folder, unless they name others.
    """
    if spec.monitoring.dashboards is None:
        return {}
    name = f"slurm.{spec.namespace}.{spec.name}"
    return {f"{name}.json": json.dumps(_dashboard(spec, name), indent=1, ensure_ascii=False)}


def _dashboard(spec: SlurmSpec, name: str) -> dict[str, Any]:
    variable = {"type": "datasource", "name": _VARIABLE, "label": "Prometheus", "query": "prometheus"}
    return {
        # At most 40 characters, by which it is the same one after each change.
        "uid": hashlib.sha256(name.encode()).hexdigest()[:40],
        "title": f"Slurm cluster {spec.name} in {spec.namespace}",
        "description": f"Metrics of slurmctld with namespace {json.dumps(spec.namespace)}.",
        "tags": ["slurm"],
        "editable": False,
        # A pointer in one panel shows the same time in the others.
        "graphTooltip": 1,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "schemaVersion": _SCHEMA,
        "templating": {"list": [variable]},
        "panels": [*_panels(made_rows(spec), Metrics.of(spec))],
    }


def _panels(rows: Sequence[Row], metrics: Metrics) -> Iterator[dict[str, Any]]:
    """Yield headings and panels, each with a number and its place: from left to right, then below."""
    number = top = 0
    for row in rows:
        number += 1
        place = {"h": 1, "w": COLUMNS, "x": 0, "y": top}
        yield {"type": "row", "id": number, "title": row.title, "collapsed": False, "gridPos": place, "panels": []}
        top, column, height = top + 1, 0, 0
        for panel in row.panels:
            number += 1
            width, panel_height = _SIZES[panel.kind]
            if column + width > COLUMNS:
                top, column, height = top + height, 0, 0
            place = {"h": panel_height, "w": width, "x": column, "y": top}
            yield {"id": number, "gridPos": place, **_panel(panel, metrics)}
            column, height = column + width, max(height, panel_height)
        top += height


def _panel(panel: Panel, metrics: Metrics) -> dict[str, Any]:
    is_table = panel.kind is Kind.TABLE
    source = {"type": "prometheus", "uid": f"${{{_VARIABLE}}}"}
    newest = {"instant": True, "range": False} if is_table else {"instant": False, "range": True}
    return {
        "type": str(panel.kind),
        "title": panel.title,
        "description": panel.description,
        "datasource": source,
        "targets": [
            {
                "datasource": source,
                "refId": letter,
                "expr": line.query(metrics),
                "legendFormat": line.name,
                "format": "table" if is_table else "time_series",
                "editorMode": "code",
                **newest,
            }
            for letter, line in zip(ascii_uppercase, panel.lines, strict=False)
        ],
        **_LOOKS[panel.kind](panel),
    }


def _stat(panel: Panel) -> dict[str, Any]:
    calculation = {"calcs": ["lastNotNull"], "fields": "", "values": False}
    options = {"colorMode": "none", "graphMode": "area", "reduceOptions": calculation}
    return {"options": options, "fieldConfig": {"defaults": {"unit": str(panel.unit)}, "overrides": []}}


def _time_series(panel: Panel) -> dict[str, Any]:
    custom: dict[str, Any] = {"fillOpacity": 20 if panel.stacked else 0, "showPoints": "never"}
    if panel.stacked:
        custom["stacking"] = {"group": "A", "mode": "normal"}
    legend = {"calcs": ["lastNotNull"], "displayMode": "list", "placement": "bottom", "showLegend": True}
    return {
        "options": {"legend": legend, "tooltip": {"mode": "multi", "sort": "desc"}},
        "fieldConfig": {"defaults": {"unit": str(panel.unit), "min": 0, "custom": custom}, "overrides": []},
    }


def _table(panel: Panel) -> dict[str, Any]:
    # The result of each query becomes a column beside those of the others with the same partition.
    columns = {f"Value #{letter}": line.name for letter, line in zip(ascii_uppercase, panel.lines, strict=False)}
    names = {"partition": "Partition", **columns}
    organized = {"excludeByName": {"Time": True, "namespace": True}, "indexByName": {}, "renameByName": names}
    return {
        "options": {"showHeader": True},
        "fieldConfig": {"defaults": {"unit": str(panel.unit), "decimals": 0}, "overrides": []},
        "transformations": [{"id": "merge", "options": {}}, {"id": "organize", "options": organized}],
    }


_LOOKS: Mapping[Kind, Callable[[Panel], dict[str, Any]]] = MappingProxyType(
    {Kind.STAT: _stat, Kind.TABLE: _table, Kind.TIME_SERIES: _time_series}
)


def dashboards_config_map(ref: ClusterRef, files: dict[str, str], options: DashboardsSpec) -> Manifest:
    """Return the ConfigMap with dashboards by the names of their files."""
    config_map = manifest("v1", "ConfigMap", ref, f"{ref.name}-dashboards", data=files)
    config_map["metadata"]["labels"] |= options.labels
    folder = {options.folder_annotation: options.folder} if options.folder is not None else {}
    if annotations := {**options.annotations, **folder}:
        config_map["metadata"]["annotations"] = annotations
    return config_map
