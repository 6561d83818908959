"""The policies of the pack: what each lets through and what not, and that none fails on what anybody may register."""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

from slurm_policies.all_policies import POLICIES, SUBJECTS
from slurm_policies.policy import Policy, Resource
from slurm_policies.reading import UNKNOWN, plain
from tests.unit.policies.cases import cases, violations

pytestmark = pytest.mark.unit

BY_NAME = {policy.name: policy for policy in POLICIES}
CASES = list(cases())
each_policy = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_a_policy_says_what_is_to_be_written_instead(name: str, case: Mapping[str, Any]) -> None:
    assert violations(BY_NAME[name], case) == case["violations"]


@each_policy
def test_each_policy_has_a_case_that_passes_and_one_that_fails(policy: Policy) -> None:
    of_its_types = [
        bool(case["violations"])
        for name, case in CASES
        if name == policy.name and any(fnmatchcase(case["type"], pattern) for pattern in policy.types)
    ]
    assert {*of_its_types} == {True, False}


def test_names_are_unique_and_each_policy_has_a_subject() -> None:
    assert len(BY_NAME) == len(POLICIES) == sum(map(len, SUBJECTS.values()))


@each_policy
def test_each_policy_says_what_holds_and_how_it_is_configured(policy: Policy) -> None:
    assert policy.description.endswith(".")
    # Where one reads that it is so.
    assert any(source in str(policy.check.__doc__) for source in ("https://", ".go of", ".py", "issues"))
    schema = {"type": "object", "properties": policy.schema, "additionalProperties": False}
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate({name: one["default"] for name, one in policy.schema.items()}, schema)
    assert all(one["description"] for one in policy.schema.values())


# What policies look for, so that what is drawn leads somewhere.
_KEYS = sorted(
    {
        key
        for _, case in CASES
        for key in json.dumps(case["inputs"]).replace("\\n", '"').split('"')
        if key.strip(" :,[]{}")
    }
)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(_KEYS),
    st.just(UNKNOWN),
    st.builds(object),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(st.sampled_from(_KEYS), st.text(max_size=4)), inner)
    ),
    max_leaves=12,
)


def _somewhere_else(value: Any, draw: Any) -> Any:
    """Return a case's inputs with something else in one place or another."""
    if draw(st.integers(0, 5)) == 0:
        return draw(_values)
    if isinstance(value, Mapping):
        return {key: _somewhere_else(item, draw) for key, item in value.items()}
    return [_somewhere_else(item, draw) for item in value] if isinstance(value, list) else value


@st.composite
def resources(draw: Any) -> Resource:
    """Draw a resource of a type that a policy knows, with anything in it."""
    _, case = draw(st.sampled_from(CASES))
    inputs = _somewhere_else(case["inputs"], draw)
    return Resource(
        type=case["type"],
        name="drawn",
        inputs=inputs if isinstance(inputs, Mapping) else {"spec": inputs},
        protected=draw(st.booleans()),
    )


@given(resources())
def test_no_policy_fails_on_what_anybody_registers(resource: Resource) -> None:
    for policy in POLICIES:
        for violation in policy.violations(resource, {}):
            assert "\n" not in str(violation)


@pytest.mark.parametrize("case", [case for _, case in CASES])
def test_what_is_not_known_yet_violates_nothing(case: Mapping[str, Any]) -> None:
    resource = Resource(case["type"], "a", dict.fromkeys([*case["inputs"], "spec"], UNKNOWN))
    for policy in POLICIES:
        for violation in policy.violations(resource, {}):
            assert violation.path[0] not in resource.inputs


class NotYetError(Exception):
    """Stands for what pulumi-policy raises."""


class Proxy(dict[str, Any]):
    """Stands for pulumi-policy's, which raises when what isn't known is read."""

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if value is UNKNOWN:
            raise NotYetError
        return value


def test_one_value_that_is_not_known_hides_no_other() -> None:
    props = Proxy(a=UNKNOWN, b=Proxy(c=UNKNOWN, d=[1.0, "x"]))
    assert plain(props, NotYetError) == {"a": UNKNOWN, "b": {"c": UNKNOWN, "d": [1.0, "x"]}}
