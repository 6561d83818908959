"""The policies as Pulumi's policy packs have them."""

from collections.abc import Callable
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    PolicyPack,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import UnknownValueError

from slurm_policies.all_policies import POLICIES
from slurm_policies.policy import Policy, Resource
from slurm_policies.reading import plain


def main() -> None:
    """Serve the policies until the engine has done with them."""
    PolicyPack("slurm", [_as_pulumis(policy) for policy in POLICIES])


def _as_pulumis(policy: Policy) -> ResourceValidationPolicy:
    return ResourceValidationPolicy(
        policy.name,
        policy.description,
        _validation(policy),
        EnforcementLevel(policy.level),
        PolicyConfigSchema(policy.schema),
        severity=Severity(policy.severity),
    )


def _validation(policy: Policy) -> Callable[[ResourceValidationArgs, Callable[[str], None]], None]:
    def validate(args: ResourceValidationArgs, report: Callable[[str], None]) -> None:
        for violation in policy.violations(_resource(args), args.get_config()):
            report(str(violation))

    return validate


def _resource(args: Any) -> Resource:
    return Resource(
        type=args.resource_type,
        name=args.name,
        inputs=plain(args.props, UnknownValueError),
        protected=args.opts.protect,
        ignored=tuple(args.opts.ignore_changes),
        deleted_first=bool(args.opts.delete_before_replace),
    )
