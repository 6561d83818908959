"""docs/policies.md names all policies, and says how they are configured."""

import json

import jsonschema

from devcluster.folders import CHECKOUT
from slurm_policies.all_policies import POLICIES, SUBJECTS
from slurm_policies.policy import Policy
from slurm_policies.reading import number
from tests.doc_blocks import blocks
from tests.unit.policies.cases import cases

PAGE = CHECKOUT / "docs" / "policies.md"
BY_NAME = {policy.name: policy for policy in POLICIES}


def row(subject: str, policy: Policy) -> str:
    """Return the row of a policy in the table."""
    takes = [f"`{name}` {number(schema['default'])}" for name, schema in policy.properties.items()]
    jobs = ["jobs"] if policy.ends_jobs else []
    cells = (
        subject,
        f"`{policy.name}`",
        f"{policy.level}, {policy.severity}",
        ", ".join([*jobs, *takes]),
        policy.description,
    )
    return f"| {' | '.join(cells)} |"


def table() -> str:
    """Return the table of all policies."""
    head = ["| On | Policy | Level, severity | Configuration | What holds |", "| --- | --- | --- | --- | --- |"]
    rows = [
        row(subject if policy is policies[0] else "", policy)
        for subject, policies in SUBJECTS.items()
        for policy in policies
    ]
    return "\n".join([*head, *rows])


def test_the_page_has_the_table_of_all_policies() -> None:
    _, _, written = PAGE.read_text().partition("<!-- check: all-policies -->\n")
    assert written.rstrip() == table()


def test_what_the_page_configures_is_what_policies_take() -> None:
    (block,) = blocks("policies")
    for name, configuration in json.loads(block.text).items():
        level = {"enforcementLevel": {"enum": ["advisory", "mandatory", "disabled"]}}
        schema = {"type": "object", "properties": {**BY_NAME[name].schema, **level}, "additionalProperties": False}
        jsonschema.validate(configuration, schema)


def test_the_page_shows_a_message_that_a_policy_writes() -> None:
    (block,) = blocks("violation")
    head, description, message = (line.strip() for line in block.text.strip().splitlines())
    policy = next(policy for policy in POLICIES if policy.name in head)
    assert head.startswith(f"- [{policy.level}] [severity: {policy.severity}]  ")
    assert description == policy.description
    assert message in {said for name, case in cases() if name == policy.name for said in case["violations"]}
