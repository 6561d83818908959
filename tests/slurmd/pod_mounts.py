"""Secrets and ConfigMaps in a host, mounted as the kubelet mounts them in a pod.

A volume is a folder with one folder in it for each state of its objects, the link `..data` to the newest of them, and a
link to each file through `..data`: pkg/volume/util/atomic_writer.go of https://github.com/kubernetes/kubernetes, v1.35.
`tests/jobs/test_secret_volumes.py` compares with a kubelet.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from pulumi_slurm.manifests.objects import Manifest
from tests.pod_volumes import VolumeFile, volume_files
from tests.slurmd.host import Host

Data = Mapping[tuple[str, str], Mapping[str, str]]
"""The data of objects, by kind and name."""

_FOLDER = "/root/volumes"
"""Where nobody but root finds what isn't mounted."""
_numbers = count(1)


def mount_volumes(host: Host, pod: Manifest, data: Data) -> None:
    """Mount what the first container of a pod's spec has of Secrets and ConfigMaps."""
    volumes: dict[str, list[VolumeFile]] = {}
    for file in _named(volume_files(pod), data):
        volumes.setdefault(file.volume, []).append(file)
    folders = {volume: _make(host, files, data) for volume, files in volumes.items()}
    for mount in pod["containers"][0]["volumeMounts"]:
        if folder := folders.get(mount["name"]):
            _mount(host, folder, mount)


def _named(files: Iterable[VolumeFile], data: Data) -> Iterator[VolumeFile]:
    for file in files:
        of_object = data.get((file.kind, file.name))
        if of_object is None and file.optional:
            continue
        assert of_object is not None, f"{file.kind} {file.name} is not there: the pod could not start"
        for key in [file.key] if file.key else of_object:
            yield replace(file, key=key, path=file.path or key)


def _make(host: Host, files: Iterable[VolumeFile], data: Data) -> str:
    folder = f"{_FOLDER}/{next(_numbers)}"
    state = f"{folder}/..state"
    for file in files:
        assert file.key is not None
        path = host.root / f"{state}/{file.path}".lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data[file.kind, file.name][file.key])
        path.chmod(file.mode)
        os.chown(path, 0, file.group or 0)
        if not (link := host.root / f"{folder}/{str(file.path).partition('/')[0]}".lstrip("/")).is_symlink():
            link.symlink_to(f"..data/{link.name}")
    inside: Path = host.root / folder.lstrip("/")
    (inside / "..data").symlink_to("..state")
    group = next((file.group for file in files), None)
    for part in [inside, *(path for path in (inside / "..state").rglob("*") if path.is_dir()), inside / "..state"]:
        # Setgid, and searchable by the group, which these modes let everyone.
        os.chown(part, 0, group or 0)
        part.chmod((0o777 if part is inside else 0o755) | (0o2000 if group is not None else 0))
    return folder


def _mount(host: Host, folder: str, mount: Manifest) -> None:
    target = mount["mountPath"]
    source = folder
    if path := mount.get("subPath"):
        source = f"{folder}/..state/{path}"
        host.run(["sh", "-c", 'mkdir -p "${1%/*}" && touch "$1"', "sh", target])
    else:
        host.run(["mkdir", "-p", target])
    host.run(["mount", "--bind", source, target])
    # Whether or not the mount says so: `makeMounts` in pkg/kubelet/kubelet_pods.go.
    host.run(["mount", "-o", "remount,bind,ro", target])
