"""Reading a model in spite of mistakes: what is wrong is noted and set aside until the rest is valid."""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pulumi_slurm.errors import Mistake, Path, field_text, from_validation_error

PLACEHOLDER_NAME = "unnamed"
"""The name of what has none that can be read, so that the rest can be looked at."""

_NEEDED = ("name", "nodeSets", "node_sets")
_NOTHING = object()


class Reading:
    """One piece of plain data being read as a model."""

    def __init__(self, data: Any, model: type[BaseModel]) -> None:
        self.found: list[Mistake] = []
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
            except ValidationError as error:
                fresh = [self.as_written(mistake) for mistake in from_validation_error(error, self._model)]
                self._tell(mistake for mistake in fresh if not self._follows(mistake))
                details = error.errors(include_url=False)
                inner = {path for detail in details for path in _inner(detail)}
                outer = {_plain(detail["loc"]) for detail in details}
                # Each finding's value goes; where that has gone before, so does what can't do without it.
                if not self._take_out_all(inner) and not self._take_out_all(outer):
                    self.found = self.found or fresh
                    return None

    def _tell(self, mistakes: Iterable[Mistake]) -> None:
        # Once each: what is missing is missing in every round, and one field may be there in two spellings.
        told = {str(mistake) for mistake in self.found}
        for mistake in mistakes:
            if str(mistake) not in told:
                told.add(str(mistake))
                self.found.append(mistake)

    def as_written(self, mistake: Mistake) -> Mistake:
        """Return the mistake with list positions as the user wrote them."""
        rests_on = tuple(self._as_written(path) for path in mistake.rests_on)
        return replace(mistake, path=self._as_written(mistake.path), rests_on=rests_on)

    def follows(self, mistake: Mistake) -> bool:
        """Return whether a mistake found in what is left is only there because something was set aside."""
        return self._follows(self.as_written(mistake))

    def _follows(self, mistake: Mistake) -> bool:
        return follows(mistake, self.set_aside)

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


def follows(mistake: Mistake, set_aside: Iterable[Path]) -> bool:
    """Return whether a mistake is only there because something was set aside: its own field, or one it rests on."""
    return any(
        _is_within(mistake.path, gone)
        or any(_is_within(gone, path) or _is_within(path, gone) for path in mistake.rests_on)
        for gone in set_aside
    )


def _is_within(path: Path, outer: Path) -> bool:
    return _camel(path)[: len(outer)] == _camel(outer)


def _inner(detail: ErrorDetails) -> list[Path]:
    """Return the paths of what a finding is about: several, where one validator found several mistakes."""
    path = _plain(detail["loc"])
    if detail["type"] == "slurm_rules":
        return [path + mistake.path for mistake in detail["ctx"]["mistakes"]]
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
