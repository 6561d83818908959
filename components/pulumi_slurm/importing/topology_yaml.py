"""topology.yaml with the new names of nodes."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.topology import Topology, from_text, to_text
from pulumi_slurm.slurmconf.version import Series


def with_new_names(text: str, series: Series, path: str, new_names: Mapping[str, str]) -> str:
    """Return the text with new names, without nodes that have none; raise `ConfError` with what is wrong with it."""
    topologies = from_text(text, series, name=path)
    if all(old == new for old, new in new_names.items()):
        return text
    renamed = [_renamed(topology.model_dump(exclude_none=True), new_names) for topology in topologies]
    return to_text([Topology.model_validate(data) for data in renamed])


def _renamed(data: Any, new_names: Mapping[str, str]) -> Any:
    if isinstance(data, list):
        return [_renamed(item, new_names) for item in data]
    if not isinstance(data, dict):
        return data
    renamed = {key: _renamed(value, new_names) for key, value in data.items()}
    if isinstance(renamed.get("nodes"), str):
        # In their order: along a ring it counts.
        renamed["nodes"] = hostlist.fold(
            new_names[host] for host in hostlist.expand(renamed["nodes"]) if host in new_names
        )
    return {key: value for key, value in renamed.items() if value != ""}
