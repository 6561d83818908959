"""Cases of policies: a resource each, and what a policy says of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from slurm_policies.policy import Policy, Resource
from slurm_policies.reading import UNKNOWN

FOLDER = Path(__file__).parent / "cases"
NOT_KNOWN = "(not known before deployment)"
"""How cases write such a value."""


def cases() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name of a policy and a case of it."""
    for file in sorted(FOLDER.glob("*.yaml")):
        for policy, of_policy in yaml.safe_load(file.read_text()).items():
            yield from ((policy, case) for case in of_policy)


def violations(policy: Policy, case: Mapping[str, Any]) -> list[str]:
    """Return what a policy says of the resource of a case."""
    options = dict(case.get("options", {}))
    options["ignored"] = tuple(options.get("ignored", ()))
    resource = Resource(type=case["type"], name="a-resource", inputs=_with_unknowns(case["inputs"]), **options)
    return [str(violation) for violation in policy.violations(resource, case.get("configuration", {}))]


def _with_unknowns(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _with_unknowns(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_unknowns(item) for item in value]
    return UNKNOWN if value == NOT_KNOWN else value
