"""What the charts of all minor releases make, see `charts/`, as the API server stores it."""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from pulumi_slurm.model.releases.operator_fields import SOURCES
from pulumi_slurm_cli.adopting import Adoption, LiveObjects, adopt, read_release
from tests.unit.adopting.chart import HELM, RELEASE, Object, record
from tools.operator_fields import kept_schemas

RELEASES = [*SOURCES.values()]
SETS = ("defaults", "one of each")


def manifest(release: str, which: str) -> list[Object]:
    """Return the objects of a chart's manifest."""
    text = (Path(__file__).parent / "charts" / f"{release}.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    objects: list[Object] = data[which]
    return objects


def with_helms(item: Object) -> Object:
    """Return an object as Helm sends it."""
    metadata = item["metadata"]
    return {**item, "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), **HELM}}}


def stored(release: str, item: Object) -> Object:
    """Return an object of a manifest as the API server stores it: without nulls, and with the defaults of the CRD.

    Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting.
    """
    schema = kept_schemas(release).get(item["kind"])
    sent = with_helms(copy.deepcopy(item))
    return {**sent, "spec": _defaulted(sent["spec"], schema)} if schema else sent


def _defaulted(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, list) and "items" in schema:
        return [_defaulted(item, schema["items"]) for item in value]
    if not isinstance(value, dict):
        return value
    fields = schema.get("properties", {})
    kept = {
        name: item
        for name, item in value.items()
        if item is not None or name not in fields or fields[name].get("nullable")
    }
    kept |= {name: field["default"] for name, field in fields.items() if "default" in field and name not in kept}
    return {name: _defaulted(item, fields.get(name, {})) for name, item in kept.items()}


def adopted(release: str, objects: list[Object], live: list[Object]) -> Adoption:
    """Return what a release of the chart comes to."""
    version = release.removesuffix("-rc1")
    series = objects[0]["metadata"]["labels"]["app.kubernetes.io/version"]
    return adopt(read_release([record(objects, version=version, appVersion=series)], RELEASE), LiveObjects(live))
