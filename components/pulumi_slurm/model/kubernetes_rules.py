"""What Kubernetes asks of fields together, in values of its form that decide where pods run and how they are scaled.

The API server takes an object of slurm-operator with any of these values. Then the operator can't make the pods, or
KEDA the autoscaler, and `pulumi up` is green.

Source: pkg/apis/core/validation/validation.go and pkg/apis/autoscaling/validation/validation.go of
https://github.com/kubernetes/kubernetes, and apimachinery/pkg/apis/meta/v1/validation/validation.go, all of 1.35.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.errors import FieldError, FreeKey, Path
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.kubernetes_checks import Errors, Rule, between, checked, refusal, required
from pulumi_slurm.model.kubernetes_volumes import RULES_OF_VOLUMES

_TOPOLOGY_KEY = "Write the key of a node's label, such as kubernetes.io/hostname."
_INTEGER = re.compile(r"[+-]?[0-9]+")


def errors_between_fields(of_type: str, value: Mapping[str, Any], path: Path) -> Errors:
    """Yield the errors of a value whose fields have the form of a type, such as "Affinity"."""
    if rule := _RULES.get(of_type):
        yield from rule(value, path)


def errors_between_items(of_type: str, items: list[Any], path: Path) -> Errors:
    """Yield the errors of a list of values of a type."""
    if of_type == "TopologySpreadConstraint":
        yield from _of_equal_constraints(items, path)


def _of_requirement(value: Mapping[str, Any], path: Path) -> Errors:
    key, operator, values = value.get("key"), value.get("operator"), value.get("values") or []
    yield from required(value, "key", path, "Write the key of a label.")
    yield from required(value, "operator", path, "Write In, NotIn, Exists or DoesNotExist.")
    if key:
        yield from checked(kubernetes_names.label_key, key, (*path, "key"))
    at, shown = (*path, "values"), value.get("values", FieldError.ABSENT)
    if operator in ("In", "NotIn"):
        if not values:
            yield refusal(at, shown, f"{operator} takes at least one value", "Write values, or the operator Exists.")
        for index, text in enumerate(values):
            yield from checked(kubernetes_names.label_value, text, (*at, index))
    elif operator in ("Exists", "DoesNotExist") and values:
        yield refusal(at, shown, f"{operator} takes no values", "Leave them out, or write the operator In.")
    elif operator in ("Gt", "Lt") and not (len(values) == 1 and _INTEGER.fullmatch(values[0])):
        # The API server takes one that is no integer, which no node fulfills.
        yield refusal(at, shown, f"{operator} takes one integer", 'Write for example ["8"].')


def _of_field_requirement(value: Mapping[str, Any], path: Path) -> Errors:
    """Yield the errors of an item of `matchFields`, which knows the name of a node alone."""
    key, operator, values = value.get("key"), value.get("operator"), value.get("values") or []
    if key != "metadata.name":
        shown = value.get("key", FieldError.ABSENT)
        yield refusal(
            (*path, "key"), shown, "Kubernetes knows no other field than metadata.name", "Write metadata.name."
        )
    if operator not in ("In", "NotIn"):
        shown = value.get("operator", FieldError.ABSENT)
        yield refusal((*path, "operator"), shown, "Kubernetes takes no other word for a field", "Write In or NotIn.")
    elif len(values) != 1:
        shown = value.get("values", FieldError.ABSENT)
        yield refusal((*path, "values"), shown, f"{operator} takes one value here", "Write the name of one node.")


def _of_node_requirement(value: Mapping[str, Any], path: Path) -> Errors:
    is_of_a_field = path[-2:-1] == ("matchFields",)
    yield from (_of_field_requirement if is_of_a_field else _of_requirement)(value, path)


def _of_label_selector(value: Mapping[str, Any], path: Path) -> Errors:
    for key, text in (value.get("matchLabels") or {}).items():
        at = (*path, "matchLabels", FreeKey(str(key)))
        yield from checked(kubernetes_names.label_key, str(key), at)
        yield from checked(kubernetes_names.label_value, text, at)


def _of_node_selector(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "nodeSelectorTerms", path, "Write at least one term.")


def _of_preferred_nodes(value: Mapping[str, Any], path: Path) -> Errors:
    yield from between(value, "weight", 1, 100, path)


def _of_preferred_pods(value: Mapping[str, Any], path: Path) -> Errors:
    yield from between(value, "weight", 1, 100, path)
    yield from required(value, "podAffinityTerm", path, "Write labelSelector and topologyKey in it.")


def _of_label_keys(value: Mapping[str, Any], field: str, path: Path) -> Errors:
    keys = value.get(field) or []
    if keys and value.get("labelSelector") is None:
        problem = "Kubernetes takes it beside labelSelector alone"
        yield refusal((*path, field), FieldError.ABSENT, problem, "Write labelSelector, or leave it out.")
    for index, key in enumerate(keys):
        yield from checked(kubernetes_names.label_key, key, (*path, field, index))


def _of_pod_term(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "topologyKey", path, _TOPOLOGY_KEY)
    if value.get("topologyKey"):
        yield from checked(kubernetes_names.label_key, value["topologyKey"], (*path, "topologyKey"))
    for field in ("matchLabelKeys", "mismatchLabelKeys"):
        yield from _of_label_keys(value, field, path)
    both = {*(value.get("matchLabelKeys") or ())} & {*(value.get("mismatchLabelKeys") or ())}
    if both:
        problem = "mismatchLabelKeys has it too"
        yield refusal((*path, "matchLabelKeys"), FieldError.ABSENT, problem, "Write each key in one of them.")
    for index, name in enumerate(value.get("namespaces") or []):
        yield from checked(kubernetes_names.object_name, name, (*path, "namespaces", index))


def _of_spread(value: Mapping[str, Any], path: Path) -> Errors:
    yield from between(value, "maxSkew", 1, None, path)
    yield from required(value, "topologyKey", path, _TOPOLOGY_KEY)
    yield from required(value, "whenUnsatisfiable", path, "Write DoNotSchedule or ScheduleAnyway.")
    yield from _of_label_keys(value, "matchLabelKeys", path)
    if value.get("minDomains") is not None:
        yield from between(value, "minDomains", 1, None, path)
        if value.get("whenUnsatisfiable") == "ScheduleAnyway":
            problem = "Kubernetes takes it with DoNotSchedule alone"
            yield refusal((*path, "minDomains"), value["minDomains"], problem, "Leave it out, or write DoNotSchedule.")


def _of_equal_constraints(items: list[Any], path: Path) -> Errors:
    pairs = set()
    for index, item in enumerate(items):
        pair = (item.get("topologyKey"), item.get("whenUnsatisfiable")) if isinstance(item, Mapping) else None
        if pair and all(isinstance(word, str) for word in pair):
            if pair in pairs:
                problem = f"one before it has {pair[0]} and {pair[1]} too"
                fix = "Write one of them for a topologyKey and a whenUnsatisfiable."
                yield refusal((*path, index), FieldError.ABSENT, problem, fix)
            pairs.add(pair)


def _of_scaling(value: Mapping[str, Any], path: Path) -> Errors:
    if value.get("stabilizationWindowSeconds") is not None:
        yield from between(value, "stabilizationWindowSeconds", 0, 3600, path)
    if not value.get("policies", True):
        yield from required(value, "policies", path, "Write at least one, or leave it out for Kubernetes' own.")


def _of_scaling_policy(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "type", path, "Write Pods or Percent.")
    yield from between(value, "value", 1, None, path)
    yield from between(value, "periodSeconds", 1, 1800, path)


_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "HPAScalingPolicy": _of_scaling_policy,
        "HPAScalingRules": _of_scaling,
        "LabelSelector": _of_label_selector,
        "LabelSelectorRequirement": _of_requirement,
        "NodeSelector": _of_node_selector,
        "NodeSelectorRequirement": _of_node_requirement,
        "PodAffinityTerm": _of_pod_term,
        "PreferredSchedulingTerm": _of_preferred_nodes,
        "TopologySpreadConstraint": _of_spread,
        "WeightedPodAffinityTerm": _of_preferred_pods,
        **RULES_OF_VOLUMES,
    }
)
