"""Storage and a database that a cloud's specification adds to a Slurm cluster: configured once, at a path of their own.

All clouds share these rules, and the rules of each cloud call them; they are not among those of `check_cluster`.
"""

from collections.abc import Iterator, Sequence

from pulumi_slurm.clouds.storage import MountedStorage
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.accounting import DatabaseSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.volumes import mount_path_is_free, volumes_of_pods


def storage_names_and_paths_are_unique(storages: Sequence[MountedStorage]) -> Iterator[FieldError]:
    """Refuse two storages with the same name or mount path; paths of errors start with ``storage``."""
    names: set[str] = set()
    paths: dict[str, str] = {}
    for index, storage in enumerate(storages):
        if storage.name in names:
            yield FieldError(
                ("storage", index, "name"), storage.name, "this name is already used", "Choose another name."
            )
        names.add(storage.name)
        yield from mount_path_is_free(("storage", index), storage.name, storage.mount_path, paths)


def volumes_have_one_owner(
    storages: Sequence[MountedStorage], slurm: SlurmSpec, *, specification: str
) -> Iterator[FieldError]:
    """Refuse shared volumes that a cloud's ``specification``, for example "ACK specification", creates as well."""
    names = {storage.name for storage in storages}
    paths = {storage.mount_path.rstrip("/"): storage.name for storage in storages}
    for index, volume in enumerate(slurm.shared_volumes):
        at: Path = ("shared_volumes", index)
        path = volume.mount_path.rstrip("/")
        if volume.name in names:
            yield FieldError(
                (*at, "name"),
                volume.name,
                f"the storage of this name in the {specification} becomes a shared volume by itself",
                "Leave this volume out, or choose another name.",
            )
        if path in paths:
            yield FieldError(
                (*at, "mount_path"),
                volume.mount_path,
                f'the storage "{paths[path]}" of the {specification} is mounted there',
                "Leave this volume out, or choose another path.",
            )
    for index, node_set in enumerate(slurm.node_sets):
        for volume_path, volume_of_pod in volumes_of_pods(node_set):
            path = volume_of_pod.mount_path.rstrip("/")
            if path in paths:
                yield FieldError(
                    ("node_sets", index, *volume_path, "mount_path"),
                    volume_of_pod.mount_path,
                    f'the storage "{paths[path]}" of the {specification} is mounted there',
                    "Choose another path.",
                )


def database_has_one_owner(slurm: SlurmSpec, *, specification: str) -> Iterator[FieldError]:
    """Refuse the database of a cloud's ``specification`` next to another one, or without a slurmdbd that uses it."""
    if slurm.accounting is None:
        yield FieldError(
            ("accounting",),
            FieldError.ABSENT,
            f"the {specification} has a database for slurmdbd, and there is no slurmdbd",
            "Add accounting: {}, or leave database out there.",
        )
    elif slurm.accounting.external:
        yield FieldError(
            ("accounting", "external"),
            slurm.accounting.external,
            f"a slurmdbd outside the cluster has a database of its own, and the {specification} makes another",
            f"Leave it out, or leave database out in the {specification}.",
        )
    elif slurm.accounting.database != DatabaseSpec():
        yield FieldError(
            ("accounting", "database"),
            slurm.accounting.database,
            f"the {specification} makes the database and says how slurmdbd reaches it",
            f"Leave it out, or leave database out in the {specification}.",
        )
