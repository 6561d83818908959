"""Volumes and the database: stated once, in either specification, and within the reach of pods."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....spec.accounting import Database
from ....spec.cluster import SlurmSpec
from ....spec.mistakes import Mistake, Path
from ....spec.pod import PodOptions

if TYPE_CHECKING:
    from ..cluster import GkeSpec


def volumes_have_one_owner(spec: "GkeSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse shared volumes that the GKE specification makes already."""
    names = {storage.name for storage in spec.storage}
    paths = {storage.mount_path.rstrip("/"): storage.name for storage in spec.storage}
    for index, volume in enumerate(slurm.shared_volumes):
        at: Path = ("shared_volumes", index)
        path = volume.mount_path.rstrip("/")
        if volume.name in names:
            yield Mistake(
                (*at, "name"),
                volume.name,
                "the storage of this name in the GKE specification becomes a shared volume by itself",
                "Leave this volume out, or choose another name.",
            )
        if path in paths:
            yield Mistake(
                (*at, "mount_path"),
                volume.mount_path,
                f'the storage "{paths[path]}" of the GKE specification is mounted there',
                "Leave this volume out, or choose another path.",
            )
    for index, node_set in enumerate(slurm.node_sets):
        for position, claim in enumerate(node_set.volume_claims):
            path = claim.mount_path.rstrip("/")
            if path in paths:
                yield Mistake(
                    ("node_sets", index, "volume_claims", position, "mount_path"),
                    claim.mount_path,
                    f'the storage "{paths[path]}" of the GKE specification is mounted there',
                    "Choose another path.",
                )


def pods_reach_their_buckets(spec: "GkeSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse pods in the node's network beside buckets.

    There they have no identity of their own, and Cloud Storage FUSE mounts nothing unless its volumes say how to get
    one, which ours don't: docs/authentication.md in https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver.
    """
    bucket = next((storage.name for storage in spec.storage if storage.bucket), None)
    if bucket is None:
        return
    pods: list[tuple[Path, PodOptions]] = [
        *((("node_sets", index), each.pod) for index, each in enumerate(slurm.node_sets)),
        *((("login_sets", index), each.pod) for index, each in enumerate(slurm.login_sets)),
    ]
    for at, pod in pods:
        if pod.host_network:
            yield Mistake(
                (*at, "pod", "host_network"),
                True,
                f"the storage \"{bucket}\" is a bucket, which pods in the node's network can't mount",
                "Write false, or leave the bucket out in the GKE specification.",
            )


def database_has_one_owner(spec: "GkeSpec", slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse Cloud SQL beside another database, or without a slurmdbd that uses it."""
    if spec.database is None:
        return
    if slurm.accounting is None:
        yield Mistake(
            ("accounting",),
            Mistake.ABSENT,
            "the GKE specification has a database for slurmdbd, and there is no slurmdbd",
            "Add accounting: {}, or leave database out there.",
        )
    elif slurm.accounting.external:
        yield Mistake(
            ("accounting", "external"),
            slurm.accounting.external,
            "a slurmdbd outside the cluster has a database of its own, and the GKE specification makes another",
            "Leave it out, or leave database out in the GKE specification.",
        )
    elif slurm.accounting.database != Database():
        yield Mistake(
            ("accounting", "database"),
            slurm.accounting.database,
            "the GKE specification makes the database and says how slurmdbd reaches it",
            "Leave it out, or leave database out in the GKE specification.",
        )
