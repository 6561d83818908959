"""Fields of pods that Slurm Bridge requires of any workload, and those that it refuses.

Source: internal/admission/admission.go and `parseGPUDevicePlugin` in internal/utils/slurmjobir/slurmjobir.go of
https://github.com/SlinkyProject/slurm-bridge, v1.1.2 and v1.2.1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, FreeKey, Path, Severity, nearest
from pulumi_slurm.manifests.objects import Manifest, merged
from pulumi_slurm.model.bridge_work import (
    DEVICE_CLASS_PREFIX,
    DEVICE_CLASSES,
    OLD_WORK_PREFIX,
    SUFFIXES,
    WORK_PREFIX,
    BridgedGpusSpec,
    GpuResource,
)

JOB_ID = "scheduler.slinky.slurm.net/slurm-jobid"
JOB_NODE = "slinky.slurm.net/slurm-node"
POD_GROUP = "scheduling.x-k8s.io/pod-group"
DEFAULT_SCHEDULER = "default-scheduler"
_LEAVE_OUT = "Leave it out."
_UNSEEN = MappingProxyType(
    {
        "nodeSelector": "on a node without these labels its kubelet ends the pod when it is bound",
        "affinity": "on a node that a required nodeAffinity excludes its kubelet ends the pod when it is bound",
        "topologySpreadConstraints": "from 1.3 on the bridge refuses the pod",
    }
)
"""Fields by which a scheduler chooses nodes, none of which the bridge's looks at, and what then happens."""
_LABELS_OF_EVERY_NODE = frozenset({"kubernetes.io/os", "kubernetes.io/arch"})
_DRA_CPU = f"{DEVICE_CLASS_PREFIX}dra.cpu"


def pod_template(
    template: Mapping[str, Any], scheduler: str, gpus: BridgedGpusSpec | None, **metadata: Any
) -> Manifest:
    """Return a pod, or a template of pods, with the bridge as its scheduler; ``metadata`` is added to its own."""
    spec: Manifest = {**template["spec"], "schedulerName": scheduler}
    if gpus:
        first, *others = spec["containers"]
        resources = first.get("resources") or {}
        limits = {**(resources.get("limits") or {}), gpus.key: str(gpus.count)}
        spec["containers"] = [{**first, "resources": {**resources, "limits": limits}}, *others]
    template_metadata = template.get("metadata") or {}
    return {
        **template,
        **({"metadata": merged(template_metadata, metadata)} if template_metadata or metadata else {}),
        "spec": spec,
    }


def metadata_errors(metadata: Any, path: Path, *, root: bool) -> Iterator[FieldError]:
    """Yield errors in metadata; annotations of the Slurm job count on the ``root`` alone, where `slurm` writes them."""
    if not isinstance(metadata, Mapping):
        yield not_plain(path, metadata, "mapping")
        return
    for field in ("labels", "annotations"):
        entries = metadata.get(field) or {}
        if not isinstance(entries, Mapping):
            yield not_plain((*path, field), entries, "mapping")
            continue
        for key, value in entries.items():
            at = (*path, field, FreeKey(str(key)))
            if not isinstance(key, str):
                yield FieldError(at, _if_known(value), "the key is no text", "Write it in quotes.")
                continue
            if key in (JOB_ID, JOB_NODE):
                yield FieldError(
                    at, _if_known(value), "the bridge itself writes this, and refuses it from users", _LEAVE_OUT
                )
            elif field == "annotations" and key.startswith((WORK_PREFIX, OLD_WORK_PREFIX)):
                yield _annotation_error(at, key, value, root=root)


def _annotation_error(path: Path, key: str, value: Any, *, root: bool) -> FieldError:
    prefix, _, suffix = key.rpartition("/")
    fields = {text: name for name, text in SUFFIXES.items()}
    if suffix not in fields:
        return FieldError(
            path, FieldError.ABSENT, "the bridge reads no annotation of this name", nearest(suffix, fields)
        )
    problem = (
        "no release of the bridge since 1.0 reads this prefix"
        if f"{prefix}/" == OLD_WORK_PREFIX
        else "here nothing checks its value"
        if root
        else "the bridge doesn't read it on the pods of a workload"
    )
    return FieldError(path, _if_known(value), problem, f"Write it as {to_camel(fields[suffix])} of slurm.")


