"""The resulting SlurmCluster, in which `overrides` must not break what the operator and its scripts depend on."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.ack_slurm.manifests.cluster_object import controller_count, slurm_cluster
from pulumi_slurm.ack_slurm.manifests.names import MUNGE_FILE
from pulumi_slurm.ack_slurm.rules.context import ACK, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.manifests.objects import merged
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules.override_shapes import not_a_list, not_a_mapping, removes_all
from pulumi_slurm.rules.run import Rule

_OVERRIDES: Path = (*ACK, "overrides")
_FIELDS = frozenset(
    {
        "mungeConfPath",
        "slurmConfPath",
        "slurmctld",
        "slurmdbd",
        "slurmrestd",
        "workerGroupSpecs",
    }
)
_DAEMONS = ("slurmdbd", "slurmrestd")
"""Daemons that a cluster may be without."""


def overrides_keep_required_fields(context: RuleContext) -> Iterator[FieldError]:
    """Refuse overrides that remove the files, the size or the name of a pod."""
    without_overrides = with_fields(context.ack, overrides={})
    base = slurm_cluster(context.spec, context.pools, without_overrides, "image")["spec"]
    daemons: dict[str, Any] = {daemon: {"template": {"spec": {"containers": [{}]}}} for daemon in _DAEMONS}
    wrong_shapes = list(_wrong_shapes(_OVERRIDES, {**daemons, **base}, context.ack.overrides))
    if wrong_shapes:
        yield from wrong_shapes
        return
    spec = merged(base, context.ack.overrides)
    for field in spec.keys() - _FIELDS:
        yield _error((field,), spec[field], "the operator has no such field", "Leave it out.")
    for at, template in _templates(spec):
        yield from _missing_mounts(at, template, spec)
    slurmctld = spec["slurmctld"]
    if "hostname" in slurmctld["template"].get("spec", {}):
        yield _error(
            ("slurmctld", "template", "spec", "hostname"),
            slurmctld["template"]["spec"]["hostname"],
            "the operator sets the host names of controllers, which slurm.conf has to contain",
            "Leave it out.",
        )
    expected = controller_count(context.ack)
    if slurmctld.get("replicas", 1) != expected:
        problem = f"slurm.conf has {expected} controller{'s' if expected > 1 else ''}"
        fix = "Leave it out, and set ack.slurm.controllerHosts."
        yield _error(("slurmctld", "replicas"), slurmctld["replicas"], problem, fix)
    for index, group in enumerate(spec.get("workerGroupSpecs", [])):
        yield from _group_errors(("workerGroupSpecs", index), group)
    names = [group.get("groupName") for group in spec.get("workerGroupSpecs", [])]
    if names != [group.name for group in context.groups]:
        problem = "slurm.conf refers to the groups of cluster.nodeSets"
        yield _error(("workerGroupSpecs",), names, problem, "Leave groupName as it is.")


def _wrong_shapes(at: Path, base: Any, override: Any) -> Iterator[FieldError]:
    """Refuse null and values of another type than the one that they are laid over."""
    if override is None:
        if base is not None:
            yield removes_all(at)
    elif isinstance(base, Mapping):
        if not isinstance(override, Mapping):
            yield not_a_mapping(at, override)
            return
        for field, value in override.items():
            if field in base:
                yield from _wrong_shapes((*at, field), base[field], value)
    elif isinstance(base, list):
        if not isinstance(override, list):
            yield not_a_list(at, override)
            return
        for index, item in enumerate(override if base else []):
            yield from _wrong_shapes((*at, index), base[0], item)


def _templates(spec: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for daemon in ("slurmctld", "slurmdbd", "slurmrestd"):
        if daemon in spec:
            yield (daemon, "template"), spec[daemon].get("template", {})
    for index, group in enumerate(spec.get("workerGroupSpecs", [])):
        yield ("workerGroupSpecs", index, "template"), group.get("template", {})


def _missing_mounts(at: Path, template: Mapping[str, Any], spec: Mapping[str, Any]) -> Iterator[FieldError]:
    pod = template.get("spec", {})
    containers = pod.get("containers") or [{}]
    mounts = {mount.get("name"): mount.get("mountPath") for mount in containers[0].get("volumeMounts", [])}
    for volume, field in (("munge", "mungeConfPath"), ("config", "slurmConfPath")):
        if mounts.get(volume) != spec.get(field):
            file = MUNGE_FILE if volume == "munge" else "slurm.conf"
            problem = f"the start script looks for {file} in {field}, {spec.get(field)}"
            mount = "mungePath" if volume == "munge" else "configPath"
            fix = f'Leave "{field}" and "volumeMounts" out; set ack.slurm.{mount} instead.'
            yield _error((*at, "spec", "containers", 0, "volumeMounts"), mounts.get(volume), problem, fix)


def _group_errors(at: Path, group: Mapping[str, Any]) -> Iterator[FieldError]:
    replicas = group.get("replicas", 0)
    if not isinstance(replicas, int) or replicas < 0:
        yield _error((*at, "replicas"), replicas, "this is not a number of workers", "Leave it out.")
    for field, item_type in (("podsToBeCreated", int), ("podsToBeDeleted", str)):
        for index, item in enumerate(group.get(field, [])):
            if not isinstance(item, item_type) or isinstance(item, bool):
                items = "numbers of workers" if item_type is int else "names of pods"
                problem = f"the operator expects {items} here, and the API server refuses anything else"
                yield _error((*at, field, index), item, problem, "Leave it out: Slurm's own programs write it.")
    containers = group.get("template", {}).get("spec", {}).get("containers") or [{}]
    limits = (containers[0].get("resources") or {}).get("limits") or {}
    limits_path = (*at, "template", "spec", "containers", 0, "resources", "limits")
    for resource in ("cpu", "memory"):
        if resource not in limits:
            problem = "without it Slurm would use the whole machine for the worker"
            yield _error((*limits_path, resource), FieldError.ABSENT, problem, "Leave resources as they are.")
    cpu = str(limits.get("cpu", "1"))
    if not cpu.isdigit():
        problem = "Slurm counts whole CPUs, and would round this up past what the pod may use"
        yield _error((*limits_path, "cpu"), cpu, problem, "Write a whole number.")


def _error(at: Path, value: Any, problem: str, fix: str) -> FieldError:
    return FieldError((*_OVERRIDES, *at), value, problem, fix)


RULES: tuple[Rule, ...] = (overrides_keep_required_fields,)
