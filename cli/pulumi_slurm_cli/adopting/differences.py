"""What objects of ours would change of live ones, and the overrides by which they change nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.model import OperatorVersion
from pulumi_slurm.model.node_set_fields import IN_WORKERS
from pulumi_slurm.model.releases.operator_fields import DEFAULTS
from pulumi_slurm.model.value_at import value_at
from pulumi_slurm_cli.adopting.go_form import dropped, merged_form, node_set_form
from pulumi_slurm_cli.adopting.images import pull_policy
from pulumi_slurm_cli.adopting.live import Object

Steps = tuple[str, ...]

_BY_MEANING: Mapping[str, tuple[Steps, ...]] = MappingProxyType(
    {
        # As lines of slurm.conf, see `pulumi_slurm_cli.adopting.slurm_conf.changes`.
        "Controller": (("extraConf",),),
        "NodeSet": (("partition", "enabled"), ("partition", "config")),
    }
)
"""Fields that are compared elsewhere."""
_REFERENCES = (
    "configFileRefs",
    "prologScriptRefs",
    "epilogScriptRefs",
    "prologSlurmctldScriptRefs",
    "epilogSlurmctldScriptRefs",
)
"""Lists of references to ConfigMaps, of which the operator reads the names alone."""
_NOTHING: Mapping[str, Mapping[Steps, Any]] = MappingProxyType(
    {
        "NodeSet": MappingProxyType({("minReadySeconds",): 0}),
    }
)
"""Values that are those of a field that is left out, in addition to the defaults of the CRDs."""
_OFF: Mapping[str, tuple[Steps, ...]] = MappingProxyType({"Controller": (("metrics", "serviceMonitor"),)})
"""Parts that do nothing unless their own `enabled` is true."""
OF_PODS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Accounting": frozenset({"extraConf", "jwksKeyRef", "slurmdbd", "storageConfig", "template"}),
        "Controller": frozenset({"jwksKeyRef", "logfile", "reconfigure", "slurmctld", "template", *_REFERENCES}),
        "LoginSet": frozenset({"extraSshdConfig", "initconf", "login", "sssdConfRef", "template"}),
        "NodeSet": IN_WORKERS,
        "RestApi": frozenset({"slurmrestd", "template"}),
    }
)
"""Fields that end in pods. Source: internal/builder of slurm-operator, v1.1.0 to main of 2026-08-20."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field that is not the same."""

    kind: str
    """Of its object."""
    steps: Steps
    live: Any
    """None where there is nothing."""
    rendered: Any
    """None where there is nothing."""

    @property
    def is_of_pods(self) -> bool:
        """Whether it would restart pods."""
        return self.steps[0] in OF_PODS[self.kind]


def differences(live: Object, rendered: Object, operator: OperatorVersion) -> list[FieldDifference]:
    """Return what our object would change of a live one of the same kind, by paths below ``spec``."""
    kind = str(live["kind"])
    form = node_set_form if kind == "NodeSet" else merged_form
    old, new = (form(_of_pods(item, kind, operator)) for item in (live, rendered))
    skipped = {*_BY_MEANING.get(kind, ())}
    skipped |= {steps for steps in _OFF.get(kind, ()) if not value_at(live["spec"], *steps, "enabled")}
    return [
        FieldDifference(kind, steps, old_value, new_value)
        for steps, old_value, new_value in _compare(old, new, ())
        if not any(steps[: len(path)] == path for path in skipped)
        and not (None in (old_value, new_value) and _default(kind, steps) in (old_value, new_value))
    ]


def _default(kind: str, steps: Steps) -> Any:
    return DEFAULTS[kind].get(".".join(steps), _NOTHING.get(kind, {}).get(steps, _ABSENT))


_ABSENT = object()


def _of_pods(item: Object, kind: str, operator: OperatorVersion) -> dict[str, Any]:
    """Return the spec of an object with the metadata that its pods get, and with references as the operator reads them.

    Of a NodeSet only the template counts. Of an Accounting's template the operator ignores it. Source: the functions
    with podTemplate in their names in internal/builder of slurm-operator, v1.0.5 to v1.2.1.
    """
    spec: dict[str, Any] = {**item["spec"]}
    template = dict(spec.get("template") or {})
    if kind != "NodeSet" and not spec.get("external"):
        in_template = {} if kind == "Accounting" else template.get("metadata") or {}
        passed_on = item["metadata"] if operator.passes_on_metadata else {}
        template["metadata"] = in_template | {
            name: {**(passed_on.get(name) or {}), **(in_template.get(name) or {})} for name in ("labels", "annotations")
        }
        spec["template"] = template
    for name in _REFERENCES:
        if spec.get(name):
            spec[name] = sorted(reference["name"] for reference in spec[name])
    if kind != "NodeSet":
        # What a container's pod doesn't say, the API server adds.
        spec |= {
            name: {**value, "imagePullPolicy": pull_policy(value)}
            for name, value in spec.items()
            if name in OF_PODS[kind] and isinstance(value, Mapping) and value.get("image")
        }
    return spec


def _compare(old: Any, new: Any, steps: Steps) -> Iterator[tuple[Steps, Any, Any]]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _compare(old.get(key), new.get(key), (*steps, str(key)))
    elif isinstance(old, Mapping) and new is None and old:
        # Each field alone, so that an override has no more than it needs.
        for key in old:
            yield from _compare(old[key], None, (*steps, str(key)))
    elif isinstance(new, Mapping) and old is None and new:
        for key in new:
            yield from _compare(None, new[key], (*steps, str(key)))
    elif old != new:
        yield steps, old, new


def without_effect(item: Object) -> Iterator[Steps]:
    """Yield the fields of an object that the operator drops, and parts that are off, where a reader could miss them."""
    kind = str(item["kind"])
    yield from (
        steps
        for steps in _OFF.get(kind, ())
        if value_at(item["spec"], *steps) and not value_at(item["spec"], *steps, "enabled")
    )
    if kind != "NodeSet":
        yield from (steps for steps in dropped(item["spec"]) if steps[0] in OF_PODS[kind])
