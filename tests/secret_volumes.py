"""Files of Secrets in pods: which of them more users can read than should, and which the pod's user can't."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from tests.pod_volumes import OTHERS, VolumeFile, pods_in, volume_files

FOR_ALL = MappingProxyType(
    {
        ("ldap", "ldap.conf"): "every user's LDAP clients read it, and it has no password",
        ("ldap", "nsswitch.conf"): "every program that looks a user up reads it, and it has no password",
        ("ldap-ca", "ca.crt"): "a certificate, by which LDAP clients of all users know the server",
        ("config", "slurm.conf"): "commands of all users on the controller read it; `jobCompletion` says so",
    }
)
"""Files of Secrets that all users of a pod may read, by volume and path, and why."""


def secret_files(objects: Iterable[Any]) -> list[VolumeFile]:
    return [file for item in objects for pod in pods_in(item) for file in volume_files(pod) if file.kind == "Secret"]


def open_to_all(objects: Iterable[Any]) -> list[VolumeFile]:
    return [file for file in secret_files(objects) if file.mode & OTHERS and (file.volume, file.path) not in FOR_ALL]


def unreadable(objects: Iterable[Any]) -> list[VolumeFile]:
    """Return the files that the user of their pod can't read."""
    return [
        file
        for item in objects
        for pod in pods_in(item)
        for file in volume_files(pod)
        if _user(pod) and not file.mode & 0o004 and not (file.mode & 0o040 and file.group == _user(pod))
    ]


def _user(pod: Mapping[str, Any]) -> int:
    return int((pod.get("securityContext") or {}).get("runAsUser", 0))
