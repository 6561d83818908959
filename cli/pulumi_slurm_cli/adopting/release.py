"""What Helm keeps of a release: one Secret for each revision, with values and manifest.

Source: encodeRelease and decodeRelease in pkg/storage/driver/util.go of https://github.com/helm/helm, v3.18.4.
"""

import base64
import binascii
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from pulumi_slurm.user_error import UserError
from pulumi_slurm_cli.shapes import Shape, shape_errors

CHART = "slurm"
RECORDS = "owner=helm,name={name}"
"""The selector of a release's Secrets."""
_GZIP = b"\x1f\x8b\x08"


class AdoptionError(UserError):
    """A release can't be adopted at all; ``str(error)`` is for people."""


@dataclass(frozen=True, slots=True)
class Release:
    """A revision of a release that is deployed."""

    name: str
    namespace: str
    """Where the chart puts objects, which may be another than the release's own."""
    records: str
    """The release's own namespace, where Helm keeps its records; "" where the Secret doesn't say."""
    version: str
    """That of the chart, which is the operator's."""
    app_version: str
    """The chart's `appVersion`: a Slurm series."""
    objects: tuple[Mapping[str, Any], ...]
    """The objects of its manifest."""


def read_release(secrets: Iterable[Mapping[str, Any]], name: str) -> Release:
    """Return the deployed revision of a release from its Secrets; raise AdoptionError where there is none to adopt."""
    deployed = [secret for secret in secrets if _labels(secret).get("status") == "deployed"]
    deployed = [secret for secret in deployed if _labels(secret).get("name") == name]
    if not deployed:
        problem = "none of its revisions in this namespace is deployed"
        fix = "Name the release and its namespace as in `helm list -A`; end what is pending by `helm rollback`."
        raise AdoptionError(f"release {name}: {problem}. {fix}")
    secret = max(deployed, key=_revision)
    record = _record(secret, name)
    chart = record.chart.metadata
    if chart.name != CHART:
        problem = f"it is of the chart {chart.name}, and only Slinky's chart slurm makes a Slurm cluster"
        raise AdoptionError(f"release {name}: {problem}. Name a release of that, as in `helm list -A`.")
    objects = _objects(record.manifest, secret, name)
    namespaces = [item["metadata"].get("namespace") for item in objects if item["kind"] == "Controller"]
    records = str(secret["metadata"].get("namespace", ""))
    namespace = next(filter(None, namespaces), "")
    return Release(name, namespace, records, chart.version, chart.app_version or "", objects)


class _ChartMetadata(Shape):
    name: str
    version: str
    app_version: str | None = None


class _Chart(Shape):
    metadata: _ChartMetadata


class _Record(Shape):
    chart: _Chart
    manifest: str


class _ObjectMetadata(Shape):
    name: str
    namespace: str | None = None


class _Object(Shape):
    api_version: str
    kind: str
    metadata: _ObjectMetadata


def _labels(secret: Mapping[str, Any]) -> Mapping[str, str]:
    labels = secret["metadata"].get("labels")
    return labels if isinstance(labels, dict) else {}


def _revision(secret: Mapping[str, Any]) -> int:
    number = str(_labels(secret).get("version", ""))
    return int(number) if re.fullmatch(r"[0-9]{1,9}", number) else 0


def _record(secret: Mapping[str, Any], name: str) -> _Record:
    try:
        # Kubernetes encodes what Helm has encoded already.
        data = base64.b64decode(base64.b64decode(secret["data"]["release"]))
        return _Record.model_validate(json.loads(gzip.decompress(data) if data.startswith(_GZIP) else data))
    except (KeyError, TypeError, ValueError, OSError, EOFError, binascii.Error):
        raise _unreadable(secret, name) from None


def _objects(manifest: str, secret: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], ...]:
    try:
        objects = tuple(item for item in yaml.safe_load_all(manifest) if item)
    except yaml.YAMLError:
        raise _unreadable(secret, name) from None
    if any(shape_errors(_Object, item) for item in objects):
        raise _unreadable(secret, name)
    return objects


def _unreadable(secret: Mapping[str, Any], name: str) -> AdoptionError:
    problem = "this Secret has no record that can be read"
    fix = "Make a new one by `helm upgrade --reuse-values`."
    return AdoptionError(f"release {name}: {secret['metadata']['name']}: {problem}. {fix}")
