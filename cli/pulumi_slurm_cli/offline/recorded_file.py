"""What the program of a stack registers by its file, with messages for whoever wrote the file."""

import pulumi

from pulumi_slurm.errors import SpecError
from pulumi_slurm_cli.checking.check import Level, finding, unreadable
from pulumi_slurm_cli.checking.reports import Format, report
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.engine_yaml import EngineYamlError
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.offline.recording import Recording, record


def record_file(text: str, name: str, *, project: str = "project", stack: str = "stack") -> tuple[StackFile, Recording]:
    """Return the file with a text, and what its program registers; messages show its name.

    Raises:
        UnreadableFileError: with all that `pulumi-slurm check` refuses, or what only a run of the stack can know.
    """
    try:
        file = StackFile.of(text)
    except EngineYamlError as error:
        raise UnreadableFileError(report([unreadable(error, name)], Format.TEXT)) from None
    try:
        return file, record(file, project=project, stack=stack)
    except SpecError as error:
        findings = [finding(file, name, Level.ERROR, one) for one in error.errors]
        raise UnreadableFileError(report(findings, Format.TEXT)) from None
    except pulumi.RunError as error:
        raise UnreadableFileError(f"{name}: {error}") from None
