"""Configurations of stacks, as tests of several tiers read them, change them and break them."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm_stacks.config import StackConfig, StackSecrets
from pulumi_slurm_stacks.running import read_config

ROOT_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
SECRET_KEYS = {
    *("slurm:rootKey", "slurm:ldapBindPassword", "slurm:databasePassword"),
    *("slurm:jobCompletionPassword", "slurm:copilotToken"),
}
"""The settings that `pulumi config set --secret` writes."""
Path = tuple[str | int, ...]


def read(settings: Mapping[str, Any]) -> tuple[StackConfig, StackSecrets]:
    """Return the configuration and the secrets of a stack with these settings; none of them stay set."""
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
    pulumi.runtime.set_all_config(texts, [key for key in texts if key in SECRET_KEYS])
    try:
        return read_config(pulumi.Config("slurm"))
    finally:
        pulumi.runtime.set_all_config({}, [])


def read_with_secrets(settings: Mapping[str, Any]) -> tuple[StackConfig, StackSecrets]:
    """Return the same for settings without secrets, with all that their kind of stack can have."""
    if settings["slurm:kind"] == "copilot":
        return read(settings)
    secrets = {"slurm:rootKey": ROOT_KEY, "slurm:ldapBindPassword": "secret"}
    if settings["slurm:kind"] == "ack":
        secrets |= {"slurm:jobCompletionPassword": "secret"}
    return read({**secrets, **settings})


def errors(settings: Mapping[str, Any]) -> list[str]:
    """Return the errors of settings that are refused."""
    with pytest.raises(SpecError) as raised:
        read(settings)
    return [str(error) for error in raised.value.errors]


def changed(fields: Mapping[str, Any], *changes: tuple[Path, Any]) -> dict[str, Any]:
    """Return settings with the values at some paths changed; None takes one out.

    Fields and paths are written without "slurm:".
    """
    whole = deepcopy(dict(fields))
    for path, value in changes:
        inner: Any = whole
        for step in path[:-1]:
            inner = inner[step]
        if value is None:
            del inner[path[-1]]
        else:
            inner[path[-1]] = value
    return {f"slurm:{field}": value for field, value in whole.items()}


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Return the paths of all values below one."""
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))
