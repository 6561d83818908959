"""Files that pods have from Secrets and ConfigMaps, with the modes that the kubelet gives them.

Sources: `MakePayload` in pkg/volume/secret/secret.go and pkg/volume/configmap/configmap.go, `collectData` in
pkg/volume/projected/projected.go, and `changeFilePermission` in pkg/volume/volume_linux.go of
https://github.com/kubernetes/kubernetes, v1.35.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DEFAULT_MODE = 0o644
"""SecretVolumeSourceDefaultMode, ConfigMapVolumeSourceDefaultMode and ProjectedVolumeSourceDefaultMode."""
_OF_THE_GROUP = 0o440
"""What a pod's fsGroup adds to files of a volume that is mounted read-only, as these are."""
OTHERS = 0o007
_REFERENCES = {"secret": "Secret", "configMap": "ConfigMap"}


@dataclass(frozen=True)
class VolumeFile:
    """A file of a volume; without ``key`` all keys of the object, each under its own name."""

    volume: str
    kind: str
    """Secret or ConfigMap."""
    name: str
    """That of the object."""
    key: str | None
    path: str | None
    mode: int
    group: int | None
    """The pod's fsGroup."""
    optional: bool


def volume_files(pod: Mapping[str, Any]) -> Iterator[VolumeFile]:
    """Yield the files of a pod's spec, or of what a chart makes one from."""
    context = pod.get("podSecurityContext") or pod.get("securityContext") or {}
    group = int(context["fsGroup"]) if "fsGroup" in context else None
    for volume in pod.get("volumes", []):
        sources = volume["projected"]["sources"] if "projected" in volume else [volume]
        default = next(
            (volume[field].get("defaultMode") for field in ("projected", *_REFERENCES) if field in volume), None
        )
        for source in sources:
            for field, kind in _REFERENCES.items():
                if field in source:
                    yield from _files_of(volume["name"], kind, source[field], default, group)


def _files_of(
    volume: str, kind: str, source: Mapping[str, Any], default: int | None, group: int | None
) -> Iterator[VolumeFile]:
    name = source.get("secretName") or source["name"]
    for item in source.get("items") or [{}]:
        # What was registered has numbers of JSON.
        mode = int(next(mode for mode in (item.get("mode"), default, DEFAULT_MODE) if mode is not None))
        mode |= _OF_THE_GROUP if group is not None else 0
        optional = source.get("optional", False)
        yield VolumeFile(volume, kind, name, item.get("key"), item.get("path"), mode, group, optional)


def pods_in(value: Any, with_list: str = "volumes") -> Iterator[Mapping[str, Any]]:
    """Yield what has a list, such as volumes, in an object, at any depth: specs of pods, and their likes in a chart."""
    if isinstance(value, Mapping):
        if isinstance(value.get(with_list), list):
            yield value
        for inner in value.values():
            yield from pods_in(inner, with_list)
    elif isinstance(value, list):
        for inner in value:
            yield from pods_in(inner, with_list)
