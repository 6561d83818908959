"""The configuration of a stack's file, for the commands that need it as a whole."""

from typing import Any

from pulumi_slurm.errors import SpecError
from pulumi_slurm_cli.checking.check import configuration
from pulumi_slurm_cli.engine_yaml import EngineYamlError
from pulumi_slurm_cli.importing import UnreadableFileError


def stack_configuration(text: str, name: str) -> Any:
    """Return what a stack's file with a text comes to; messages show its name. Secrets may be missing.

    Raises:
        UnreadableFileError: if Pulumi can't read the file.
        SpecError: with every error in it.
    """
    try:
        config, errors = configuration(text)
    except EngineYamlError as error:
        raise UnreadableFileError(f"{name}: {error.problem}. Run pulumi-slurm check {name}") from None
    if errors:
        raise SpecError(errors, name)
    return config
