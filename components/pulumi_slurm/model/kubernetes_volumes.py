"""What Kubernetes asks of volumes and mounts in its own form, beyond the types of their fields.

Source: validateVolumeSource and ValidateVolumeMounts in pkg/apis/core/validation/validation.go of
https://github.com/kubernetes/kubernetes, 1.35.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.errors import Path
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.kubernetes_checks import Errors, Rule, checked, refusal, required

_NAME = "Write the name of the object."
_NOT_BELOW, _BELOW = "this isn't below the volume", 'Write a path without "/" before it and without ".." in it.'


def _steps_back(text: str) -> bool:
    return ".." in text.split("/")


def _modes(value: Mapping[str, Any], field: str, path: Path) -> Errors:
    number = value.get(field)
    if number is not None and not 0 <= number <= 0o777:
        fix = "Write for example 420, which is 0644."
        yield refusal((*path, field), number, "this is no mode of a file, which is 0 to 511", fix)


def _file(value: Mapping[str, Any], path: Path) -> Errors:
    """Yield the errors of a key of a ConfigMap or Secret that becomes a file."""
    yield from required(value, "key", path, "Write a key of the object.")
    yield from required(value, "path", path, "Write the name of the file.")
    yield from _modes(value, "mode", path)
    file = value.get("path") or ""
    if file.startswith(("/", "..")) or _steps_back(file):
        yield refusal((*path, "path"), file, _NOT_BELOW, _BELOW)


def _config_map(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "name", path, _NAME)
    yield from _modes(value, "defaultMode", path)


def _secret(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "secretName", path, _NAME)
    yield from _modes(value, "defaultMode", path)


def _claim(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "claimName", path, _NAME)


def _host_path(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "path", path, "Write a path of the node.")
    if _steps_back(value.get("path") or ""):
        yield refusal((*path, "path"), value["path"], "this has .. in it", "Write the path without it.")


def _nfs(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "server", path, "Write the address of the server.")
    yield from required(value, "path", path, "Write the exported path.")
    if value.get("path") and not value["path"].startswith("/"):
        yield refusal((*path, "path"), value["path"], "this is not an absolute path", "Write it with / before it.")


def _csi(value: Mapping[str, Any], path: Path) -> Errors:
    yield from required(value, "driver", path, "Write the name of the driver, such as gcsfuse.csi.storage.gke.io.")
    if value.get("driver"):
        yield from checked(kubernetes_names.object_name, value["driver"].lower(), (*path, "driver"))
    secret = value.get("nodePublishSecretRef")
    if secret is not None:
        yield from required(secret, "name", (*path, "nodePublishSecretRef"), _NAME)


def _mount(value: Mapping[str, Any], path: Path) -> Errors:
    if value.get("subPath") and value.get("subPathExpr"):
        yield refusal((*path, "subPathExpr"), value["subPathExpr"], "subPath is there too", "Leave one of them out.")
    for field in ("subPath", "subPathExpr"):
        text = value.get(field) or ""
        if text.startswith("/") or _steps_back(text):
            yield refusal((*path, field), text, _NOT_BELOW, _BELOW)
    if value.get("recursiveReadOnly") in ("Enabled", "IfPossible"):
        if not value.get("readOnly"):
            problem = "Kubernetes takes it with readOnly alone"
            yield refusal((*path, "recursiveReadOnly"), value["recursiveReadOnly"], problem, "Write readOnly: true.")
        if value.get("mountPropagation") not in (None, "", "None"):
            problem = "Kubernetes takes no mountPropagation beside it"
            yield refusal((*path, "recursiveReadOnly"), value["recursiveReadOnly"], problem, "Leave one of them out.")


RULES_OF_VOLUMES: Mapping[str, Rule] = MappingProxyType(
    {
        "CSIVolumeSource": _csi,
        "ConfigMapVolumeSource": _config_map,
        "HostPathVolumeSource": _host_path,
        "KeyToPath": _file,
        "NFSVolumeSource": _nfs,
        "PersistentVolumeClaimVolumeSource": _claim,
        "SecretVolumeSource": _secret,
        "VolumeMount": _mount,
    }
)
