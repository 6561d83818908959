"""``pulumi-slurm adopt``: turn a release of Slinky's chart into settings, and fill in what Pulumi imports."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pulumi_slurm.user_file import MAX_BYTES_OF_A_LIST
from pulumi_slurm.visible import is_line
from pulumi_slurm_cli.adopting import (
    LIVE_KINDS,
    RECORDS,
    LiveObjects,
    Refusal,
    Release,
    adopt,
    commands,
    not_as_written,
    read_release,
    stack_file,
    with_ids,
    without_id,
    without_owners,
    wrong_shapes,
)
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.cluster import add_cluster, cluster_in_place_of
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.settings import data_of, read_data
from pulumi_slurm_cli.commands.written_file import add_output, change_file, check_output, write_output
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT, Source, name_of


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument(
        "objects", type=Path, nargs="?", metavar="objects.json", help=f"objects in place of a cluster: {INPUT}"
    )
    add_cluster(command)
    command.add_argument("--namespace", default="slurm", help="the release's namespace; slurm by default")
    command.add_argument("--release", default="slurm", help="the release's name; slurm by default")
    command.add_argument(
        "--import-file",
        type=Path,
        metavar="FILE",
        help="fill in the ids that `pulumi preview --import-file` left open, and print how Helm is made to forget",
    )
    add_output(command)


def run(options: argparse.Namespace) -> int:
    """Write the settings, or fill in ids; return whether anything is refused, or nothing found."""
    check_output(options.output, force=options.force)
    writes = options.output not in (None, STANDARD_INPUT) or options.import_file is not None
    kubectl = cluster_in_place_of(options.objects, options, "objects", writes=writes)
    if kubectl:
        ask = partial(kubectl.objects, instead=_OBJECTS)
        selector = f"--selector={RECORDS.format(name=options.release)}"
        records = ask(["secrets"], f"--namespace={options.namespace}", selector)
        release = read_release(_named(records), options.release)
        where = f"--namespace={release.namespace or options.namespace}"
        live = _named(ask(LIVE_KINDS, where, "--show-managed-fields"))
    else:
        data = read_data(options.objects, _OBJECTS, MAX_BYTES_OF_A_LIST)
        live = _named(_items(data, name_of(options.objects)))
        release = read_release(live, options.release)
    cluster, objects = kubectl.named if kubectl else {}, LiveObjects(live)
    if options.import_file:
        if _told(wrong_shapes(objects)):
            return DIFFERENT
        forgetting = commands(release, objects, cluster)
        if any(not is_line(command) for command in forgetting):
            problem = "who owns its objects, or its name, has characters of which a shell would get others"
            raise UnreadableFileError(f"release {options.release}: {problem}. {_OBJECTS}")
        _fill_in(options.import_file, release, objects)
        write_output(options.output, "".join(f"{command}\n" for command in forgetting), force=options.force)
        return SAME
    adoption = adopt(release, objects)
    if _told(adoption.refused):
        return DIFFERENT
    text = stack_file(adoption, cluster)
    write_output(options.output, text, force=options.force, private=True)
    if options.output and options.output != STANDARD_INPUT:
        print_line(f"{options.output}: what to know first stands at its top", sys.stderr)
    return SAME


def _told(refused: Sequence[Refusal]) -> bool:
    """Print what is refused; return whether anything is."""
    for refusal in refused:
        print_line(refusal, sys.stderr)
    return bool(refused)


def _items(data: Any, name: str) -> list[Any]:
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        raise UnreadableFileError(f"{name}: this is no List of objects. {_OBJECTS}")
    return items


def _named(items: list[Any]) -> list[dict[str, Any]]:
    """Return the objects among items, those without a kind or a name left out."""
    return [item for item in items if isinstance(item, dict) and _is_object(item)]


def _is_object(item: Mapping[str, Any]) -> bool:
    metadata = item.get("metadata")
    return {"apiVersion", "kind"} <= item.keys() and isinstance(metadata, dict) and "name" in metadata


_OBJECTS = (
    "Write the List that `kubectl get --show-managed-fields -o json` prints of ConfigMaps, of objects of "
    "slinky.slurm.net and of Secrets with owner=helm into a file, and name that."
)


def _fill_in(path: Path, release: Release, live: LiveObjects) -> None:
    """Write the ids of live objects into the file of `pulumi preview --import-file`."""
    if path == STANDARD_INPUT:
        raise UnreadableFileError(f"-: ids are written into the file itself. {_IMPORT_FILE}")
    text = Source(path).text()
    data = data_of(text, str(path), _IMPORT_FILE)
    if problem := not_as_written(data):
        raise UnreadableFileError(f"{path}: {problem}. {_IMPORT_FILE}")
    filled = with_ids(data, live)
    if open_ids := without_id(filled, release):
        problem = f"it lacks {', '.join(open_ids)}, so this is no preview of the settings that adopt has written"
        raise UnreadableFileError(f"{path}: {problem}. {_IMPORT_FILE}")
    if unknown := without_owners(release, live):
        raise UnreadableFileError(f"{', '.join(unknown)}: nothing says who owns their fields. {_OBJECTS}")
    change_file(path, text, json.dumps(filled, indent=2) + "\n")
    count = sum("id" in resource for resource in filled["resources"])
    print_line(f"{path}: {count} objects. Run the commands that were printed, and `pulumi import`", sys.stderr)


_IMPORT_FILE = "Name the file that `pulumi preview --import-file` has written."
