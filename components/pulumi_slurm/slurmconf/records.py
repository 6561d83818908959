"""The records of a file, as slurmctld keeps them: one for each node, partition or device, however lines are cut."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, with_defaults
from pulumi_slurm.slurmconf.implied import in_full
from pulumi_slurm.slurmconf.values import Value

_PER_NODE = ("NodeAddr", "NodeHostname", "BcastAddr", "Port")
"""Options of a NodeName line whose hostlist has one item for each node."""

_NAMED_BY_HOSTS = frozenset({"NodeName", "DownNodes"})


class RecordKey(NamedTuple):
    """What a record is about; of a hostlist there is one for each host."""

    keyword: str
    name: str | None
    """The name, unless that is the host itself."""
    host: str | None


def records(conf: Conf) -> dict[RecordKey, list[Mapping[str, Value]]]:
    """Return the options of every record, with DEFAULT lines resolved; several where lines repeat it."""
    records_by_key: dict[RecordKey, list[Mapping[str, Value]]] = {}
    for entry in with_defaults(conf).entries:
        for record, options in _of(conf.file, entry):
            records_by_key.setdefault(record, []).append(options)
    return records_by_key


def _of(file: File, entry: Entry) -> Iterator[tuple[RecordKey, Mapping[str, Value]]]:
    options = in_full(file, entry)
    if file is File.GRES:
        hosts: list[str | None] = [*hostlist.expand(str(options.pop("NodeName", "")))]
        for device in _devices(options):
            device_file = device.get("File")
            name = f"{entry.name} File={device_file}" if device_file else entry.name
            for host in hosts or [None]:
                yield RecordKey(entry.keyword, name, host), {key: device[key] for key in device if key != "File"}
    elif entry.keyword in _NAMED_BY_HOSTS:
        names = hostlist.expand(entry.name)
        per_node = {key: items for key in _PER_NODE if len(items := _items(options.get(key))) == len(names) > 1}
        for index, host in enumerate(names):
            node_options = (
                {**options, **{key: items[index] for key, items in per_node.items()}} if per_node else options
            )
            yield RecordKey(entry.keyword, None, host), node_options
    else:
        yield RecordKey(entry.keyword, entry.name, None), options


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
