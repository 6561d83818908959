"""Volumes and the network of pods: places that are taken already."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..mistakes import Mistake, Path
from ..node_set import NodeSet
from ..pod import PodOptions
from ..storage import HostPath, SharedVolume, VolumeClaimTemplate

if TYPE_CHECKING:
    from ..cluster import SlurmSpec

TAKEN_VOLUMES = frozenset(
    {
        "authorized-keys",
        "run",
        "sackd-dir",
        "slurm-authsocket",
        "slurm-config",
        "slurm-etc",
        "slurm-logfile",
        "ssh-config",
        "ssh-host-keys",
        "sssd-conf",
        "statesave",
    }
)
"""Names of volumes that the operator's pods have already."""


SHARED_MEMORY, SHARED_MEMORY_PATH = "shared-memory", "/dev/shm"
"""Name and place of the volume for `shared_memory` of a node set."""


def volumes_have_places_of_their_own(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse two volumes of one name or at one path in one pod."""
    shared_paths: dict[str, str] = {}
    for index, volume in enumerate(spec.shared_volumes):
        path = volume.mount_path.rstrip("/")
        if path in shared_paths:
            yield Mistake(
                ("shared_volumes", index, "mount_path"),
                volume.mount_path,
                f'"{shared_paths[path]}" is mounted there',
                "Choose another path.",
            )
        shared_paths.setdefault(path, volume.name)
    shared_names = {_shared(volume) for volume in spec.shared_volumes}
    for index, node_set in enumerate(spec.node_sets):
        names, paths = set(TAKEN_VOLUMES | shared_names), dict(shared_paths)
        if node_set.shared_memory:
            names.add(SHARED_MEMORY)
            paths[SHARED_MEMORY_PATH] = "sharedMemory"
        for own, volume_of_pod in volumes_of_pods(node_set):
            at: Path = ("node_sets", index, *own)
            name = volume_of_pod.name
            if name in names:
                yield Mistake((*at, "name"), name, "the pod has a volume of this name", "Choose another name.")
            names.add(name)
            path = volume_of_pod.mount_path.rstrip("/")
            if path in paths:
                yield Mistake(
                    (*at, "mount_path"),
                    volume_of_pod.mount_path,
                    f'"{paths[path]}" is mounted there',
                    "Choose another path.",
                )
            paths.setdefault(path, name)


def sidecars_have_names_and_places_of_their_own(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse two sidecars of one name in one pod, and two folders of one name or at one path in one sidecar."""
    for index, node_set in enumerate(spec.node_sets):
        sidecars: set[str] = set()
        volumes = {folder.name for _, folder in volumes_of_pods(node_set)}
        volumes |= {_shared(volume) for volume in spec.shared_volumes}
        for position, sidecar in enumerate(node_set.sidecars):
            at: Path = ("node_sets", index, "sidecars", position)
            if sidecar.name in sidecars:
                yield Mistake((*at, "name"), sidecar.name, "the pod has a sidecar of this name", "Choose another name.")
                continue
            sidecars.add(sidecar.name)
            paths: dict[str, str] = {}
            for place, folder in enumerate(sidecar.host_paths):
                below: Path = (*at, "host_paths", place)
                volume, path = sidecar.volume(folder), folder.mount_path.rstrip("/")
                if volume in volumes:
                    problem = f'the pod has a volume "{volume}" already'
                    yield Mistake((*below, "name"), folder.name, problem, "Choose another name.")
                if path in paths:
                    problem = f'"{paths[path]}" is mounted there'
                    yield Mistake((*below, "mount_path"), folder.mount_path, problem, "Choose another path.")
                volumes.add(volume)
                paths.setdefault(path, folder.name)


def volumes_of_pods(node_set: NodeSet) -> Iterator[tuple[Path, VolumeClaimTemplate | HostPath]]:
    """Yield what the pods of a node set mount beside shared volumes, with its path below the node set."""
    for position, claim in enumerate(node_set.volume_claims):
        yield ("volume_claims", position), claim
    for position, folder in enumerate(node_set.host_paths):
        yield ("host_paths", position), folder


def _shared(volume: SharedVolume) -> str:
    return f"shared-{volume.name}"


def daemons_stay_on_the_pod_network(spec: "SlurmSpec") -> Iterator[Mistake]:
    """Refuse the node's network for slurmctld and slurmdbd: their peers find them by pod names."""
    pods: list[tuple[str, PodOptions]] = [("controller", spec.controller.pod)]
    if spec.accounting:
        pods.append(("accounting", spec.accounting.pod))
    for name, pod in pods:
        if pod.host_network:
            yield Mistake(
                (name, "pod", "host_network"),
                True,
                "the operator's names for this daemon lead to its pod, not to a node",
                "Write false; to reach it from outside, put a Service of type LoadBalancer in front of it.",
            )
