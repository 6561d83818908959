"""Volumes and the network of pods: places that are taken already."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..mistakes import Mistake, Path
from ..pod import PodOptions

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
    shared_names = {f"shared-{volume.name}" for volume in spec.shared_volumes}
    for index, node_set in enumerate(spec.node_sets):
        names, paths = set(TAKEN_VOLUMES | shared_names), dict(shared_paths)
        for position, claim in enumerate(node_set.volume_claims):
            at: Path = ("node_sets", index, "volume_claims", position)
            if claim.name in names:
                yield Mistake((*at, "name"), claim.name, "the pod has a volume of this name", "Choose another name.")
            names.add(claim.name)
            path = claim.mount_path.rstrip("/")
            if path in paths:
                yield Mistake(
                    (*at, "mount_path"), claim.mount_path, f'"{paths[path]}" is mounted there', "Choose another path."
                )
            paths.setdefault(path, claim.name)


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
