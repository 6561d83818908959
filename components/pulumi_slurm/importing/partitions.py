"""PartitionName lines as partitions over node sets."""

from typing import Any

from pulumi_slurm.importing.conf_file import ConfFile
from pulumi_slurm.importing.draft import Draft
from pulumi_slurm.importing.fields import as_field, as_text, field_of
from pulumi_slurm.importing.node_groups import NodeGroup
from pulumi_slurm.model import PartitionSpec
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.records import records
from pulumi_slurm.slurmconf.values import Value

KEYWORD = "PartitionName"


def partition_lines(conf: Conf) -> dict[str, dict[str, Value]]:
    """Return the options of every partition, with DEFAULT lines resolved."""
    return {str(record.name): dict(lines[-1]) for record, lines in records(conf).items() if record.keyword == KEYWORD}


def partition_members(conf: Conf) -> dict[str, frozenset[str]]:
    """Return the nodes of every partition."""
    nodes = Nodes(conf)
    return {name: nodes.of(options.get("Nodes")) for name, options in partition_lines(conf).items()}


def add_partitions(draft: Draft, conf_file: ConfFile, groups: list[NodeGroup]) -> None:
    """Put the partitions into the draft; ``groups`` became its node sets, in this order."""
    groups_by_set = dict(zip((item["name"] for item in draft.cluster["nodeSets"]), groups, strict=True))
    draft.cluster["partitions"] = []
    members = partition_members(conf_file.conf)
    for name, options in partition_lines(conf_file.conf).items():
        line = f"{KEYWORD}={name}"
        nodes = options.pop("Nodes", None)
        draft.set_origin(("partitions", name), conf_file.location(line), line)
        set_names = [set_name for set_name, group in groups_by_set.items() if members[name].issuperset(group.hosts)]
        for feature in sorted(node for node in members[name] if node.startswith("Feature=")):
            _leave_out_nodes_that_register(draft, conf_file, line, feature)
        if not set_names:
            text = f"{line} Nodes={nodes}" if nodes else line
            draft.leave_out(
                conf_file.location(line), text, "None of its nodes is listed, so there is no node set for it."
            )
            continue
        partition: dict[str, Any] = {"name": name, "nodeSets": ["ALL"] if str(nodes).upper() == "ALL" else set_names}
        for key, value in options.items():
            _add_option(draft, conf_file, partition, key, value)
        draft.cluster["partitions"].append(partition)


def _add_option(draft: Draft, conf_file: ConfFile, partition: dict[str, Any], key: str, value: Value) -> None:
    line = f"{KEYWORD}={partition['name']}"
    location, text = conf_file.location(line, key), f"{line} {key}={as_text(KEYWORD, key, value)}"
    field = field_of(PartitionSpec, key)
    if field is None:
        partition.setdefault("extra", {})[key] = as_text(KEYWORD, key, value)
        draft.set_origin(("partitions", partition["name"], "extra", key), location, text)
        return
    partition[field] = as_field(PartitionSpec, field, KEYWORD, key, value)
    draft.set_origin(("partitions", partition["name"], field), location, text)
    if field == "overSubscribe":
        partition[field], colon, jobs = str(value).partition(":")
        if colon:
            partition["overSubscribeJobs"] = int(jobs) if jobs.isdecimal() else jobs
            draft.set_origin(("partitions", partition["name"], "overSubscribeJobs"), location, text)


def _leave_out_nodes_that_register(draft: Draft, conf_file: ConfFile, line: str, feature: str) -> None:
    name = feature.partition("=")[2]
    listed = any(name in item.get("features", []) for item in draft.cluster["nodeSets"])
    if not listed:
        text = f"{line} Nodes: {feature}"
        reason = "Nodes with this feature register by themselves. Add a node set with their machine, and name it there."
        draft.leave_out(conf_file.location(line, "Nodes"), text, reason)
