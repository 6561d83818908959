"""``pulumi-slurm drift``: tell what of a living cluster is not as its stack's file says."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pulumi_slurm.commands.arguments import INPUT
from pulumi_slurm.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm.commands.living import add_living_cluster, look_at_all
from pulumi_slurm.commands.output import print_line, write_file
from pulumi_slurm.drift import Finding, has_database, of_slurm, removals_last
from pulumi_slurm.drift.report import DriftReport
from pulumi_slurm.importing import UnreadableFileError
from pulumi_slurm.importing.source import STANDARD_INPUT, Source
from pulumi_slurm.model import SlurmSpec

HELP = "tell what of a living cluster is not as its stack's file says"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, metavar="Pulumi.<stack>.yaml", help=INPUT)
    add_living_cluster(command)
    command.add_argument("--json", action="store_true", help="print a report as docs/drift.md describes it")
    command.add_argument("--adopt", action="store_true", help="change the file, so that it says what is there")


def run(options: argparse.Namespace) -> int:
    """Print what is not as in the file; return whether anything is."""
    source = Source(options.settings)
    if options.adopt and source.path == STANDARD_INPUT:
        raise UnreadableFileError("-: the file itself is changed. Name a Pulumi.<stack>.yaml with --adopt")
    text = source.text()
    spec, pools = _specification(text, source.name)
    look, database = look_at_all(spec, options, with_database=has_database(spec))
    findings = of_slurm(spec, pools, look, database)
    if options.json:
        print_line(DriftReport.of(source.name, look, findings).model_dump_json(by_alias=True, indent=2))
    else:
        for finding in findings:
            print_line(f"{finding.kind}: {finding.line}")
    if options.adopt:
        _adopt(options.settings, text, findings)
    return DIFFERENT if findings else SAME


def _specification(text: str, name: str) -> tuple[SlurmSpec, Sequence[Any]]:
    """Return the cluster of a stack's file and its pools, as far as the file has them."""
    # Only here does the package know the stacks, which are above it.
    stacks = import_module("pulumi_slurm_stacks.config")
    judgement = stacks.judge(_stack_file(text, name))
    if judgement.errors or judgement.config is None:
        number = len(judgement.errors)
        raise UnreadableFileError(f"{name}: it has {number} errors. Run pulumi-slurm check {name}, and correct them")
    spec = getattr(judgement.config, "cluster", None)
    if not isinstance(spec, SlurmSpec):
        raise UnreadableFileError(f"{name}: a stack of this kind makes no Slurm cluster. Name another")
    return spec, getattr(judgement.config, "pools", ())


def _stack_file(text: str, name: str) -> Any:
    errors = import_module("pulumi_slurm.engine_yaml")
    try:
        return import_module("pulumi_slurm_stacks.stack_file").StackFile.of(text)
    except errors.EngineYamlError as error:
        raise UnreadableFileError(f"{name}: {error.problem}. Run pulumi-slurm check {name}") from None


def _adopt(path: Path, text: str, findings: Sequence[Finding]) -> None:
    """Write into the file what it can say, each change as far as the rules take it."""
    adopt = import_module("pulumi_slurm.drift.adopt")
    stacks = import_module("pulumi_slurm_stacks.config")
    adopted = 0
    for finding in removals_last(findings):
        if not finding.adoption:
            print_line(f"not adopted: {finding.subject}: a file can't say it", sys.stderr)
            continue
        try:
            tried = adopt.changed(text, finding.adoption)
        except adopt.AdoptionImpossibleError as error:
            print_line(f"not adopted: {finding.subject}: {error}", sys.stderr)
            continue
        if errors := stacks.judge(_stack_file(tried, str(path))).errors:
            print_line(f"not adopted: {finding.subject}: {errors[0].line}", sys.stderr)
            continue
        text, adopted = tried, adopted + 1
    if adopted:
        write_file(path, text)
    print_line(f"{path}: {adopted} of {len(findings)} findings adopted", sys.stderr)
