"""PartitionName lines as partitions over node sets."""

from typing import Any

from pulumi_slurm.importing.draft import Draft
from pulumi_slurm.importing.fields import as_field, as_text, field_of
from pulumi_slurm.importing.lenient import Read
from pulumi_slurm.importing.node_groups import NodeGroup
from pulumi_slurm.model import PartitionSpec
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.things import things
from pulumi_slurm.slurmconf.values import Value

KIND = "PartitionName"


def partition_lines(conf: Conf) -> dict[str, dict[str, Value]]:
    """Return the options of every partition, with DEFAULT lines resolved."""
    return {str(thing.name): dict(lines[-1]) for thing, lines in things(conf).items() if thing.kind == KIND}


def partition_members(conf: Conf) -> dict[str, frozenset[str]]:
    """Return the nodes of every partition."""
    nodes = Nodes(conf)
    return {name: nodes.of(options.get("Nodes")) for name, options in partition_lines(conf).items()}


def add_partitions(draft: Draft, read: Read, groups: list[NodeGroup]) -> None:
    """Put the partitions into the draft; ``groups`` became its node sets, in this order."""
    sets = dict(zip((item["name"] for item in draft.cluster["nodeSets"]), groups, strict=True))
    draft.cluster["partitions"] = []
    members = partition_members(read.conf)
    for name, options in partition_lines(read.conf).items():
        line = f"{KIND}={name}"
        nodes = options.pop("Nodes", None)
        draft.came_from(("partitions", name), read.location(line), line)
        held = [set_name for set_name, group in sets.items() if members[name].issuperset(group.hosts)]
        for feature in sorted(one for one in members[name] if one.startswith("Feature=")):
            _tell_of_nodes_that_register(draft, read, line, feature)
        if not held:
            text = f"{line} Nodes={nodes}" if nodes else line
            draft.leave_out(read.location(line), text, "None of its nodes is listed, so there is no node set for it.")
            continue
        made: dict[str, Any] = {"name": name, "nodeSets": ["ALL"] if str(nodes).upper() == "ALL" else held}
        for key, value in options.items():
            _add_option(draft, read, made, key, value)
        draft.cluster["partitions"].append(made)


def _add_option(draft: Draft, read: Read, made: dict[str, Any], key: str, value: Value) -> None:
    line = f"{KIND}={made['name']}"
    location, text = read.location(line, key), f"{line} {key}={as_text(KIND, key, value)}"
    field = field_of(PartitionSpec, key)
    if field is None:
        made.setdefault("extra", {})[key] = as_text(KIND, key, value)
        draft.came_from(("partitions", made["name"], "extra", key), location, text)
        return
    made[field] = as_field(PartitionSpec, field, KIND, key, value)
    draft.came_from(("partitions", made["name"], field), location, text)
    if field == "overSubscribe":
        made[field], colon, jobs = str(value).partition(":")
        if colon:
            made["overSubscribeJobs"] = int(jobs) if jobs.isdecimal() else jobs
            draft.came_from(("partitions", made["name"], "overSubscribeJobs"), location, text)


def _tell_of_nodes_that_register(draft: Draft, read: Read, line: str, feature: str) -> None:
    name = feature.partition("=")[2]
    listed = any(name in item.get("features", []) for item in draft.cluster["nodeSets"])
    if not listed:
        text = f"{line} Nodes: {feature}"
        reason = "Nodes with this feature register by themselves. Add a node set with their machine, and name it there."
        draft.leave_out(read.location(line, "Nodes"), text, reason)
