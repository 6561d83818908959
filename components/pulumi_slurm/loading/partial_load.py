"""Parsing of a model despite errors: invalid values are recorded and removed until the remaining data is valid."""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pulumi_slurm.errors import FieldError, Path, field_text, from_pydantic, with_free_keys, without_secrets_of
from pulumi_slurm.loading.depth import MAX_DEPTH, is_too_deep
from pulumi_slurm.loading.removed_paths import RemovedPaths

PLACEHOLDER_NAME = "unnamed"
"""Replaces a name that is missing or invalid, so that the other fields can be checked."""

_REQUIRED_KEYS = ("name", "nodeSets", "node_sets")
_ABSENT = object()


class PartialLoad:
    """Plain data that is parsed as a model as far as possible."""

    def __init__(self, data: Any, model: type[BaseModel]) -> None:
        self.errors: list[FieldError] = []
        """All errors, with the paths of the user's data."""
        self.removed = RemovedPaths()
        """Paths of the values that were removed."""
        self.removed_names: set[str] = set()
        """Names of list items that were removed as a whole."""
        self.name_is_placeholder = False
        """Whether the name at the root is missing or invalid and was replaced by `PLACEHOLDER_NAME`."""
        self._data: Any = dict(data) if isinstance(data, Mapping) else data
        self._too_deep = is_too_deep(self._data)
        if not self._too_deep:
            self._data = copy.deepcopy(self._data)
        self._model = model

    def read(self) -> BaseModel | None:
        """Return the model with as much of the data as is valid, or None if it can't be parsed at all."""
        if self._too_deep:
            problem = f"there are more than {MAX_DEPTH} levels of mappings and lists"
            self.errors = [FieldError((), FieldError.ABSENT, problem, "Write fewer levels, or files of their own.")]
            return None
        while True:
            try:
                return self._model.model_validate(self._data)
            except ValidationError as validation_error:
                new_errors = [self.with_original_paths(error) for error in from_pydantic(validation_error, self._model)]
                self._report(error for error in new_errors if not self._is_consequence(error))
                details = validation_error.errors(include_url=False)
                wrong_paths = {path for detail in details for path in _paths_to_remove(detail)}
                reported_paths = {_path_of(detail["loc"]) for detail in details}
                # Remove each invalid value; if it has been removed before, remove the value that requires it.
                if not self._remove_all(wrong_paths) and not self._remove_all(reported_paths):
                    self.errors = self.errors or new_errors
                    return None

    def _report(self, errors: Iterable[FieldError]) -> None:
        # Report each error once: a missing field is missing in every pass, and a field may occur in two spellings.
        reported = {str(error) for error in self.errors}
        for error in errors:
            if str(error) not in reported:
                reported.add(str(error))
                self.errors.append(error)

    def with_original_paths(self, error: FieldError) -> FieldError:
        """Return the error with the list indexes of the user's data, and without what may be a secret."""
        depends_on_fields = tuple(self._original_path(path) for path in error.depends_on_fields)
        path = with_free_keys(self._model, self._original_path(error.path))
        return without_secrets_of(self._model, replace(error, path=path, depends_on_fields=depends_on_fields))

    def is_consequence(self, error: FieldError) -> bool:
        """Return whether an error in the remaining data only occurs because a value was removed."""
        return self._is_consequence(self.with_original_paths(error))

    def _is_consequence(self, error: FieldError) -> bool:
        return self.removed.explain(error)

    def _original_path(self, path: Path) -> Path:
        original: Path = ()
        for step in path:
            index = self.removed.original_index(original, step) if isinstance(step, int) else step
            original = (*original, index)
        return original

    def _remove_all(self, paths: set[Path]) -> bool:
        # Later items of a list first, so that the indexes of earlier ones stay valid.
        changes = [self._remove(path) for path in sorted(paths, key=_list_order, reverse=True)]
        return any(changes)

    def _remove(self, path: Path) -> bool:
        if not isinstance(self._data, dict):
            return False
        if path == ("name",):
            self.name_is_placeholder = True
            self.removed.add(path)
            changed = self._data.get("name") != PLACEHOLDER_NAME
            self._data["name"] = PLACEHOLDER_NAME
            return changed
        container: Any = self._data
        for step in path[:-1]:
            container = _child(container, step)
        if not path or _child(container, path[-1]) is _ABSENT:
            return False
        original = self._original_path(path)
        value = container.pop(_key(container, path[-1]))
        self.removed.add(original)
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            self.removed_names.add(value["name"])
        return True


def _paths_to_remove(detail: ErrorDetails) -> list[Path]:
    """Return the paths of the values that a pydantic error is about; one validator may raise several errors."""
    path = _path_of(detail["loc"])
    if detail["type"] == "slurm_rules":
        return [path + error.path for error in detail["ctx"]["errors"]]
    # An item without one of its required fields is removed as a whole.
    container_needs_it = detail["type"] == "missing" or (path[-1:] and path[-1] in _REQUIRED_KEYS)
    return [path[:-1] if container_needs_it and len(path) > 1 else path]


def _path_of(loc: Path) -> Path:
    return tuple(step for step in loc if step != "[key]")


def _list_order(path: Path) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key that compares list indexes as numbers: 10 comes after 9."""
    return tuple((isinstance(step, int), step if isinstance(step, int) else 0, str(step)) for step in path)


def _key(container: Any, step: str | int) -> Any:
    """Return the key of ``container`` that ``step`` means; pydantic turns keys of other types into strings."""
    if not isinstance(container, dict) or step in container:
        return step
    same_keys = (
        key for key in container if step in (str(key), repr(key)) or field_text(str(key)) == field_text(str(step))
    )
    return next(same_keys, step)


def _child(container: Any, step: str | int) -> Any:
    try:
        return container[_key(container, step)]
    except (KeyError, IndexError, TypeError):
        return _ABSENT
