"""The SlurmCluster as it will be sent: `overrides` may have broken what the operator and its scripts depend on."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.ack.slurm.cluster_object import controllers, slurm_cluster
from pulumi_slurm.ack.slurm.names import MUNGE_FILE
from pulumi_slurm.ack.slurm.rules.context import ACK, RuleContext
from pulumi_slurm.errors import FieldError, Path

_OVERRIDES: Path = (*ACK, "overrides")
_FIELDS = {
    "mungeConfPath",
    "slurmConfPath",
    "slurmctld",
    "slurmdbd",
    "slurmrestd",
    "workerGroupSpecs",
}


def overrides_keep_the_cluster_whole(context: RuleContext) -> Iterator[FieldError]:
    """Refuse overrides with which a pod lacks its files, its size or its name."""
    spec = slurm_cluster(context.spec, context.pools, context.ack, "image")["spec"]
    for field in spec.keys() - _FIELDS:
        yield _error((field,), spec[field], "the operator knows no such field", "Leave it out.")
    templates = list(_templates(spec))
    for at, template in templates:
        yield from _mounted(at, template, spec)
    head = spec["slurmctld"]
    if "hostname" in head["template"].get("spec", {}):
        yield _error(
            ("slurmctld", "template", "spec", "hostname"),
            head["template"]["spec"]["hostname"],
            "the operator gives controllers their host name, which slurm.conf has to know",
            "Leave it out.",
        )
    wanted = controllers(context.ack)
    if head.get("replicas", 1) != wanted:
        problem = f"slurm.conf names {wanted} controller{'s' if wanted > 1 else ''}"
        fix = "Leave it out, and set ack.slurm.controllerHosts."
        yield _error(("slurmctld", "replicas"), head["replicas"], problem, fix)
    for index, group in enumerate(spec.get("workerGroupSpecs", [])):
        yield from _group(("workerGroupSpecs", index), group)
    names = [group.get("groupName") for group in spec.get("workerGroupSpecs", [])]
    if names != [group.name for group in context.groups]:
        problem = "slurm.conf speaks of the groups of cluster.nodeSets"
        yield _error(("workerGroupSpecs",), names, problem, "Leave groupName as it is.")


def _templates(spec: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for daemon in ("slurmctld", "slurmdbd", "slurmrestd"):
        if daemon in spec:
            yield (daemon, "template"), spec[daemon].get("template", {})
    for index, group in enumerate(spec.get("workerGroupSpecs", [])):
        yield ("workerGroupSpecs", index, "template"), group.get("template", {})


def _mounted(at: Path, template: Mapping[str, Any], spec: Mapping[str, Any]) -> Iterator[FieldError]:
    pod = template.get("spec", {})
    containers = pod.get("containers") or [{}]
    mounts = {mount.get("name"): mount.get("mountPath") for mount in containers[0].get("volumeMounts", [])}
    for volume, field in (("munge", "mungeConfPath"), ("config", "slurmConfPath")):
        if mounts.get(volume) != spec.get(field):
            file = MUNGE_FILE if volume == "munge" else "slurm.conf"
            problem = f"the start script looks for {file} in {spec.get(field)}, which is {field}"
            fix = "Leave it out; ack.slurm.mungePath and ack.slurm.configPath say where both are mounted."
            yield _error((*at, "spec", "containers", 0, "volumeMounts"), mounts.get(volume), problem, fix)


def _group(at: Path, group: Mapping[str, Any]) -> Iterator[FieldError]:
    replicas = group.get("replicas", 0)
    if not isinstance(replicas, int) or replicas < 0:
        yield _error((*at, "replicas"), replicas, "this is no number of workers", "Leave it out.")
    for field, item_type in (("podsToBeCreated", int), ("podsToBeDeleted", str)):
        for position, item in enumerate(group.get(field, [])):
            if not isinstance(item, item_type) or isinstance(item, bool):
                word = "numbers of workers" if item_type is int else "names of pods"
                problem = f"the operator takes {word} here, and the API server refuses all else"
                yield _error((*at, field, position), item, problem, "Leave it out: Slurm's own programs write it.")
    containers = group.get("template", {}).get("spec", {}).get("containers") or [{}]
    limits = (containers[0].get("resources") or {}).get("limits") or {}
    where = (*at, "template", "spec", "containers", 0, "resources", "limits")
    for amount in ("cpu", "memory"):
        if amount not in limits:
            problem = "without it Slurm takes the whole machine for the worker's"
            yield _error((*where, amount), FieldError.ABSENT, problem, "Leave resources as they are.")
    cpu = str(limits.get("cpu", "1"))
    if not cpu.isdigit():
        problem = "Slurm counts whole CPUs, and would round this up past what the pod may use"
        yield _error((*where, "cpu"), cpu, problem, "Write a whole number.")


def _error(at: Path, value: Any, problem: str, fix: str) -> FieldError:
    return FieldError((*_OVERRIDES, *at), value, problem, fix)
