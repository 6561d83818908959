"""Reading a model in spite of errors: what is wrong is noted and set aside until the rest is valid."""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pulumi_slurm.errors import FieldError, Path, field_text, from_pydantic

PLACEHOLDER_NAME = "unnamed"
"""The name of what has none that can be read, so that the rest can be looked at."""

_NEEDED = ("name", "nodeSets", "node_sets")
_NOTHING = object()


class PartialLoad:
    """One piece of plain data being read as a model."""

    def __init__(self, data: Any, model: type[BaseModel]) -> None:
        self.found: list[FieldError] = []
        """What is wrong, with paths as the user wrote them."""
        self.set_aside: set[Path] = set()
        """Paths, in camelCase and as the user wrote them, of what was taken out."""
        self.names_set_aside: set[str] = set()
        """Names of items that were taken out whole."""
        self.lacks_a_name = False
        """Whether the name at the top could not be read."""
        self._data: Any = dict(data) if isinstance(data, Mapping) else data
        self._data = copy.deepcopy(self._data)
        self._model = model

    def read(self) -> BaseModel | None:
        """Return what can be read of the data; None when nothing can."""
        while True:
            try:
                return self._model.model_validate(self._data)
            except ValidationError as validation_error:
                fresh = [self.as_written(error) for error in from_pydantic(validation_error, self._model)]
                self._tell(error for error in fresh if not self._follows(error))
                details = validation_error.errors(include_url=False)
                inner = {path for detail in details for path in _inner(detail)}
                outer = {_plain(detail["loc"]) for detail in details}
                # Each finding's value goes; where that has gone before, so does what can't do without it.
                if not self._take_out_all(inner) and not self._take_out_all(outer):
                    self.found = self.found or fresh
                    return None

    def _tell(self, errors: Iterable[FieldError]) -> None:
        # Once each: what is missing is missing in every round, and one field may be there in two spellings.
        told = {str(error) for error in self.found}
        for error in errors:
            if str(error) not in told:
                told.add(str(error))
                self.found.append(error)

    def as_written(self, error: FieldError) -> FieldError:
        """Return the error with list positions as the user wrote them."""
        depends_on_fields = tuple(self._as_written(path) for path in error.depends_on_fields)
        return replace(error, path=self._as_written(error.path), depends_on_fields=depends_on_fields)

    def follows(self, error: FieldError) -> bool:
        """Return whether an error found in what is left is only there because something was set aside."""
        return self._follows(self.as_written(error))

    def _follows(self, error: FieldError) -> bool:
        return follows_from(error, self.set_aside)

    def _as_written(self, path: Path) -> Path:
        written: Path = ()
        for step in path:
            if isinstance(step, int):
                gone = (path[-1] for path in self.set_aside if path[:-1] == _camel(written))
                for position in sorted(position for position in gone if isinstance(position, int)):
                    step += position <= step  # noqa: PLW2901
            written = (*written, step)
        return written

    def _take_out_all(self, spots: set[Path]) -> bool:
        # Later items of a list first, so that earlier ones keep their place meanwhile.
        taken = [self._take_out(spot) for spot in sorted(spots, key=_list_order, reverse=True)]
        return any(taken)

    def _take_out(self, path: Path) -> bool:
        if not isinstance(self._data, dict):
            return False
        if path == ("name",):
            self.lacks_a_name = True
            self.set_aside.add(path)
            changed = self._data.get("name") != PLACEHOLDER_NAME
            self._data["name"] = PLACEHOLDER_NAME
            return changed
        container: Any = self._data
        for step in path[:-1]:
            container = _child(container, step)
        if not path or _child(container, path[-1]) is _NOTHING:
            return False
        written = _camel(self._as_written(path))
        removed = container.pop(_key(container, path[-1]))
        self.set_aside.add(written)
        if isinstance(removed, dict) and isinstance(removed.get("name"), str):
            self.names_set_aside.add(removed["name"])
        return True


def follows_from(error: FieldError, set_aside: Iterable[Path]) -> bool:
    """Return whether an error is only there because something was set aside: its own field, or one it rests on."""
    return any(
        _is_within(error.path, gone)
        or any(_is_within(gone, path) or _is_within(path, gone) for path in error.depends_on_fields)
        for gone in set_aside
    )


def _is_within(path: Path, outer: Path) -> bool:
    return _camel(path)[: len(outer)] == _camel(outer)


def _inner(detail: ErrorDetails) -> list[Path]:
    """Return the paths of what a finding is about: several, where one validator found several errors."""
    path = _plain(detail["loc"])
    if detail["type"] == "slurm_rules":
        return [path + error.path for error in detail["ctx"]["errors"]]
    # An item that lacks what it can't do without goes whole.
    needs_it = detail["type"] == "missing" or (path[-1:] and path[-1] in _NEEDED)
    return [path[:-1] if needs_it and len(path) > 1 else path]


def _plain(loc: Path) -> Path:
    return tuple(step for step in loc if step != "[key]")


def _camel(path: Path) -> Path:
    return tuple(field_text(step) if isinstance(step, str) else step for step in path)


def _list_order(path: Path) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key under which positions in lists are compared as numbers: 10 comes after 9."""
    return tuple((isinstance(step, int), step if isinstance(step, int) else 0, str(step)) for step in path)


def _key(container: Any, step: str | int) -> Any:
    """Return the key under which ``step`` stands; pydantic gives keys that are neither text nor integer as text."""
    if not isinstance(container, dict) or step in container:
        return step
    alike = (key for key in container if step in (str(key), repr(key)) or field_text(str(key)) == field_text(str(step)))
    return next(alike, step)


def _child(container: Any, step: str | int) -> Any:
    try:
        return container[_key(container, step)]
    except (KeyError, IndexError, TypeError):
        return _NOTHING
