"""What an update does to one resource, whoever has found it out."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pulumi_slurm.clouds.unread import UNKNOWN, known_at
from pulumi_slurm.secrecy import SECRET


class Operation(StrEnum):
    """What becomes of a resource."""

    SAME = "same"
    CREATE = "create"
    UPDATE = "update"
    REPLACE = "replace"
    DELETE = "delete"


@dataclass(frozen=True)
class ResourceChange:
    """A resource before and after an update."""

    urn: str
    type: str
    """For example "kubernetes:slinky.slurm.net/v1beta1:NodeSet" or "slurm:index:SlurmCluster"."""
    name: str
    """Its name in the program."""
    operation: Operation
    old: Mapping[str, Any] | None
    """Its inputs before, with `SECRET` in place of secrets; None for one that is new."""
    new: Mapping[str, Any] | None
    """Its inputs after, with `UNKNOWN` in place of what isn't known yet; None for one that goes."""
    replaced_for: tuple[str, ...] = ()
    """The properties for which it is replaced."""
    protected: bool = False
    """A change that deletes or replaces it fails."""
    retained: bool = False
    """It stays where it is when it leaves the program."""

    @property
    def is_component(self) -> bool:
        """Whether it only groups others, so that nothing outside changes with it."""
        return self.type.startswith("slurm:index:") or self.type == "pulumi:pulumi:Stack"

    @property
    def kubernetes_kind(self) -> str | None:
        """The kind of a Kubernetes object; None for any other resource."""
        return self.type.rpartition(":")[2] if self.type.startswith("kubernetes:") else None

    @property
    def kubernetes_name(self) -> str:
        """The name of a Kubernetes object."""
        return str(known_at(self.new or self.old, "metadata", "name") or self.name)

    @property
    def unknown(self) -> list[str]:
        """The paths of inputs that aren't known before the update, and were before."""
        before = {*_paths_of(UNKNOWN, self.old or {})}
        return [path for path in _paths_of(UNKNOWN, self.new or {}) if path not in before]


def changed_fields(change: ResourceChange) -> list[tuple[str, str]]:
    """Return inputs that differ, at most two steps deep: each path with a text, as "spot not set → true".

    Only words and numbers are shown; of anything else the text is the path alone.
    """
    old, new = change.old or {}, change.new or {}
    fields = []
    for key in dict.fromkeys([*old, *new]):
        one, other = old.get(key), new.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            below = [(f"{key}.{name}", one.get(name), other.get(name)) for name in dict.fromkeys([*one, *other])]
        else:
            below = [(key, one, other)]
        fields += [(path, _difference(path, *sides)) for path, *sides in below if sides[0] != sides[1]]
    return fields


def is_named(path: str, names: Collection[str]) -> bool:
    """Return whether a path of `changed_fields`, or the input that it is in, is among names."""
    return path in names or path.partition(".")[0] in names


def is_no_less(before: Any, after: Any) -> bool:
    """Return whether a number is at least as large afterwards; False where either is none."""
    try:
        return float(before) <= float(after)
    except (OverflowError, TypeError, ValueError):
        return False


def _difference(path: str, old: Any, new: Any) -> str:
    name = path.rpartition(".")[2]
    if not all(value is None or isinstance(value, str | int | float) for value in (old, new)):
        return path
    if any(value in (SECRET, UNKNOWN) for value in (old, new)):
        return path
    return f"{name} {_word(old)} → {_word(new)}"


def _word(value: Any) -> str:
    if value is None:
        return "not set"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _paths_of(wanted: str, value: Any, path: str = "") -> Iterator[str]:
    if value == wanted:
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _paths_of(wanted, item, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths_of(wanted, item, f"{path}[{index}]")
