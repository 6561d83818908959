"""Arbitrary data that YAML can contain, and the properties that parsing it has to have."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import SpecError


def fields_of(*models: type[BaseModel]) -> list[str]:
    """Return the names of the models' fields, in both spellings."""
    return sorted({spelling for model in models for name in model.model_fields for spelling in (name, to_camel(name))})


def trees(fields: Sequence[str], words: Sequence[str] = ()) -> st.SearchStrategy[Any]:
    """Return a strategy for data in which these fields occur, and also these words as keys and values."""
    word_strategies = [st.sampled_from(words)] if words else []
    scalars = st.one_of(
        *word_strategies,
        *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates()),
        st.binary(max_size=2),
    )
    keys = st.one_of(
        *word_strategies,
        *(st.sampled_from(fields), st.text(max_size=4), st.integers(-2, 2), st.booleans(), st.none(), st.floats()),
    )
    return st.recursive(
        scalars,
        lambda children: st.lists(children, max_size=3) | st.dictionaries(keys, children, max_size=4),
        max_leaves=12,
    )


def positions(data: Any) -> list[tuple[Any, Any]]:
    """Return the position of every value in the data, as its container and the key or index."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [position for key, value in items for position in [(data, key), *positions(value)]]


def errors_in(load: Callable[..., object], *data: Any) -> list[str]:
    """Return the errors of loading data, or nothing if it is valid; every error is reported once and has a fix.

    No other exception may be raised, and the data must not be changed.
    """
    original = copy.deepcopy(data)
    errors = None
    try:
        load(*data)
    except SpecError as spec_error:
        errors = spec_error.errors
        str(spec_error)
    assert errors is None or (errors and all(error.problem and error.fix for error in errors))
    assert repr(data) == repr(original), "the user's data is not changed"
    texts = [str(error) for error in errors or ()]
    assert len(texts) == len(set(texts)), "each error once"
    return texts
