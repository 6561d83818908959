"""What the policy pack says of what a program registers."""

from collections.abc import Iterable, Mapping
from typing import Any

import pulumi

from slurm_policies.all_policies import POLICIES
from slurm_policies.policy import Level, Resource


def mandatory_violations(requests: Iterable[Any]) -> dict[str, list[str]]:
    """Return by policy the violations for which a preview fails, by the requests that a program has made."""
    found: dict[str, list[str]] = {}
    for request in requests:
        inputs = pulumi.runtime.rpc.deserialize_properties(request.object, keep_unknowns=True)
        resource = Resource(
            type=request.type,
            name=request.name,
            inputs=_without_secrets(inputs),
            protected=request.protect,
            ignored=tuple(request.ignoreChanges),
            deleted_first=request.deleteBeforeReplace,
        )
        for policy in POLICIES:
            for violation in policy.violations(resource, {}):
                if policy.level is Level.MANDATORY:
                    found.setdefault(policy.name, []).append(f"{request.name}: {violation}")
    return found


def _without_secrets(value: Any) -> Any:
    """Return inputs as the engine hands them to a pack: secrets are their values."""
    if pulumi.runtime.rpc.is_rpc_secret(value):
        return _without_secrets(pulumi.runtime.rpc.unwrap_rpc_secret(value))
    if isinstance(value, Mapping):
        return {key: _without_secrets(item) for key, item in value.items()}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value
