"""PartitionName lines as partitions over node sets."""

from typing import Any

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm_cli.importing.conf_file import ConfFile
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.fields import PARTITION, as_text, partition_fields, with_text
from pulumi_slurm_cli.importing.node_groups import NodeGroup
from pulumi_slurm_cli.importing.old_cluster import OldCluster, Partition

_ALLOC_NODES = (
    "Jobs come from login pods and slurmrestd, which have other names; with the old ones the partition would take no "
    "job."
)


def add_partitions(draft: Draft, conf_file: ConfFile, old: OldCluster, groups: list[NodeGroup]) -> None:
    """Put the partitions into the draft; ``groups`` became its node sets, in this order."""
    # No group straddles a partition, so its first node stands for all.
    first_hosts = {item["name"]: group.hosts[0] for item, group in zip(draft.cluster["nodeSets"], groups, strict=True)}
    draft.cluster["partitions"] = []
    last_lines = {partition.entry.name: partition for partition in old.partitions}
    for partition in old.partitions:
        if last_lines[partition.entry.name] is not partition:
            reason = "A later line is about the same partition, with which slurmctld wouldn't start: that one is kept."
            _leave_out_line(draft, partition, reason)
            continue
        _leave_out_nodes(draft, conf_file, old, partition)
        set_names = [name for name, host in first_hosts.items() if host in partition.members]
        if not set_names:
            _leave_out_line(draft, partition, "None of its nodes is listed, so there is no node set for it.")
            continue
        _add_partition(draft, conf_file, partition, set_names)
    _keep_the_last_default(draft)
    if old.conf.options.get("SelectType") == "select/linear":
        _share_no_nodes(draft)


def _keep_the_last_default(draft: Draft) -> None:
    defaults = [partition for partition in draft.cluster["partitions"] if partition.get("default") is True]
    for partition in defaults[:-1]:
        location, text = draft.origin(("partitions", partition["name"], "default"))
        draft.leave_out(location, text, f"Of several default partitions Slurm takes the last, {defaults[-1]['name']}.")
        del partition["default"]


def _share_no_nodes(draft: Draft) -> None:
    """Let jobs have whole nodes, as select/linear gave them; the operator's select/cons_tres lets them share nodes."""
    alone = [item for item in draft.cluster["partitions"] if item.get("overSubscribe") in (None, "NO")]
    for partition in alone:
        partition["overSubscribe"] = "EXCLUSIVE"
    if alone:
        draft.to_do.append(
            "By select/linear jobs had whole nodes, and so they have here by overSubscribe: EXCLUSIVE. Leave it out of "
            "partitions in which jobs may share nodes."
        )


def _add_partition(draft: Draft, conf_file: ConfFile, partition: Partition, set_names: list[str]) -> None:
    name, options = partition.entry.name, dict(partition.options)
    line = f"{PARTITION}={name}"
    draft.set_origin(("partitions", name), conf_file.location(line), line)
    has_all = str(options.pop("Nodes", None)).upper() == "ALL"
    fields: dict[str, Any] = {"name": name, "nodeSets": ["ALL"] if has_all else set_names}
    for key, value in options.items():
        if key == "AllocNodes":
            text = f"{line} {key}={as_text(PARTITION, key, value)}"
            draft.leave_out(conf_file.location(line, key), text, _ALLOC_NODES)
        else:
            _add_option(draft, conf_file, fields, key, value)
    draft.cluster["partitions"].append(fields)


def _add_option(draft: Draft, conf_file: ConfFile, partition: dict[str, Any], key: str, value: Value) -> None:
    line = f"{PARTITION}={partition['name']}"
    location, text = conf_file.location(line, key), f"{line} {key}={as_text(PARTITION, key, value)}"
    if fields := partition_fields(key, value):
        partition |= fields
        for field in fields:
            draft.set_origin(("partitions", partition["name"], field), location, text)
    else:
        partition.setdefault("extra", {})[key] = as_text(PARTITION, key, value)
        draft.set_origin(("partitions", partition["name"], "extra", key), location, text)


def _leave_out_line(draft: Draft, partition: Partition, reason: str) -> None:
    entry = partition.entry
    assert entry.location
    text = f"{PARTITION}={entry.name} {with_text(PARTITION, _nodes_alone(entry.options))}".strip()
    draft.leave_out(entry.location, text, reason)


def _nodes_alone(options: Any) -> dict[str, Value]:
    return {"Nodes": options["Nodes"]} if "Nodes" in options else {}


def _leave_out_nodes(draft: Draft, conf_file: ConfFile, old: OldCluster, partition: Partition) -> None:
    """Tell of nodes that the partition has and that have no line."""
    line = f"{PARTITION}={partition.entry.name}"
    location = conf_file.location(line, "Nodes")
    registering = {node for node in partition.members if node.startswith("Feature=")}
    for node in sorted(registering):
        feature = node.partition("=")[2]
        if not any(feature in item.get("features", []) for item in draft.cluster["nodeSets"]):
            reason = (
                "Nodes with this feature register by themselves. Add a node set with their machine, and name it there."
            )
            draft.leave_out(location, f"{line} Nodes: {node}", reason)
    if unknown := partition.members - old.hosts - registering - {"ALL"}:
        reason = "There is no NodeName line for these nodes, so nothing is known of their machines."
        draft.leave_out(location, f"{line} Nodes: {hostlist.compress(unknown)}", reason)
