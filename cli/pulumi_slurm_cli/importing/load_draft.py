"""A draft as a specification: what models and rules refuse is left out, with reasons, until the draft is valid."""

import warnings
from typing import Any

from pulumi_slurm.errors import FieldError, SpecError, SpecWarning, field_text
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.importing.draft import Draft

Path = tuple[str | int, ...]

_MEAN_SOMETHING_EMPTY = frozenset({"accounting"})
"""Fields of which an empty mapping says more than none."""


def load_draft(draft: Draft) -> tuple[SlurmSpec | None, list[FieldError]]:
    """Return the specification that is left of a draft, or None and the errors that nothing could be left out for."""
    while True:
        without_empty = {field: _without_empty(value) for field, value in draft.cluster.items()}
        draft.cluster = {
            field: value
            for field, value in without_empty.items()
            if value not in ({}, []) or field in _MEAN_SOMETHING_EMPTY
        }
        try:
            # What a rule warns of, each preview of the imported stack shows.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SpecWarning)
                return load(draft.cluster)[0], []
        except SpecError as spec_error:
            # Later items of a list first, so that the earlier ones keep their place meanwhile.
            errors = sorted(spec_error.errors, key=lambda error: _order(error.path), reverse=True)
            removed = [_remove(draft, error) for error in errors]
            if not any(removed):
                return None, spec_error.errors


def _remove(draft: Draft, error: FieldError) -> bool:
    path: Path = tuple(field_text(step) if isinstance(step, str) else step for step in error.path)
    if path[-1:] == ("name",):
        # Without its name, the whole item has to go.
        path = path[:-1]
    if _value_at(draft.cluster, path) is None:
        # A missing field can't be left out; the item that lacks it can, when that is one of several.
        while path and not isinstance(path[-1], int):
            path = path[:-1]
    if len(path) < 2 or _value_at(draft.cluster, path) is None:
        return False
    location, text = draft.origin(_named(draft.cluster, path))
    draft.leave_out(location, text, f"{error.problem[:1].upper()}{error.problem[1:]}. {error.fix}")
    del _value_at(draft.cluster, path[:-1])[path[-1]]
    return True


def _without_empty(data: Any) -> Any:
    if isinstance(data, dict):
        values = {key: _without_empty(value) for key, value in data.items()}
        return {key: value for key, value in values.items() if value not in ({}, [])}
    return [_without_empty(item) for item in data] if isinstance(data, list) else data


def _value_at(data: Any, path: Path) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _named(data: Any, path: Path) -> tuple[str, ...]:
    """Return the path with names in place of positions, where items of lists have names."""
    names: list[str] = []
    for step in path:
        data = data[step]
        names.append(data["name"] if isinstance(step, int) and isinstance(data, dict) else str(step))
    return tuple(names)


def _order(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple((step, "") if isinstance(step, int) else (0, step) for step in path)
