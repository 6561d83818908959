"""topology.yaml with the new names of nodes."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.topology import Topology, from_text, to_text
from pulumi_slurm.slurmconf.version import Series


def with_new_names(text: str, series: Series, path: str, new_names: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the text with new names, and the nodes that have none, which are not in it.

    Raise `ConfError` with what is wrong with the text.
    """
    data = [topology.model_dump(exclude_none=True) for topology in from_text(text, series, name=path)]
    lost = [host for host in _hosts(data) if host not in new_names]
    if not lost and all(old == new for old, new in new_names.items()):
        return text, []
    return to_text([Topology.model_validate(_renamed(topology, new_names)) for topology in data]), lost


def _hosts(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for item in data:
            yield from _hosts(item)
    elif isinstance(data, dict):
        if isinstance(nodes := data.get("nodes"), str):
            yield from hostlist.expand(nodes)
        for value in data.values():
            yield from _hosts(value)


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
