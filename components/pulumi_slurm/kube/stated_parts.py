"""Arguments of components that make a part of a cloud's specification: that the part is stated there."""

from collections.abc import Sequence
from typing import TypeVar

from pulumi_slurm.clouds.storage import MountedStorage
from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model.base import Model

S = TypeVar("S", bound=MountedStorage)


def check_stated(spec: Model, part: str) -> None:
    """Raise the arguments' error where ``spec`` has nothing in the field ``part``, "database" for example."""
    if getattr(spec, part) is None:
        raise field_errors(
            [FieldError(("spec", part), FieldError.ABSENT, f"there is no {part} to make", f"Add {part}: {{}}.")]
        )


def stated_storage(storages: Sequence[S], name: str) -> S:
    """Return the storage of this name; raise the arguments' error where none has it."""
    for storage in storages:
        if storage.name == name:
            return storage
    stated = ", ".join(storage.name for storage in storages)
    fix = f"Write one of: {stated}." if stated else "Add it to spec.storage."
    raise field_errors([FieldError(("storage",), name, "spec.storage has nothing of this name", fix)])
