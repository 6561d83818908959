"""What objects in Kubernetes tell Slurm: a change of the file that isn't applied is no edit of slurmctld's memory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Options = Mapping[str, str]
"""Texts by key, whose letters are small."""


@dataclass(frozen=True)
class Applied:
    """The options with which nodes register and partitions are written, as the last update left them."""

    node_sets: Mapping[str, Options]
    """By the node set's name in Slurm, those of slurmd's --conf."""
    partitions: Mapping[str, Options]


def applied(live: Iterable[Mapping[str, Any]]) -> Applied:
    """Return what is in the NodeSets and the Controller among objects, which have the form of `LiveList`."""
    node_sets: dict[str, Options] = {}
    partitions: dict[str, Options] = {}
    for item in live:
        spec = item.get("spec") or {}
        text = spec.get("extraConf") or ""
        if item["kind"] == "NodeSet":
            pod = (spec.get("template") or {}).get("spec") or {}
            # The operator strips dashes from the prefix of host names.
            name = (pod.get("hostname") or "").strip("-")
            node_sets[name] = _options(text)
            partition = spec.get("partition") or {}
            if partition.get("enabled"):
                partitions[name] = _options(partition.get("config") or "")
        elif item["kind"] == "Controller":
            for options in map(_options, text.splitlines()):
                if "partitionname" in options:
                    partitions[options["partitionname"]] = options
    return Applied(node_sets, partitions)


def _options(line: str) -> Options:
    pairs = (word.partition("=") for word in line.split())
    return {key.lower(): value for key, _, value in pairs}
