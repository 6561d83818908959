"""Whatever YAML holds: arbitrary data, and what has to come of reading it."""

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
    known = [st.sampled_from(words)] if words else []
    scalars = st.one_of(
        *known,
        *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates()),
        st.binary(max_size=2),
    )
    keys = st.one_of(
        *known,
        *(st.sampled_from(fields), st.text(max_size=4), st.integers(-2, 2), st.booleans(), st.none(), st.floats()),
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    )


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return each place in data as a container and its key or index."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in items for place in [(data, key), *places(value)]]


def errors_in(load: Callable[..., object], *data: Any) -> list[str]:
    """Return what is told of data as it is read, nothing if it is taken; each error once and with a fix.

    No other spec_error may come, and data stays as it was.
    """
    before = copy.deepcopy(data)
    found = None
    try:
        load(*data)
    except SpecError as spec_error:
        found = spec_error.errors
        str(spec_error)
    assert found is None or (found and all(error.problem and error.fix for error in found))
    assert repr(data) == repr(before), "what the user gave is left as it was"
    told = [str(error) for error in found or ()]
    assert len(told) == len(set(told)), "each error once"
    return told
