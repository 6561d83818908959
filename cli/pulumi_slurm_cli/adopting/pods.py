"""Pods of the chart as fields of a specification: what has a place there; the rest becomes overrides."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm_cli.adopting.live import Object

_SAME = (
    "affinity",
    "nodeSelector",
    "priorityClassName",
    "runtimeClassName",
    "serviceAccountName",
    "terminationGracePeriodSeconds",
    "topologySpreadConstraints",
)
"""Fields that are called and written as in Kubernetes."""
_HOST_NETWORK_DNS = "ClusterFirstWithHostNet"


def pod_fields(item: Object, container: str, *, with_metadata: bool) -> dict[str, Any]:
    """Return `pod` for an object whose main container has this name.

    ``with_metadata`` adds labels and annotations of the object itself, which the operator copies to its pods.
    """
    template = item["spec"].get("template") or {}
    spec = template.get("spec") or {}
    fields: dict[str, Any] = {}
    for name in ("labels", "annotations"):
        of_object = (item["metadata"].get(name) or {}) if with_metadata else {}
        fields[name] = {**of_object, **((template.get("metadata") or {}).get(name) or {})}
    fields |= {name: spec[name] for name in _SAME if spec.get(name)}
    fields["tolerations"] = _tolerations(spec.get("tolerations") or [])
    fields["imagePullSecrets"] = _names(spec.get("imagePullSecrets") or [])
    fields["hostNetwork"] = spec.get("hostNetwork") is True and spec.get("dnsPolicy") == _HOST_NETWORK_DNS
    fields["env"] = _environment((item["spec"].get(container) or {}).get("env") or [])
    return {name: value for name, value in fields.items() if value}


def _tolerations(items: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    # A field of ours says Equal where nothing is said, which is other text of the template.
    return [dict(item) for item in items] if all("operator" in item for item in items) else []


def _names(items: list[Mapping[str, Any]]) -> list[str]:
    return [str(item["name"]) for item in items] if all(item.keys() == {"name"} for item in items) else []


def _environment(items: list[Mapping[str, Any]]) -> dict[str, str]:
    """Return variables, unless they are more than names and values."""
    simple = all(item.keys() == {"name", "value"} for item in items)
    variables = {str(item["name"]): str(item["value"]) for item in items} if simple else {}
    return variables if len(variables) == len(items) else {}
