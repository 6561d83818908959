"""The stack that runs: its settings, and what a run tells of them. Without a run nothing here is loaded."""

from collections.abc import Collection, Iterable
from typing import Any

import pulumi

from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm_stacks.accepted import accepted_line
from pulumi_slurm_stacks.config import SUBJECT, judge


class RunningSettings:
    """The settings of the stack that runs, which the engine has decrypted."""

    def __init__(self, config: pulumi.Config) -> None:
        self._config = config
        self._prefix = f"{config.name}:"

    def written(self) -> Collection[str]:
        """Return the keys that are written."""
        keys = pulumi.runtime.config.CONFIG.get()
        return [key.removeprefix(self._prefix) for key in keys if key.startswith(self._prefix)]

    def get(self, key: str) -> str | None:
        """Return a key's text."""
        return self._config.get(key)

    def is_encrypted(self, key: str) -> bool:
        """Return whether a key stands encrypted in the file."""
        return pulumi.runtime.config.is_config_secret(f"{self._prefix}{key}")

    def is_unreadable(self, key: str) -> bool:
        """Return False: the engine has decrypted all."""
        return False


@spelled(Spelling.CAMEL_CASE)
def read_config(config: pulumi.Config | None = None) -> tuple[Any, Any]:
    """Return the configuration of the stack that runs.

    Raises:
        SpecRunError: with every error in it, before any resource is registered.
    """
    judgement = judge(RunningSettings(config or pulumi.Config("slurm")))
    if errors := [*judgement.errors, *judgement.unset, *judgement.on_this_machine]:
        raise SpecRunError(errors, SUBJECT)
    show(judgement.warnings, judgement.accepted)
    assert judgement.config is not None
    assert judgement.secrets is not None
    return judgement.config, judgement.secrets


def show(warnings: Iterable[FieldError], accepted: Iterable[tuple[FieldError, str]]) -> None:
    """Show what is warned of, and what is as wanted."""
    for warning in warnings:
        pulumi.log.warn(warning.line)
    for warning, reason in accepted:
        pulumi.log.info(accepted_line(warning, reason))
