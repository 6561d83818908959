"""The root key of a Slurm cluster, from which all its keys are derived."""

from typing import Any

import pulumi

from pulumi_slurm.keys import SET_ROOT_KEY, decode_root_key


def root_key(given: Any) -> pulumi.Output[str]:
    """Return the root key that was given, or the stack's, as a secret.

    Raises:
        pulumi.RunError: when there is none, or it is known already and not the base64 form of 32 bytes.
    """
    given = given if given is not None else pulumi.Config("slurm").get("rootKey")
    if given is None:
        raise pulumi.RunError(f"slurm:rootKey is not set; every key is derived from it. Set it: {SET_ROOT_KEY}")
    if isinstance(given, str):
        try:
            decode_root_key(given)
        except ValueError as error:
            raise pulumi.RunError(str(error)) from None
    return pulumi.Output.secret(given)
