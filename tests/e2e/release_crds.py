"""The objects of slurm-operator in other releases than the one that runs: a real API server has their schemas.

The schemas are those of `tests/crds/slinky`, under API groups of their own. Neither operator nor webhook look at them.
"""

from collections.abc import Mapping
from typing import Any

from devcluster.api import ApiError
from pulumi_slurm.manifests.objects import SLINKY_API
from pulumi_slurm.model import OperatorVersion
from pulumi_slurm.model.releases.operator_fields import SOURCES
from tests.e2e.objects import Object, Objects
from tests.waiting import eventually_nothing
from tools.operator_fields import kept_schemas

RUNNING = (1, 1)
"""The minor release of the operator that runs, whose own CRDs are there."""


def install(objects: Objects) -> list[str]:
    """Create the CRDs of all minor releases but the one that runs, and return their names."""
    names = []
    for minor, release in SOURCES.items():
        if minor == RUNNING:
            continue
        for kind, schema in kept_schemas(release).items():
            crd = _crd(minor, kind, schema)
            objects.create(crd)
            names.append(crd["metadata"]["name"])
    eventually_nothing("APIs that are not served", lambda: _not_served(objects, names))
    # The server learns the schemas for server-side apply a moment after it serves the objects.
    minors = [minor for minor in SOURCES if minor != RUNNING]
    eventually_nothing("schemas that are not known", lambda: _refusals(objects, minors))
    return names


def remove(objects: Objects, names: list[str]) -> None:
    """Delete the CRDs."""
    for name in names:
        objects.delete("CustomResourceDefinition", None, name)


def of_release(item: Mapping[str, Any], operator: OperatorVersion) -> Object:
    """Return an object of slurm-operator as one of the release's schemas; others are returned as they are."""
    if item["apiVersion"] != SLINKY_API or operator.minor == RUNNING:
        return dict(item)
    return {
        **item,
        "apiVersion": f"{_group(operator.minor)}/v1beta1",
        "kind": _kind(operator.minor, item["kind"]),
    }


def _group(minor: tuple[int, int]) -> str:
    return f"v{minor[0]}-{minor[1]}.slinky.test"


def _kind(minor: tuple[int, int], kind: str) -> str:
    return f"{kind}V{minor[0]}{minor[1]}"


def _crd(minor: tuple[int, int], kind: str, schema: Mapping[str, Any]) -> Object:
    name = _kind(minor, kind)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name.lower()}s.{_group(minor)}"},
        "spec": {
            "group": _group(minor),
            "scope": "Namespaced",
            "names": {"kind": name, "listKind": f"{name}List", "plural": f"{name.lower()}s", "singular": name.lower()},
            "versions": [
                {
                    "name": "v1beta1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}},
                }
            ],
        },
    }


def _not_served(objects: Objects, names: list[str]) -> list[Object]:
    crds = [objects.get("CustomResourceDefinition", None, name) for name in names]
    return [crd for crd in crds if not _is_served(crd)]


def _is_served(crd: Object) -> bool:
    conditions = crd.get("status", {}).get("conditions", [])
    return any(item["type"] == "Established" and item["status"] == "True" for item in conditions)


def _refusals(objects: Objects, minors: list[tuple[int, int]]) -> list[ApiError]:
    """Return what is said where objects can't be applied yet."""
    answers = [_apply(objects, minor) for minor in minors]
    return [answer for answer in answers if answer is not None]


def _apply(objects: Objects, minor: tuple[int, int]) -> ApiError | None:
    item = {
        "apiVersion": f"{_group(minor)}/v1beta1",
        "kind": _kind(minor, "RestApi"),
        "metadata": {"name": "probe", "namespace": "default"},
        "spec": {"controllerRef": {"name": "c"}},
    }
    try:
        objects.apply(item, dryRun="All")
    except ApiError as error:
        if error.status not in {404, 429, 503}:
            raise
        return error
    return None
