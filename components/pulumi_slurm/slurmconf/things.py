"""What a file speaks of, one by one: each node, partition or device, however the lines put them together."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, with_defaults
from pulumi_slurm.slurmconf.implied import in_full
from pulumi_slurm.slurmconf.values import Value

_PER_NODE = ("NodeAddr", "NodeHostname", "BcastAddr", "Port")
"""Options of a NodeName line whose hostlist has one item for each node."""

_NAMED_BY_HOSTS = {"NodeName", "DownNodes"}


class Thing(NamedTuple):
    """What an entry is about; of hosts there is one for each."""

    kind: str
    name: str | None
    """What is named, unless it is the host itself."""
    host: str | None


def things(conf: Conf) -> dict[Thing, list[Mapping[str, Value]]]:
    """Return the options of everything in a file, with DEFAULT lines resolved; several where lines say it again."""
    found: dict[Thing, list[Mapping[str, Value]]] = {}
    for entry in with_defaults(conf).entries:
        for thing, options in _of(conf.file, entry):
            found.setdefault(thing, []).append(options)
    return found


def _of(file: File, entry: Entry) -> Iterator[tuple[Thing, Mapping[str, Value]]]:
    options = in_full(file, entry)
    if file is File.GRES:
        hosts: list[str | None] = [*hostlist.expand(str(options.pop("NodeName", "")))]
        for device in _devices(options):
            for host in hosts or [None]:
                yield Thing(entry.kind, entry.name, host), device
    elif entry.kind in _NAMED_BY_HOSTS:
        names = hostlist.expand(entry.name)
        own = {key: items for key in _PER_NODE if len(items := _items(options.get(key))) == len(names) > 1}
        for index, host in enumerate(names):
            mine = {**options, **{key: items[index] for key, items in own.items()}} if own else options
            yield Thing(entry.kind, None, host), mine
    else:
        yield Thing(entry.kind, entry.name, None), options


def _devices(options: Mapping[str, Value]) -> list[Mapping[str, Value]]:
    """Return a line of gres.conf as one line for each device file."""
    files = _items(options.get("File"))
    if len(files) < 2 or str(options.get("Count", len(files))) != str(len(files)):
        return [options]
    return [{key: value for key, value in {**options, "File": file}.items() if key != "Count"} for file in files]


def _items(value: Value | None) -> list[str]:
    try:
        return hostlist.expand(str(value)) if value is not None else []
    except ValueError:
        return []
