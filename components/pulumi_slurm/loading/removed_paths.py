"""The paths of values that were removed from a user's data, looked up without going through all of them."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator

from pulumi_slurm.errors import FieldError, Path, in_camel_case


class RemovedPaths:
    """Paths in camelCase, with the list indexes of the user's data."""

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self._paths: set[Path] = set()
        self._around: set[Path] = set()
        self._positions: dict[Path, list[int]] = {}
        for path in paths:
            self.add(path)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    def add(self, path: Path) -> None:
        """Add a path."""
        path = in_camel_case(path)
        if path in self._paths:
            return
        self._paths.add(path)
        self._around.update(_beginnings(path))
        if path and isinstance(path[-1], int):
            insort(self._positions.setdefault(path[:-1], []), path[-1])

    def original_index(self, path: Path, index: int) -> int:
        """Return the index in the user's data of an item of the list at ``path``, from its index among those left."""
        positions = self._positions.get(in_camel_case(path), [])
        before = bisect_right(range(len(positions)), index, key=lambda number: positions[number] - number)
        return index + before

    def explain(self, error: FieldError) -> bool:
        """Return whether an error only occurs because its own field, or one it depends on, was removed."""
        return self._holds(error.path) or any(
            self._holds(path) or in_camel_case(path) in self._around for path in error.depends_on_fields
        )

    def _holds(self, path: Path) -> bool:
        """Return whether the value at a path, or one around it, was removed."""
        return not self._paths.isdisjoint(_beginnings(in_camel_case(path)))


def _beginnings(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(len(path) + 1))
