"""``pulumi-slurm review``: tell what a change does to Slurm, to jobs and to money."""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from pulumi_slurm.user_file import MAX_BYTES_OF_A_LIST
from pulumi_slurm.visible import as_line, visible_json
from pulumi_slurm_cli.commands.arguments import INPUT, number_from
from pulumi_slurm_cli.commands.cluster import cluster_of, names_cluster
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.living import add_living_cluster, look_at
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.written_file import add_output, check_output, write_output
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.live import LiveClusterError, Look
from pulumi_slurm_cli.review.ack_side import AckSide
from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.cluster_change import cluster_changes
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.effect import SEVERE
from pulumi_slurm_cli.review.engine_events import Preview, UnreadableEventsError, read_events
from pulumi_slurm_cli.review.markdown import BUDGET, markdown
from pulumi_slurm_cli.review.picture import svg
from pulumi_slurm_cli.review.report import Review, now

_LEAST = 20_000
"""Characters of Markdown in which the first lines have room whatever names there are."""
_EVENTS = "Run PULUMI_DEBUG_COMMANDS=true pulumi preview --event-log events.json, and name events.json"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument(
        "events", type=Path, nargs="?", metavar="events.json", help=f"the log of a preview's events: {INPUT}"
    )
    command.add_argument(
        "--offline",
        type=Path,
        nargs=2,
        metavar=("BASE", "HEAD"),
        help="compare two settings files, before and after, without an engine",
    )
    command.add_argument(
        "--from-json", type=Path, metavar="FILE", help="show a review that --json printed; it may be anybody's"
    )
    add_living_cluster(command)
    command.add_argument(
        "--longest",
        type=number_from(_LEAST),
        default=BUDGET,
        metavar="CHARACTERS",
        help=f"of the Markdown, {BUDGET} by default",
    )
    command.add_argument("--commit", help="the commit that the review is of")
    command.add_argument("--json", action="store_true", help="print data in place of Markdown")
    command.add_argument("--picture", type=Path, metavar="FILE.svg", help="write a picture of the clusters there too")
    add_output(command)


def run(options: argparse.Namespace) -> int:
    """Print the review; return whether the change ends jobs, or its preview failed."""
    if sum(way is not None for way in (options.events, options.offline, options.from_json)) != 1:
        ways = "name either the events of a preview, or --offline and two files, or --from-json and a review"
        raise UnreadableFileError(f"{ways}. {_EVENTS}")
    for file in (options.output, options.picture):
        check_output(file, force=options.force)
    if options.output and options.picture and os.path.realpath(options.output) == os.path.realpath(options.picture):
        raise UnreadableFileError(f"{options.picture}: the review and its picture are two files. Name another one")
    report = _read(options) if options.from_json else _made(options)
    as_json = options.json and visible_json(report.model_dump_json(by_alias=True, indent=2)) + "\n"
    text = as_json or markdown(report, options.longest)
    if options.picture:
        write_output(options.picture, svg(report.clusters), force=options.force)
    write_output(options.output, text, force=options.force)
    return DIFFERENT if report.errors or report.verdict in SEVERE else SAME


def _read(options: argparse.Namespace) -> Review:
    """Return a review that is there already, of which nothing is believed but what its schema says."""
    source = Source(options.from_json)
    if names_cluster(options):
        raise UnreadableFileError(f"{source.name}: a review that is there looks at no cluster. Leave out --context")
    try:
        report = Review.model_validate_json(source.text())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
        where = f" at {as_line(place[:200])}" if place else ""
        make = "Make it by pulumi-slurm review --json of the same release"
        raise UnreadableFileError(f"{source.name}: this is no review{where}: {first['msg']}. {make}") from None
    return report.model_copy(update={"commit": options.commit}) if options.commit else report


def _made(options: argparse.Namespace) -> Review:
    preview = _preview(options)
    clusters, _ = cluster_changes(preview.changes)
    looks = {change.name: _look(change.before, options) for change in clusters if change.before}
    for why_not in filter(None, {look for look in looks.values() if isinstance(look, str)}):
        print_line(f"jobs were not looked at: {why_not}", sys.stderr)
    source: Literal["files", "preview"] = "files" if options.offline else "preview"
    return review(preview, looks, source=source, commit=options.commit, made_at=now())


def _preview(options: argparse.Namespace) -> Preview:
    if options.offline:
        # It loads Pulumi, and the review of a preview does without.
        offline = import_module("pulumi_slurm_cli.offline.preview")
        base, head = map(Source, options.offline)
        preview: Preview = offline.offline_preview(base, head)
        return preview
    source = Source(options.events, max_bytes=MAX_BYTES_OF_A_LIST)
    try:
        return read_events(source.text().split("\n"))
    except UnreadableEventsError as error:
        raise UnreadableFileError(f"{source.name}: {error}. {_EVENTS}") from None


def _look(side: ClusterSide, options: argparse.Namespace) -> Look | str:
    """Return what a cluster has in its queue, or why nobody has looked."""
    if isinstance(side, AckSide):
        return "this looks at clusters of slurm-operator alone, not at those of ack-slurm-operator"
    if not names_cluster(options):
        return "no cluster was named, by --context"
    try:
        return look_at(side.spec, cluster_of(options), options)
    except (KubectlError, LiveClusterError) as error:
        return str(error)
