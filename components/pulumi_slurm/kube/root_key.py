"""The root key of a Slurm cluster, from which all its keys are derived."""

from typing import Any

import pulumi

from pulumi_slurm.errors import FieldError, field_errors, respelled
from pulumi_slurm.keys import ROOT_KEY_BYTES, SET_ROOT_KEY, decode_root_key

_PROBLEM = f"this is not the base64 form of {ROOT_KEY_BYTES} bytes"
_FIX = f"Pass the stack's secret slurm:rootKey. Set it: {SET_ROOT_KEY}"


def check_root_key(value: Any) -> Any:
    """Validate a root key in the arguments of a component, unless it is still an Output; no error repeats it."""
    if isinstance(value, str) and not _is_root_key(value):
        raise field_errors([FieldError((), FieldError.ABSENT, _PROBLEM, _FIX)])
    return value


def root_key(argument: Any) -> pulumi.Output[str]:
    """Return the root key in the arguments of a component, or else the stack's, as a secret.

    An Output is checked once its value is known.

    Raises:
        pulumi.RunError: when there is none, or it is known already and not the base64 form of 32 bytes.
    """
    if isinstance(argument, str):
        return pulumi.Output.secret(_checked(argument))
    if argument is not None:
        return pulumi.Output.secret(argument).apply(_checked)
    value = pulumi.Config("slurm").get("rootKey")
    if value is None:
        raise pulumi.RunError(f"slurm:rootKey is not set; every key is derived from it. Set it: {SET_ROOT_KEY}")
    try:
        decode_root_key(value)
    except ValueError as error:
        raise pulumi.RunError(str(error)) from None
    return pulumi.Output.secret(value)


def _checked(value: Any) -> str:
    if not isinstance(value, str) or not _is_root_key(value):
        raise pulumi.RunError(respelled(f"rootKey: {_PROBLEM}. {_FIX}"))
    return value


def _is_root_key(text: str) -> bool:
    try:
        decode_root_key(text)
    except ValueError:
        return False
    return True
