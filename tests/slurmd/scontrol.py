"""What slurmctld says of itself: `scontrol show config`, `scontrol show partition` and `sinfo`, as mappings."""

import re
from collections import Counter

from tests.slurmd.host import Host


def show_config(host: Host) -> dict[str, str]:
    """Return ``scontrol show config`` by lower-case key."""
    text = host.run(["scontrol", "show", "config"])
    return {key.lower(): value.strip() for key, value in re.findall(r"^(\S+?)(?:\[\d+\])?\s+= ?(.*)$", text, re.M)}


def show_partitions(host: Host) -> dict[str, dict[str, str]]:
    """Return ``scontrol show partition`` by name."""
    lines = host.run(["scontrol", "--all", "--oneliner", "show", "partition"]).splitlines()
    pairs = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
    return {pair["PartitionName"]: pair for pair in pairs if "PartitionName" in pair}


def node_counts(host: Host) -> dict[str, int]:
    """Return the number of nodes of each partition, as sinfo counts them."""
    counts: Counter[str] = Counter()
    for line in host.run(["sinfo", "--noheader", "--all", "--format=%R|%D"]).splitlines():
        name, _, count = line.partition("|")
        counts[name] += int(count)
    return dict(counts)


def show_nodes(host: Host) -> dict[str, dict[str, str]]:
    """Return ``scontrol show node`` by name."""
    lines = host.run(["scontrol", "--all", "--oneliner", "show", "node"]).splitlines()
    pairs = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
    return {pair["NodeName"]: pair for pair in pairs if "NodeName" in pair}
