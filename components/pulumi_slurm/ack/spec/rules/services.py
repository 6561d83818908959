"""Volumes and the database: stated once, in the ACK specification or in the Slurm cluster's."""

from collections.abc import Iterator

from ....spec.accounting import Database
from ....spec.cluster import SlurmSpec
from ....spec.mistakes import Mistake, Path
from ..cluster import AckSpec


def volumes_have_one_owner(spec: AckSpec, slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse shared volumes that the ACK specification makes already."""
    names = {storage.name for storage in spec.storage}
    paths = {storage.mount_path.rstrip("/"): storage.name for storage in spec.storage}
    for index, volume in enumerate(slurm.shared_volumes):
        at: Path = ("shared_volumes", index)
        path = volume.mount_path.rstrip("/")
        if volume.name in names:
            yield Mistake(
                (*at, "name"),
                volume.name,
                "the storage of this name in the ACK specification becomes a shared volume by itself",
                "Leave this volume out, or choose another name.",
            )
        if path in paths:
            yield Mistake(
                (*at, "mount_path"),
                volume.mount_path,
                f'the storage "{paths[path]}" of the ACK specification is mounted there',
                "Leave this volume out, or choose another path.",
            )
    for index, node_set in enumerate(slurm.node_sets):
        for position, claim in enumerate(node_set.volume_claims):
            path = claim.mount_path.rstrip("/")
            if path in paths:
                yield Mistake(
                    ("node_sets", index, "volume_claims", position, "mount_path"),
                    claim.mount_path,
                    f'the storage "{paths[path]}" of the ACK specification is mounted there',
                    "Choose another path.",
                )


def database_has_one_owner(spec: AckSpec, slurm: SlurmSpec) -> Iterator[Mistake]:
    """Refuse RDS beside another database, or without a slurmdbd that uses it."""
    if spec.database is None:
        return
    if slurm.accounting is None:
        yield Mistake(
            ("accounting",),
            Mistake.ABSENT,
            "the ACK specification has a database for slurmdbd, and there is no slurmdbd",
            "Add accounting: {}, or leave database out there.",
        )
    elif slurm.accounting.external:
        yield Mistake(
            ("accounting", "external"),
            slurm.accounting.external,
            "a slurmdbd outside the cluster has a database of its own, and the ACK specification makes another",
            "Leave it out, or leave database out in the ACK specification.",
        )
    elif slurm.accounting.database != Database():
        yield Mistake(
            ("accounting", "database"),
            slurm.accounting.database,
            "the ACK specification makes the database and says how slurmdbd reaches it",
            "Leave it out, or leave database out in the ACK specification.",
        )