@dataclass(frozen=True)
class PodReader:
    """What reads the pods of a workload, as far as errors in them depend on it."""

    scheduler: str
    """The bridge's `schedulerName`."""
    gpus: BridgedGpusSpec | None = None
    """GPUs that each pod gets in addition."""
    shares_nodes: bool = False
    """Whether Slurm gives a node to several jobs, and not a whole one to each."""


def pod_errors(template: Any, path: Path, reader: PodReader) -> Iterator[FieldError]:
    """Yield errors in a pod, or in a template of pods."""
    if not isinstance(template, Mapping):
        yield not_plain(path, template, "mapping")
        return
    yield from metadata_errors(template.get("metadata") or {}, (*path, "metadata"), root=False)
    spec, at = template.get("spec"), (*path, "spec")
    if not isinstance(spec, Mapping):
        yield not_plain(at, spec, "mapping")
        return
    if spec.get("schedulerName") not in (None, reader.scheduler, DEFAULT_SCHEDULER):
        name = _if_known(spec["schedulerName"])
        yield FieldError((*at, "schedulerName"), name, "Slurm wouldn't see pods of another scheduler", _LEAVE_OUT)
    if spec.get("nodeName") is not None:
        name = _if_known(spec["nodeName"])
        yield FieldError((*at, "nodeName"), name, "the bridge empties it, since Slurm chooses the node", _LEAVE_OUT)
    if spec.get("resourceClaims") is not None:
        fix = f"Write gpus, or {DEVICE_CLASS_PREFIX}<class> in a container's limits."
        yield FieldError(
            (*at, "resourceClaims"), _if_known(spec["resourceClaims"]), "the bridge refuses pods with claims", fix
        )
    yield from _placement_warnings(spec, at)
    yield from _container_errors(spec, at, reader)


def _placement_warnings(spec: Mapping[str, Any], path: Path) -> Iterator[FieldError]:
    """Warn of what the bridge's scheduler doesn't look at, of which some is met by luck.

    Its profile has VolumeBinding, TaintToleration, NodeResourcesFit and its own plugin alone: see manifests/bridge.
    """
    for field, consequence in _UNSEEN.items():
        value = spec.get(field)
        is_empty = isinstance(value, Mapping | Sequence) and not value
        if value is None or is_empty or (isinstance(value, Mapping) and value.keys() <= _LABELS_OF_EVERY_NODE):
            continue
        problem = f"Slurm chooses the node, and doesn't know of this; {consequence}"
        fix = "Write constraints or partition of slurm, and leave it out."
        yield FieldError((*path, field), FieldError.ABSENT, problem, fix, severity=Severity.WARNING)


def _port_warnings(container: Mapping[str, Any], path: Path) -> Iterator[FieldError]:
    ports = container.get("ports")
    for index, port in enumerate(ports if isinstance(ports, list) else []):
        number = port.get("hostPort") if isinstance(port, Mapping) else None
        # In Kubernetes 0 is none.
        if number is not None and number != 0:
            yield FieldError(
                (*path, "ports", index, "hostPort"),
                _if_known(number),
                "Slurm counts no ports; where another pod has this one, the kubelet ends the pod when it is bound",
                "Leave it out, or let slurm have whole nodes, without exclusive=False.",
                severity=Severity.WARNING,
            )


def _container_errors(spec: Mapping[str, Any], path: Path, reader: PodReader) -> Iterator[FieldError]:
    gpus = reader.gpus
    requested: dict[str, Path] = dict.fromkeys(_requests(spec.get("resources")), (*path, "resources"))
    for field in ("initContainers", "containers"):
        containers = spec.get(field) or []
        if not isinstance(containers, Sequence) or isinstance(containers, str):
            yield not_plain((*path, field), containers, "list")
            continue
        for index, container in enumerate(containers):
            at = (*path, field, index)
            if not isinstance(container, Mapping):
                yield not_plain(at, container, "mapping")
                continue
            if gpus and field == "containers" and index == 0:
                yield from _gpu_errors(container, at, gpus)
            if reader.shares_nodes:
                yield from _port_warnings(container, at)
            names = _requests(container.get("resources"))
            again = {*requested, *({gpus.key} if gpus and index else ())} & names
            for key in sorted(name for name in again if name.startswith(DEVICE_CLASS_PREFIX) and name != _DRA_CPU):
                problem = "the bridge starts no pod in which two containers have devices of one class"
                yield FieldError((*at, "resources"), key, problem, "Request them in one container.")
            requested.update(dict.fromkeys(names, (*at, "resources")))
    if not spec.get("containers"):
        yield FieldError((*path, "containers"), FieldError.ABSENT, "a pod has a container", "Write containers.")
    yield from _resource_errors(requested, path, reader)


