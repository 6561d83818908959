"""The reconstructed CRDs, by which objects are checked as an API server with strict validation would."""

from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from pulumi_slurm.manifests.objects import Manifest

FOLDER = Path(__file__).parents[2] / "crds" / "ack"


def complaints(manifest: Manifest) -> list[str]:
    """Return the errors that an API server would report for an object, including unknown fields."""
    validator = jsonschema.Draft202012Validator(_schema(manifest["apiVersion"], manifest["kind"]))
    return [f"{'.'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(manifest)]


@cache
def _schema(api_version: str, kind: str) -> dict[str, Any]:
    for path in FOLDER.glob("*.yaml"):
        crd = yaml.safe_load(path.read_text(encoding="utf-8"))
        group, names, versions = crd["spec"]["group"], crd["spec"]["names"], crd["spec"]["versions"]
        for version in versions:
            if names["kind"] == kind and f"{group}/{version['name']}" == api_version:
                schema: dict[str, Any] = _strict(version["schema"]["openAPIV3Schema"])
                # The API server has its own schema of metadata.
                schema["properties"]["metadata"] = {"type": "object"}
                return schema
    raise AssertionError(f"no CRD serves {kind} of {api_version}")


def _strict(schema: Any) -> Any:
    """Return the schema with unknown fields forbidden, unless it preserves them."""
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict_schema = {key: _strict(value) for key, value in schema.items() if not key.startswith("x-kubernetes-")}
    if schema.get("x-kubernetes-int-or-string"):
        strict_schema["type"] = ["integer", "string"]
    if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
        strict_schema.setdefault("additionalProperties", False)
    return strict_schema
