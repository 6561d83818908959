"""A topology from topology.conf, and what of such a file ends slurmctld."""

import re
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.conf_error import LineError, Location
from pulumi_slurm.slurmconf.topology.model import LONGEST_SWITCH_NAME, Topology
from pulumi_slurm.slurmconf.topology.rules import topology_issues
from pulumi_slurm.slurmconf.version import Series

KEYWORDS = MappingProxyType({"tree": "SwitchName", "block": "BlockName", "ring": "RingName"})
"""The key that begins the lines of each kind of topology, by the name of its plugin."""


def from_topology_conf(conf: Conf, name: str = "default") -> Topology:
    """Return what a topology.conf says; raise ValueError when it has no lines, or lines of more than one kind.

    LinkSpeed is left out, since Slurm uses it for nothing.
    """
    keywords = {entry.keyword for entry in conf.entries}
    lines: list[dict[str, Any]] = [
        {_FIELDS[key]: value for key, value in {entry.keyword: entry.name, **entry.options}.items() if key in _FIELDS}
        for entry in conf.entries
    ]
    if keywords == {"SwitchName"}:
        network: dict[str, Any] = {"tree": {"switches": lines}}
    elif keywords == {"BlockName"}:
        sizes = [int(match[1]) for size in _sizes(conf) if (match := _SIZE.match(size))]
        network = {"block": {"block_sizes": sizes or None, "blocks": lines}}
    elif keywords == {"RingName"}:
        network = {"ring": {"rings": lines}}
    else:
        raise ValueError(f"a topology has lines of one kind; here are: {', '.join(sorted(keywords)) or 'none'}")
    return Topology.model_validate({"topology": name, "cluster_default": True, **network})


def topology_conf_errors(conf: Conf, kind: str, series: Series, name: str = "topology.conf") -> Iterator[LineError]:
    """Yield why slurmctld exits with a topology.conf whose lines it can read.

    Source: src/plugins/topology/{tree,block,ring}/*_record.c of Slurm, as of topology.yaml.

    Args:
        conf: the file.
        kind: the plugin that reads it, one of `KEYWORDS`.
        series: the series of slurmctld.
        name: the file's name in messages.
    """
    keyword, top = KEYWORDS[kind], Location(name, 1)
    entries = tuple(conf.of(keyword))
    errors = [*_of_other_kinds(conf, kind, top), *_bad_lines(conf, keyword, series, top)]
    if not entries and not errors and series >= _EMPTY_ENDS_SINCE:
        problem = f"slurmctld exits, since topology/{kind} finds no {keyword} line"
        errors.append(
            LineError(top, "the file", Issue(problem, f"Write one, or leave out TopologyPlugin=topology/{kind}."))
        )
    yield from errors
    if errors or not entries:
        return
    topology = from_topology_conf(replace(conf, entries=entries))
    for path, issue in topology_issues([topology], max(series, _SAME_RULES_SINCE)):
        index = next((step for step in path[3:] if isinstance(step, int)), None) if path[2] != "block_sizes" else None
        entry = entries[index] if index is not None else None
        text = f"{keyword}={entry.name}" if entry else f"BlockSizes={','.join(_sizes(conf))}"
        yield LineError(entry.location or top if entry else top, text, issue)


def _of_other_kinds(conf: Conf, kind: str, top: Location) -> Iterator[LineError]:
    keyword = KEYWORDS[kind]
    for entry in conf.entries:
        if entry.keyword != keyword:
            problem = f"topology/{kind} does not read it, and slurmctld exits"
            text = f"{entry.keyword}={entry.name}"
            yield LineError(entry.location or top, text, Issue(problem, f"Write {keyword}, or another TopologyPlugin."))
    if kind != "block" and _sizes(conf):
        issue = Issue(f"topology/{kind} does not read it, and slurmctld exits", "Leave it out.")
        yield LineError(top, f"BlockSizes={','.join(_sizes(conf))}", issue)


def _bad_lines(conf: Conf, keyword: str, series: Series, top: Location) -> Iterator[LineError]:
    """Yield what topology.yaml can't have, and what older series exit with."""
    for entry in conf.of(keyword):
        at, text = entry.location or top, f"{keyword}={entry.name}"
        if keyword == "SwitchName" and len(entry.name) > LONGEST_SWITCH_NAME:
            problem = f"slurmctld exits on a name of more than {LONGEST_SWITCH_NAME} characters"
            yield LineError(at, text, Issue(problem, "Write a shorter one."))
        if not entry.options.keys() & {"Nodes", "Switches"} and series < _SAME_RULES_SINCE:
            yield LineError(at, text, Issue(f"slurmctld {series} exits when nothing is below it", "Add Nodes."))
    for size in _sizes(conf) if keyword == "BlockName" else ():
        match = _SIZE.match(size)
        if match is None or int(match[1]) == 0:
            issue = Issue(
                f"slurmctld exits, since {size} is no number of nodes", 'Write for example "BlockSizes=4,16".'
            )
            yield LineError(top, f"BlockSizes={','.join(_sizes(conf))}", issue)


def _sizes(conf: Conf) -> tuple[str, ...]:
    sizes = conf.options.get("BlockSizes", ())
    return sizes if isinstance(sizes, tuple) else (str(sizes),)


_SIZE = re.compile(r"\s*\+?([0-9]{1,9})", re.ASCII)
"""What atoi(3) reads of a size."""
_SAME_RULES_SINCE = Series(25, 5)
"""The first series that has these rules for both files; before it each line had to have something below it."""
_EMPTY_ENDS_SINCE = Series(25, 11)
_FIELDS = MappingProxyType(
    {
        "SwitchName": "switch",
        "BlockName": "block",
        "RingName": "ring",
        "Switches": "children",
        "Nodes": "nodes",
    }
)
