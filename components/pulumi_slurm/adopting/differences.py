"""What objects of ours would change of live ones, and the overrides by which they change nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.adopting.go_form import dropped, merged_form, node_set_form
from pulumi_slurm.adopting.live import Object

Steps = tuple[str, ...]

_BY_MEANING: Mapping[str, tuple[Steps, ...]] = MappingProxyType(
    {
        # As lines of slurm.conf, see `pulumi_slurm.adopting.slurm_conf.changes`.
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
_OF_CRD: Mapping[str, Mapping[Steps, Any]] = MappingProxyType(
    {
        "Accounting": MappingProxyType(
            {("storageConfig", "database"): "slurm_acct_db", ("storageConfig", "port"): 3306}
        ),
        "Controller": MappingProxyType({("persistence", "enabled"): True}),
        "LoginSet": MappingProxyType({("replicas",): 1}),
        "NodeSet": MappingProxyType(
            {
                ("ordinalPadding",): 0,
                ("persistentVolumeClaimRetentionPolicy", "whenDeleted"): "Retain",
                ("persistentVolumeClaimRetentionPolicy", "whenScaled"): "Retain",
                ("replicas",): 1,
                ("revisionHistoryLimit",): 0,
                ("minReadySeconds",): 0,
                ("scalingMode",): "StatefulSet",
                ("taintKubeNodes",): False,
                ("updateStrategy", "rollingUpdate", "maxUnavailable"): "25%",
                ("updateStrategy", "type"): "RollingUpdate",
                ("workloadDisruptionProtection",): True,
            }
        ),
        "RestApi": MappingProxyType({("replicas",): 1}),
    }
)
"""Defaults that the API server writes into objects: config/crd/bases of slurm-operator, v1.1.0."""
_OFF: Mapping[str, tuple[Steps, ...]] = MappingProxyType({"Controller": (("metrics", "serviceMonitor"),)})
"""Parts that do nothing unless their own `enabled` is true."""
_OF_PODS = frozenset(
    {"template", "slurmctld", "reconfigure", "logfile", "slurmdbd", "slurmrestd", "slurmd", "login", "initconf", "ssh"}
)
"""Fields that end in pods, besides the lines of slurmd and slurmdbd."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field that is not the same."""

    steps: Steps
    live: Any
    """None where there is nothing."""
    ours: Any
    """None where there is nothing."""

    @property
    def is_of_pods(self) -> bool:
        """Whether it would restart pods."""
        return self.steps[0] in _OF_PODS or self.steps == ("extraConf",)


def differences(live: Object, ours: Object) -> list[FieldDifference]:
    """Return what our object would change of a live one of the same kind, by paths below ``spec``."""
    kind = str(live["kind"])
    form = node_set_form if kind == "NodeSet" else merged_form
    old, new = (form(_pods_metadata(item, kind)) for item in (live, ours))
    skipped = {*_BY_MEANING.get(kind, ())}
    skipped |= {steps for steps in _OFF.get(kind, ()) if not _at(live["spec"], (*steps, "enabled"))}
    return [
        found
        for found in _compare(old, new, ())
        if not any(found.steps[: len(steps)] == steps for steps in skipped)
        and not (found.ours is None and _OF_CRD.get(kind, {}).get(found.steps) == found.live)
        and not (found.live is None and _OF_CRD.get(kind, {}).get(found.steps) == found.ours)
    ]


def _pods_metadata(item: Object, kind: str) -> dict[str, Any]:
    """Return the spec of an object with the metadata that its pods get, and with references as the operator reads them.

    Of a NodeSet only the template counts. Of an Accounting's template the operator ignores it. Source: the functions
    with podTemplate in their names in internal/builder of slurm-operator, v1.1.0.
    """
    spec: dict[str, Any] = {**item["spec"]}
    template = dict(spec.get("template") or {})
    if kind != "NodeSet" and not spec.get("external"):
        in_template = {} if kind == "Accounting" else template.get("metadata") or {}
        template["metadata"] = in_template | {
            name: {**(item["metadata"].get(name) or {}), **(in_template.get(name) or {})}
            for name in ("labels", "annotations")
        }
        spec["template"] = template
    for name in _REFERENCES:
        if spec.get(name):
            spec[name] = sorted(reference["name"] for reference in spec[name])
    return spec


def _compare(old: Any, new: Any, steps: Steps) -> Iterator[FieldDifference]:
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
        yield FieldDifference(steps, old, new)


def _at(data: Any, steps: Steps) -> Any:
    for step in steps:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def without_effect(item: Object) -> Iterator[Steps]:
    """Yield the fields of an object that the operator drops, and parts that are off, where a reader could miss them."""
    kind = str(item["kind"])
    yield from (
        steps for steps in _OFF.get(kind, ()) if _at(item["spec"], steps) and not _at(item["spec"], (*steps, "enabled"))
    )
    if kind != "NodeSet":
        yield from (steps for steps in dropped(item["spec"]) if steps[0] in _OF_PODS)
