"""The stack that runs: its settings, and what a run tells of them. Without a run nothing here is loaded."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

import pulumi

from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.clouds.unread import nobody_answers
from pulumi_slurm.errors import FieldError, SpecError, collected_warnings, without_warnings
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm_stacks.accepted import accepted_line, split_accepted
from pulumi_slurm_stacks.cloud_config import CloudConfig, errors_as_built, errors_of_both
from pulumi_slurm_stacks.config import SUBJECT, judge, prefixed

T = TypeVar("T")
C = TypeVar("C", bound=CloudConfig)


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


def read_config(config: pulumi.Config | None = None) -> tuple[Any, Any]:
    """Return the configuration of the stack that runs.

    Raises:
        SpecRunError: with every error in it, before any resource is registered.
    """
    judgement = judge(RunningSettings(config or pulumi.Config("slurm")))
    if errors := [*judgement.errors, *judgement.on_this_machine]:
        raise SpecRunError(errors, SUBJECT)
    _show(judgement.warnings, judgement.accepted)
    assert judgement.config is not None
    assert judgement.secrets is not None
    return judgement.config, judgement.secrets


def with_found(config: C, cloud_spec: CloudSpec) -> C:
    """Return a configuration with what the cloud has said of what exists.

    Raises:
        SpecRunError: with what turns out to be wrong by that.
    """
    found = with_fields(config, **{config.CLOUD.key: cloud_spec})
    # What was warned of when the configuration was read is not told again.
    told = [*errors_of_both(config), *errors_as_built(config)]
    refuse(config, (error for error in errors_of_both(found) if error not in told))
    refuse(config, (error for error in errors_as_built(found) if error not in told))
    return found


def refuse(config: CloudConfig, errors: Iterable[FieldError]) -> None:
    """Raise the errors that only show when the program runs, and show its warnings.

    Paths begin below ``slurm:``.
    """
    with collected_warnings() as warned:
        refused = without_warnings(errors)
    _show(*split_accepted(config.accepted, map(prefixed, warned)))
    if refused:
        raise SpecRunError([prefixed(error) for error in refused], SUBJECT)


def answer(config: CloudConfig, ask: Callable[[], T]) -> T | None:
    """Return the cloud's answer to a question, None where nobody answers.

    Otherwise, where there is no answer, refuse the field that asks for it.
    """
    try:
        return ask()
    except SpecError as error:
        if nobody_answers():
            return None
        refuse(config, (one.below(config.CLOUD.key) for one in error.errors))
        raise


def _show(warnings: Iterable[FieldError], accepted: Iterable[tuple[FieldError, str]]) -> None:
    for warning in warnings:
        pulumi.log.warn(warning.line)
    for warning, reason in accepted:
        pulumi.log.info(accepted_line(warning, reason))