def _resource_errors(requested: Mapping[str, Path], path: Path, reader: PodReader) -> Iterator[FieldError]:
    """Yield errors in what all containers of a pod request together; ``requested`` says where."""
    gpus = reader.gpus
    if "cpu" in requested and _DRA_CPU in requested:
        fix = f"Write cpu or {_DRA_CPU}."
        yield FieldError(requested["cpu"], FieldError.ABSENT, "the bridge refuses pods with CPUs of both kinds", fix)
    for key in sorted(name for name in requested if reader.shares_nodes and _is_unknown_to_slurm(name)):
        problem = "Slurm doesn't count this resource; where none is left, the kubelet ends the pod when it is bound"
        fix = "Let slurm have whole nodes, without exclusive=False, or request what Slurm counts: cpu, memory, GPUs."
        yield FieldError(requested[key], key, problem, fix, severity=Severity.WARNING)
    kinds = {key for key in requested if key in {*GpuResource} or key.startswith(DEVICE_CLASS_PREFIX)} - {_DRA_CPU}
    kinds |= {gpus.key} if gpus else set()
    for key in sorted(kinds):
        name = key.removeprefix(DEVICE_CLASS_PREFIX)
        if key.startswith(DEVICE_CLASS_PREFIX) and name not in DEVICE_CLASSES and not (gpus and key == gpus.key):
            fix = f"Write one of: {', '.join(DEVICE_CLASSES)}."
            yield FieldError(requested[key], key, "the bridge registers no devices of this class in Slurm", fix)
    if len(kinds) > 1:
        problem = f"Slurm would be asked for one of {', '.join(sorted(kinds))} alone"
        yield FieldError((*path, "containers"), FieldError.ABSENT, problem, "Request GPUs of one kind.")


def _gpu_errors(container: Mapping[str, Any], path: Path, gpus: BridgedGpusSpec) -> Iterator[FieldError]:
    """Yield errors in the container to whose limits ``gpus`` is added."""
    resources, at = container.get("resources") or {}, (*path, "resources")
    if not isinstance(resources, Mapping):
        yield not_plain(at, resources, "mapping")
        return
    limits = resources.get("limits") or {}
    if not isinstance(limits, Mapping):
        yield not_plain((*at, "limits"), limits, "mapping")
    for kind in ("requests", "limits"):
        part = resources.get(kind)
        if isinstance(part, Mapping) and gpus.key in part:
            key_path = (*at, kind, FreeKey(gpus.key))
            yield FieldError(key_path, _if_known(part[gpus.key]), "gpus writes this key too", "Keep one of them.")


def _is_unknown_to_slurm(resource: str) -> bool:
    """Return whether a resource is an extended one of which the bridge asks Slurm for nothing."""
    return "/" in resource and resource not in {*GpuResource} and not resource.startswith(DEVICE_CLASS_PREFIX)


def _requests(resources: Any) -> set[str]:
    """Return the names of what a container requests; those in an Output aren't known."""
    parts = [resources.get(kind) for kind in ("requests", "limits")] if isinstance(resources, Mapping) else []
    return {str(key) for part in parts if isinstance(part, Mapping) for key in part}


def not_plain(path: Path, value: Any, noun: str) -> FieldError:
    """Return the error of a value that is missing, or of which only an Output is there."""
    if value is None:
        return FieldError(path, FieldError.ABSENT, "this field is required", f"Write a {noun}.")
    return FieldError(path, FieldError.ABSENT, f"this is no {noun}", f"Write a {noun}; values within may be Outputs.")


def _if_known(value: Any) -> Any:
    """Return the value that an error shows, if it is known; an Output may be a secret, and has no value yet."""
    return value if isinstance(value, str | int | bool) else FieldError.ABSENT
