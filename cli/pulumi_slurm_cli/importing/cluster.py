"""The way from a slurm.conf to a specification, step by step."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pulumi_slurm.model import DEFAULT_OPERATOR, operator_version
from pulumi_slurm.model.names import MAX_CLUSTER_NAME, is_cluster_name
from pulumi_slurm.model.releases.operator_version import RELEASES
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf_error import Location
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES, Series
from pulumi_slurm.user_file import UnreadableFileError
from pulumi_slurm_cli.importing.accounting import HANDLED, Accounting, add_accounting
from pulumi_slurm_cli.importing.conf_file import ConfFile, read_conf_file
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.fields import with_text
from pulumi_slurm_cli.importing.files import HOOKS, add_config_files, add_hooks
from pulumi_slurm_cli.importing.load_draft import load_draft
from pulumi_slurm_cli.importing.node_groups import NodeGroup, node_groups
from pulumi_slurm_cli.importing.node_sets import add_node_sets
from pulumi_slurm_cli.importing.old_cluster import OldCluster
from pulumi_slurm_cli.importing.options import add_options
from pulumi_slurm_cli.importing.partitions import add_partitions
from pulumi_slurm_cli.importing.result import Imported
from pulumi_slurm_cli.importing.source import Source, refuse_another
from pulumi_slurm_cli.importing.unread import add_unread


def import_cluster(
    slurm_conf: Path | Source,
    slurm_version: str = str(DEFAULT_SERIES),
    accounting: Accounting = Accounting.EXTERNAL,
) -> Imported:
    """Return the specification for a Slurm version that a slurm.conf and the other files in its folder describe.

    Files outside of the folder are read where a `Source` says so.

    Raises:
        UnreadableFileError: for a file that can't be read.
        ConfError: with everything in the files that is no configuration, each with file and line.
    """
    source = slurm_conf if isinstance(slurm_conf, Source) else Source(slurm_conf)
    series = Series.of(slurm_version)
    refuse_another(source, File.SLURM, _IN_ITS_FOLDER)
    text = source.text()
    conf_file = read_conf_file(text, File.SLURM, series, source.name, source.included)
    if conf_file.left_out:
        refuse_another(source, File.SLURM, _IN_ITS_FOLDER, text)
    if not (conf_file.conf.entries or conf_file.conf.options or conf_file.left_out):
        raise UnreadableFileError(
            f"{source.name}: the file has no lines but comments. Name the slurm.conf of a cluster"
        )
    draft = Draft({}, list(conf_file.left_out))
    draft.cluster = {**_names(draft, conf_file), **_versions(slurm_version)}
    draft.set_origin((), Location(source.name, 1), "")
    old = OldCluster(conf_file.conf)
    groups = node_groups(old.node_lines, [partition.members for partition in old.partitions])
    new_names = add_node_sets(draft, conf_file, old, groups)
    groups = [group for group in groups if group.hosts[0] in new_names]
    add_partitions(draft, conf_file, old, groups)
    add_config_files(draft, source, series, new_names)
    add_hooks(draft, source, conf_file)
    add_options(draft, conf_file, {"ClusterName", *HANDLED, *HOOKS})
    add_accounting(draft, conf_file, source, accounting)
    _leave_out_other_entries(draft, conf_file)
    add_unread(draft, old)
    spec, errors = load_draft(draft)
    if groups:
        draft.to_do.append(_CHECK_MACHINES)
    if source.not_in_utf8:
        files = ", ".join(dict.fromkeys(source.not_in_utf8))
        draft.to_do.append(f"Not in UTF-8, and read as Latin-1: {files}. Look at values with letters beyond ASCII.")
    # slurm.conf first, then the files it includes and those beside it.
    left_out = sorted(
        draft.left_out, key=lambda item: (item.location.file != conf_file.name, item.location.file, item.location.line)
    )
    return Imported(spec, draft.cluster, left_out, _folded(groups, new_names), draft.to_do, errors)


_IN_ITS_FOLDER = "Name the slurm.conf in its folder"
_CHECK_MACHINES = (
    "Machines are those of the old lines. A Kubernetes node has less to give, see `kubectl describe node`; and without "
    "slurm:pools, pods run on any node that has enough."
)


def _folded(groups: list[NodeGroup], new_names: Mapping[str, str]) -> dict[str, str]:
    """Return the old and new names of nodes as hostlists, without those that stay."""
    folded = {group.old_names: hostlist.compress(new_names[host] for host in group.hosts) for group in groups}
    return {old: new for old, new in folded.items() if old != new}


_REASONS = MappingProxyType(
    {
        "DownNodes": "States of single nodes are set with scontrol.",
        "NodeSet": "Partitions name what its nodes became; nodes that register later join by a node set of theirs.",
    }
)


_NO_NAME = "slurm"


def _leave_out_other_entries(draft: Draft, conf_file: ConfFile) -> None:
    for entry in conf_file.conf.entries:
        if entry.keyword not in {"NodeName", "PartitionName"}:
            assert entry.location
            text = f"{entry.keyword}={entry.name} {with_text(entry.keyword, entry.options)}".strip()
            draft.leave_out(entry.location, text, _REASONS.get(entry.keyword, "The specification has no field for it."))


def _names(draft: Draft, conf_file: ConfFile) -> dict[str, str]:
    """Return the prefix of the names of objects, and ClusterName where Kubernetes would not take it as such."""
    name = str(conf_file.conf.options.get("ClusterName", ""))
    if not name:
        draft.to_do.append(f'There is no ClusterName; "{_NO_NAME}" is a guess. Write the name that slurmdbd knows.')
        return {"name": _NO_NAME}
    dns_name = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-0123456789")[:MAX_CLUSTER_NAME].strip("-") or _NO_NAME
    if dns_name == name.lower():
        return {"name": dns_name}
    if is_cluster_name(name):
        return {"name": dns_name, "clusterName": name}
    draft.to_do.append(
        f'The cluster\'s name was "{name}" and is "{dns_name}". A slurmdbd keeps the two apart: '
        "old jobs and accounts stay under the old name."
    )
    return {"name": dns_name}


def _versions(slurm_version: str) -> dict[str, str]:
    series = str(Series.of(slurm_version))
    releases = [release for release in RELEASES if series in operator_version(release).slurm_series]
    # A later minor release may need a newer Kubernetes.
    first_minor = [
        release for release in releases if operator_version(release).minor == operator_version(releases[0]).minor
    ]
    operator = {} if DEFAULT_OPERATOR in releases or not releases else {"operatorVersion": first_minor[-1]}
    return {"slurmVersion": slurm_version, **operator}
