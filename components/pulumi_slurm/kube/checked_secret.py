"""The user's secrets as Outputs, with checks."""

import pulumi

from pulumi_slurm.errors import respelled
from pulumi_slurm.issue import Check


def checked_secret(value: pulumi.Input[str], check: Check) -> pulumi.Output[str]:
    """Return a secret that is checked as soon as its value is available; messages don't contain it."""

    def checked(text: str) -> str:
        if issue := check(text):
            raise pulumi.RunError(respelled(str(issue)))
        return text

    if isinstance(value, str):
        return pulumi.Output.secret(checked(value))
    output: pulumi.Output[str] = pulumi.Output.from_input(value)
    return pulumi.Output.secret(output.apply(checked))
