"""Where a field is that a user wrote at the wrong level of a specification."""

import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors.annotations import unwrapped
from pulumi_slurm.errors.respelling import AsWritten, respelled
from pulumi_slurm.errors.suggestions import letters

_DEEPEST = 3
"""How many levels below the wrong place a field is looked for."""
_MOST_PLACES = 2
"""A name that is in more places says little about what was meant."""


def place_of(model: type[BaseModel], name: str) -> str | None:
    """Return a sentence that asks for a field of this name below a model; None if it is nowhere or anywhere.

    It only asks, since the name may be as wrong as the level.
    """
    if any(_in_singular(field) == _in_singular(name) for field in _names(model)):
        return None  # It is at the right level, in another spelling.
    paths = next((places[letters(name)] for places in _places(model) if letters(name) in places), ())
    if not 0 < len(paths) <= _MOST_PLACES:
        return None
    places = " or ".join(f'"{respelled(place)}"' for place in paths)
    return AsWritten(f"Did you mean {places}?")


@lru_cache(maxsize=512)
def _places(model: type[BaseModel]) -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """Return for each level below a model the places of its fields by their letters."""
    levels, level = [], [("", model)]
    for _ in range(_DEEPEST):
        level = [(f"{path}{step}", inner) for path, one in level for step, inner in _below(one)]
        places: dict[str, dict[str, None]] = {}
        for path, one in level:
            for field in _names(one):
                places.setdefault(letters(field), {})[f"{path}.{field}".lstrip(".")] = None
        levels.append(MappingProxyType({name: tuple(paths) for name, paths in places.items()}))
    return tuple(levels)


def _in_singular(name: str) -> str:
    return letters(name).removesuffix("s")


@lru_cache(maxsize=512)
def _names(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(to_camel(name) for name in model.model_fields)


@lru_cache(maxsize=512)
def _below(model: type[BaseModel]) -> tuple[tuple[str, type[BaseModel]], ...]:
    """Return the fields of a model that hold models, each as a step of a path with the model."""
    return tuple(
        (f".{to_camel(name)}{step}", inner)
        for name, field in model.model_fields.items()
        if name != "sidecars"
        for step, inner in _models(field.annotation)
    )


def _models(annotation: object) -> Iterator[tuple[str, type[BaseModel]]]:
    for candidate in unwrapped(annotation):
        if typing.get_origin(candidate) is list:
            yield from (("[]" + step, inner) for step, inner in _models(typing.get_args(candidate)[0]))
        elif isinstance(candidate, type) and issubclass(candidate, BaseModel):
            yield "", candidate
