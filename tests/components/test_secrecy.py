"""No error of a component's arguments repeats a secret, at any place of any of its models."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.cloud_slurm.component import CloudSlurmArgs
from pulumi_slurm.kube.component import Args, parse_args
from tests.components.test_arguments import argument_models
from tests.unit.secret_strategies import Place, looks, passwords, places_in
from tests.unit.telling import told


@cache
def models() -> list[type[Args]]:
    return sorted({*argument_models()} - {CloudSlurmArgs}, key=lambda model: model.__name__)


@cache
def places(model: type[Args]) -> list[Place]:
    return list(places_in(model))


@pytest.mark.parametrize("by", ["call", "component"])
@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_arguments_with_a_secret_somewhere(by: str, data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(models()))
    place = data.draw(st.sampled_from(places(model)))
    text, secret = data.draw(st.builds(lambda word: (word, word), passwords) if place.never_shown else looks)
    arguments: dict[str, Any] = place.put(text)
    refused = told(lambda: model(**arguments)) if by == "call" else told(lambda: parse_args(model, arguments))
    assert secret not in refused
