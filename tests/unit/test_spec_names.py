"""Names, aliases, items of `slurmd --conf`, images and the table of operator releases."""

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticCustomError

from pulumi_slurm import model as s
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model.names import dns_label, file_name, slurm_name
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.releases.operator_version import RELEASES

MODELS = [value for value in vars(s).values() if isinstance(value, type) and issubclass(value, BaseModel)]


@given(st.text(max_size=80))
def test_what_passes_as_a_name_is_one(text: str) -> None:
    for check, form in (
        (dns_label, r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"),
        (slurm_name, r"[A-Za-z0-9_][A-Za-z0-9_.-]*"),
        (file_name, r"[A-Za-z0-9][A-Za-z0-9._-]*"),
    ):
        try:
            assert re.fullmatch(form, check(text))
        except PydanticCustomError:
            assert not re.fullmatch(form, text)


@pytest.mark.parametrize("name", ["a\n", "a ", "a,b", "a=b", "a[1]", "é"])
def test_a_name_ends_where_it_seems_to(name: str) -> None:
    for check in (dns_label, slurm_name, file_name):
        with pytest.raises(PydanticCustomError):
            check(name)


@given(st.dictionaries(st.text(max_size=6), st.text(max_size=6), max_size=3))
def test_accepted_items_of_slurmd_survive_the_operators_splitting(options: dict[str, str]) -> None:
    try:
        node_set = NodeSetSpec(name="a", slurmd_options=options)
    except SpecError:
        return
    slurmd_conf = " ".join(f"{key}={value}" for key, value in node_set.slurmd_options.items())
    assert dict(item.split("=", 1) for item in slurmd_conf.split(" ") if item) == node_set.slurmd_options


def test_numbers_and_lists_become_the_text_that_slurm_reads() -> None:
    conf = s.SlurmConfSpec.model_validate({"extra": {"KillWait": 60, "LaunchParameters": ["a", "b"], "X": True}})
    assert conf.extra == {"KillWait": "60", "LaunchParameters": "a,b", "X": "YES"}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_alias_is_what_a_user_would_guess(model: type[BaseModel]) -> None:
    for name, field in model.model_fields.items():
        first_word, *other_words = name.split("_")
        assert field.alias == first_word + "".join(word.capitalize() for word in other_words)
        assert docstrings(model).get(name), f"{model.__name__}.{name} says what it is"


@pytest.mark.parametrize("release", RELEASES)
def test_releases_know_at_least_what_older_ones_know(release: str) -> None:
    row = s.operator_version(release)
    assert row.version == release
    assert row.jwt_field == ("jwtHs256KeyRef" if row.minor < (1, 1) else "jwtKeyRef")
    assert row.references_carry_namespace == (release in {"1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.1.0"})
    assert row.is_listed
    assert row.has("NodeSet", "scalingMode") == row.has("Controller", "jwksKeyRef") == (row.minor >= (1, 1))
    assert row.passes_on_topology == (row.minor >= (1, 1))
    assert ("25.11" in row.slurm_series) == (row.minor < (1, 3))
    assert ("26.05" in row.slurm_series) == (row.minor >= (1, 2))


def test_the_default_release_is_in_the_table() -> None:
    assert s.DEFAULT_OPERATOR in RELEASES


@given(
    st.text(max_size=6)
    | st.sampled_from(["", "1", "1.1", "1.1.", "1.1.x", "1.1.07", "1.1.-1", "1.1.2.1", " 1.1.2", "1.1.2\n"])
    | st.sampled_from(["0.9.0", "99.0.0", "v1.1.2", "1.1.2-rc1", "01.1.2"])
)
def test_other_releases_are_refused(text: str) -> None:
    if text not in RELEASES:
        with pytest.raises(PydanticCustomError, match="not known here"):
            s.operator_version(text)


@pytest.mark.parametrize("minor", sorted({release.rpartition(".")[0] for release in RELEASES}))
def test_an_unknown_patch_release_is_treated_as_the_newest_known_one_of_its_minor(minor: str) -> None:
    newest = s.operator_version([release for release in RELEASES if release.startswith(f"{minor}.")][-1])
    row = s.operator_version(f"{minor}.999")
    assert not row.is_listed
    assert row == replace(newest, version=f"{minor}.999")


def test_images_follow_the_slurm_version_unless_told_otherwise() -> None:
    assert s.ImagesSpec().of(s.Daemon.SLURMD, "25.11") == "ghcr.io/slinkyproject/slurmd:25.11-ubuntu24.04"
    assert s.ImagesSpec().of(s.Daemon.LOGIN, "26.05.1") == "ghcr.io/slinkyproject/login:26.05.1-ubuntu26.04"
    assert s.ImagesSpec(registry="r:5000/x", tag="t").of(s.Daemon.SLURMCTLD, "25.11") == "r:5000/x/slurmctld:t"


def test_models_are_frozen_and_refuse_what_they_do_not_know() -> None:
    for model, attempt in itertools.product(MODELS, ({"no_such_field": 1},)):
        data: Any = attempt
        with pytest.raises(ValidationError, match="no_such_field"):
            model.model_validate(data)
        assert model.model_config.get("frozen")
