"""``pulumi-slurm drift``: tell what of a living cluster is not as its stack's file says."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from pulumi_slurm.errors import SpecError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.user_error import UserError
from pulumi_slurm.visible import visible_json
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.cluster import cluster_of
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.living import add_living_cluster, look_at_all
from pulumi_slurm_cli.commands.output import print_line, print_text
from pulumi_slurm_cli.commands.settings import KINDS_WITH_POOLS
from pulumi_slurm_cli.commands.stack_configuration import stack_configuration
from pulumi_slurm_cli.commands.written_file import change_file
from pulumi_slurm_cli.drift import (
    COMPARED,
    Finding,
    Kind,
    LiveList,
    has_database,
    in_order,
    of_objects,
    of_slurm,
    removals_last,
)
from pulumi_slurm_cli.drift.report import DriftReport
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT, Source, name_of
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_effects import cluster_effects
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.state import clusters_in_state
from pulumi_slurm_cli.shapes import shape_errors


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument(
        "settings", type=Path, nargs="?", metavar="Pulumi.<stack>.yaml", help=f"{INPUT}; none is needed with --state"
    )
    command.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="what `pulumi stack export` prints, or -: compare with what `up` has last applied",
    )
    add_living_cluster(command)
    command.add_argument("--json", action="store_true", help="print a report as docs/drift.md describes it")
    command.add_argument("--adopt", action="store_true", help="change the file, so that it says what is there")


def run(options: argparse.Namespace) -> int:
    """Print what is not as in the file; return whether anything is."""
    _refuse_what_contradicts(options)
    source = Source(options.settings) if options.settings else None
    text = source.text() if source else ""
    config = _config(text, source.name) if source else None
    wanted = _side(config) if config else None
    compared = _in_state(options.state, wanted) if options.state else wanted
    assert compared
    spec, pools = compared.spec, compared.pools
    kubectl = cluster_of(options, source, config, writes=options.adopt)
    look, database = look_at_all(spec, kubectl, options, with_database=has_database(spec))
    findings = of_slurm(spec, pools, look, database)
    # In a state the specification has all that follows from a cloud or a provider.
    if options.state or _is_whole(config):
        findings += of_objects(spec, pools, _objects(spec, kubectl))
    if options.state and wanted and _is_whole(config):
        findings += _unapplied(compared, wanted)
    findings = in_order(findings)
    if options.json:
        report = DriftReport.of(name_of(options.settings or options.state), look, findings)
        print_text(visible_json(report.model_dump_json(by_alias=True, indent=2)) + "\n")
    else:
        for finding in findings:
            print_line(f"{finding.kind}: {finding.line}")
    if options.adopt:
        _adopt(options.settings, text, findings)
    return DIFFERENT if findings else SAME


def _refuse_what_contradicts(options: argparse.Namespace) -> None:
    if options.settings is None and options.state is None:
        raise UserError("nothing says what the cluster should be. Name its Pulumi.<stack>.yaml, or write --state")
    if options.adopt and options.state:
        raise UserError(
            "--adopt: the file may have changes that aren't applied. Apply them first, or leave --state out"
        )
    if options.adopt and options.settings == STANDARD_INPUT:
        raise UnreadableFileError("-: the file itself is changed. Name a Pulumi.<stack>.yaml with --adopt")


def _side(config: Any) -> ClusterSide:
    return ClusterSide(config.cluster, tuple(getattr(config, "pools", ())))


def _is_whole(config: Any) -> bool:
    """Return whether a file has all that its cluster is made of: nothing follows from a cloud or a provider."""
    return config.kind in KINDS_WITH_POOLS and getattr(config, "provider", None) is None


def _in_state(file: Path, wanted: ClusterSide | None) -> ClusterSide:
    """Return the cluster of a state, of several that of the file."""
    state = Source(file)
    clusters = clusters_in_state(state.text(), state.name)
    names = [wanted.spec.name] if wanted else [*clusters]
    if len(names) == 1 and names[0] in clusters:
        return clusters[names[0]]
    has = f"it has the Slurm clusters {', '.join(clusters)}" if clusters else "it has no Slurm cluster"
    which = f", and the file makes {names[0]}" if wanted else ""
    raise UnreadableFileError(f"{state.name}: {has}{which}. Name the Pulumi.<stack>.yaml and the state of one stack")


def _unapplied(applied: ClusterSide, wanted: ClusterSide) -> Iterator[Finding]:
    """Yield what the next `up` changes, by the file."""
    change = ClusterChange(wanted.spec.name, applied, wanted)
    for effect in cluster_effects(change, datetime.now(tz=UTC)):
        yield Finding(Kind.OURS, effect.subject, f"not applied yet: {effect.change} ({effect.verdict})", "pulumi up")


def _objects(spec: SlurmSpec, kubectl: Kubectl) -> list[Any]:
    """Return the live objects of the kinds that are compared, with who wrote their fields.

    Raises:
        KubectlError: if kubectl prints something else.
    """
    listed = kubectl.objects([*COMPARED.values()], f"--namespace={spec.namespace}", "--show-managed-fields")
    if errors := shape_errors(LiveList, {"items": listed}):
        detail = f"{errors[0].where}: {errors[0].problem}"
        raise KubectlError(f"kubectl: it printed something else than a List of objects: {detail}")
    return listed


def _config(text: str, name: str) -> Any:
    """Return the configuration of a stack's file, which makes a Slurm cluster."""
    config = stack_configuration(text, name)
    if not isinstance(getattr(config, "cluster", None), SlurmSpec):
        raise UnreadableFileError(f"{name}: a stack of this kind makes no Slurm cluster. Name another")
    return config


def _adopt(path: Path, text: str, findings: Sequence[Finding]) -> None:
    """Write into the file what it can say, each change as far as the rules take it."""
    adopt = import_module("pulumi_slurm_cli.drift.adopt")
    before, adopted = text, 0
    for finding in removals_last(findings):
        if not finding.adoption:
            print_line(f"not adopted: {finding.subject}: a file can't say it", sys.stderr)
            continue
        try:
            tried = adopt.changed(text, finding.adoption)
        except adopt.AdoptionImpossibleError as error:
            print_line(f"not adopted: {finding.subject}: {error}", sys.stderr)
            continue
        try:
            stack_configuration(tried, str(path))
        except SpecError as error:
            print_line(f"not adopted: {finding.subject}: {error.errors[0].line}", sys.stderr)
            continue
        text, adopted = tried, adopted + 1
    if adopted:
        change_file(path, before, text)
    print_line(f"{path}: {adopted} of {len(findings)} findings adopted", sys.stderr)
