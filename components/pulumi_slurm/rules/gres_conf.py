"""Rules on gres.conf and shared GRES: slurmd starts with them, and finds the GPUs with which its node registers.

Source: `_parse_gres_config`, `_foreach_gres_conf` and `_handle_autodetect_flags` in src/interfaces/gres.c of Slurm,
24.11 to 26.05; tests/slurmd/test_gres_conf.py asks slurmd.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from pulumi_slurm.derived.gpus import gpu_resources
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.machine import GpuSpec, NodePoolSpec
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.version import Series

_AT: Path = ("config_files", "gres.conf")
_SHARED = ("mps", "shard")
"""GRES that are parts of GPUs: a file may have any number of them."""
_FILES = frozenset({"File", "Files", "MultipleFiles"})
_AUTODETECT = ("nrt", "nvidia", "nvml", "oneapi", "rsmi")
_WITH_FULL = Series(26, 5)
"""The series from which on AutoDetect=full is known."""
_PATTERN = re.compile(r"[*?]")
_COUNT = re.compile(r"([0-9]{1,18})([KMGTP](i?B)?)?", re.IGNORECASE | re.ASCII)


def gres_conf_starts_slurmd(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of gres.conf on which slurmd exits, and ways to detect GPUs that it doesn't have."""
    conf = _gres_conf(spec)
    if conf is None:
        return
    for entry in conf.entries:
        if problem := _problem_of_line(entry):
            yield _error(entry, *problem)
    yield from _lines_of_two_kinds(conf)
    yield from _lines_twice(conf)
    # Beside files Slurm only logs such a word.
    if any(entry.options.keys() & {"File", "Files"} for entry in conf.of("Name")):
        return
    for value, entry_or_none in _autodetect(conf):
        if value != "OFF" and not _detects(value, spec):
            at = f"{entry_or_none.location}: " if entry_or_none else ""
            problem_text = f"{at}slurmd knows no such way to detect GPUs, and detects none"
            fix = f"Write one of: {', '.join(_ways_to_detect(spec))}, off."
            yield FieldError(_AT, f"AutoDetect={value.lower()}", problem_text, fix)


def gres_conf_has_the_gpus(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse a gres.conf with fewer GPUs than the nodes register with: Slurm drains such nodes as invalid.

    Of nodes that detect GPUs by themselves nothing is said.
    """
    conf = _gres_conf(spec)
    if conf is None or "gres.conf" not in spec.config_files or spec.controller.external:
        return
    way_by_host = _ways_by_host(conf)
    for _, node_set, _ in gpu_resources(spec, pools):
        machine, hosts = machine_of(node_set, pools), hostlist.expand(node_names(node_set))
        assert machine
        assert machine.gpus
        gpus, of_all, of_host = machine.gpus, *_files_of_gpus(conf, machine.gpus)
        without_way = [host for host in hosts if not _detects(way_by_host.get(host, way_by_host[None]), spec)]
        host = next((host for host in without_way if of_all + of_host[host] < gpus.count), None)
        if host:
            typed = f" of type {gpus.type}" if gpus.type else ""
            problem = (
                f'it has {of_all + of_host[host]} device files of GPUs{typed} for the node "{host}", which registers '
                f"with {gpus.count}, so Slurm drains it"
            )
            fix = f'Write for example "{_example(gpus)}", or AutoDetect=nvidia.'
            yield FieldError(_AT, "...", problem, fix, (("node_sets",),))


def gres_conf_has_no_patterns(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse patterns as names of nodes: slurmd compares them letter by letter, and passes over the line."""
    conf = _gres_conf(spec)
    for entry in conf.entries if conf and "gres.conf" in spec.config_files else ():
        if any(_PATTERN.search(name) for name in _nodes(entry) or ()):
            yield _error(entry, "slurmd reads no patterns here", 'Write the names, for example "gpu-[0-3]".')


@warns
def nodes_of_gres_conf_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of lines of gres.conf for nodes that no node set has; another cluster had them."""
    conf = _gres_conf(spec)
    if conf is None or "gres.conf" not in spec.config_files or spec.controller.external:
        return
    if any(node_set.scaling_mode is not ScalingMode.STATEFUL_SET for node_set in spec.node_sets):
        return
    if any(not nodes.node_names for nodes in spec.external_nodes):
        return
    prefixes = tuple(node_set.host_name for node_set in spec.node_sets)
    names = {host for nodes in spec.external_nodes for host in nodes.node_names}
    for entry in conf.entries:
        # Of a node set that grows, more names may be there than it has nodes.
        others = [name for name in _nodes(entry) or () if not _begins_so(name, prefixes)]
        unknown = [name for name in others if name not in names and not _PATTERN.search(name)]
        if unknown:
            example = next(filter(None, map(node_names, spec.node_sets)), "gpu-[0-3]")
            problem = f"no node is called {hostlist.compress(unknown)}, and the line is for none of that name"
            yield _error(entry, problem, f'Write names that nodes have here, such as "{example}".')


def _begins_so(name: str, prefixes: Sequence[str]) -> bool:
    """Return whether a name is one of these with a number behind it; a prefix may end with a number too."""
    return any(name.startswith(prefix) and name.removeprefix(prefix).isdecimal() for prefix in prefixes)


def shared_gres_have_gpus(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse parts of GPUs on nodes without GPUs: slurmd exits."""
    for index, node_set in enumerate(spec.node_sets):
        machine = machine_of(node_set, pools)
        for position, gres in enumerate(node_set.extra_gres):
            if machine and not machine.gpus and gres.partition(":")[0] in _SHARED:
                yield FieldError(
                    ("node_sets", index, "extra_gres", position),
                    gres,
                    "slurmd exits, since it is a part of a GPU and the nodes have none",
                    "Leave it out, or use a machine with GPUs.",
                    (("node_sets", index, "machine"), ("node_sets", index, "pool")),
                )


def detects_gpus(spec: SlurmSpec) -> bool:
    """Return whether slurmd looks for GPUs itself: without a gres.conf, or with one that says so."""
    conf = _gres_conf(spec)
    return "gres.conf" not in spec.config_files or (
        conf is not None and any(_detects(value, spec) for value, _ in _autodetect(conf))
    )


def types_in_gres_conf(spec: SlurmSpec) -> list[str]:
    """Return the types of GPUs that the file names, each once."""
    conf = _gres_conf(spec)
    entries = conf.entries if conf else ()
    gpus = [entry for entry in entries if str(entry.options.get("Name", entry.name)).lower() == "gpu"]
    return list(dict.fromkeys(str(entry.options["Type"]) for entry in gpus if "Type" in entry.options))


def _gres_conf(spec: SlurmSpec) -> Conf | None:
    """Return the file, or None where it can't be read here, as one that includes others."""
    with suppress(ConfError):  # `slurm_supports_the_files` reports it.
        return parse(spec.config_files.get("gres.conf", ""), File.GRES, Series.of(spec.slurm_version))
    return None


def _detects(value: str, spec: SlurmSpec) -> bool:
    """Return whether slurmd of this series knows a value of AutoDetect as a way to find GPUs."""
    return any(word in value.lower() for word in _ways_to_detect(spec))


def _ways_to_detect(spec: SlurmSpec) -> tuple[str, ...]:
    return (*(["full"] if Series.of(spec.slurm_version) >= _WITH_FULL else []), *_AUTODETECT)


def _problem_of_line(entry: Entry) -> tuple[str, str] | None:
    """Return problem and fix of a line alone."""
    options = entry.options
    file, count = options.get("File", options.get("Files")), options.get("Count")
    if file is not None and "MultipleFiles" in options:
        return "slurmd exits on File and MultipleFiles", "Keep one of them."
    if count is not None and not _COUNT.fullmatch(str(count)):
        return f"slurmd exits, since {count} is no count", 'Write a number, for example "Count=2".'
    files = None
    if file is not None:
        try:
            files = len(hostlist.expand(str(file)))
        except ValueError as error:
            return f"slurmd exits, since it can't read the files: {error}", 'Write for example "/dev/nvidia[0-7]".'
    if (
        files
        and count is not None
        and entry.name.lower() not in _SHARED
        and str(count).isdecimal()
        and int(str(count)) != files
    ):
        return f"slurmd exits, since these are {files} files", "Leave Count out."
    return None


def _error(entry: Entry, problem: str, fix: str) -> FieldError:
    options = {entry.keyword: entry.name, **entry.options}.items()
    text = " ".join(f"{key}={','.join(value) if isinstance(value, tuple) else value}" for key, value in options)
    return FieldError(_AT, text, f"{entry.location}: {problem}", fix)


def _autodetect(conf: Conf) -> Iterator[tuple[str, Entry | None]]:
    """Yield each value of AutoDetect, in capitals, and its line where that is about some nodes or GRES."""
    if "AutoDetect" in conf.options:
        yield str(conf.options["AutoDetect"]), None
    for entry in conf.entries:
        if "AutoDetect" in entry.options:
            yield str(entry.options["AutoDetect"]), entry


def _ways_by_host(conf: Conf) -> dict[str | None, str]:
    """Return the value of AutoDetect that holds for nodes with lines of their own, and by None for all others.

    Source: _handle_local_autodetect and _handle_global_autodetect in src/interfaces/gres.c.
    """
    ways: dict[str | None, str] = {}
    for value, entry in _autodetect(conf):
        if entry:
            ways.update(dict.fromkeys(_nodes(entry) or (None,), value))
    return {None: str(conf.options.get("AutoDetect", "")), **ways}


def _nodes(entry: Entry) -> tuple[str, ...] | None:
    """Return the nodes that a line is about, or None where it is about all."""
    nodes = entry.name if entry.keyword == "NodeName" else entry.options.get("NodeName")
    return None if nodes is None else _expanded(str(nodes))


@cache
def _expanded(hosts: str) -> tuple[str, ...]:
    """Return the hosts of a list; many lines may have the same."""
    return tuple(hostlist.expand(hosts))


def _lines_of_two_kinds(conf: Conf) -> Iterator[FieldError]:
    """Yield lines of a GRES that have files, or a type, where another one for the same node has none."""
    by_host: dict[tuple[str, str, str | None], bool] = {}
    anywhere: dict[tuple[str, str], set[bool]] = {}
    for entry in conf.of("Name"):
        name, nodes = entry.name.lower(), _nodes(entry)
        for key, keys in (("File", _FILES), ("Type", {"Type"})):
            has = bool(entry.options.keys() & keys)
            others = anywhere.setdefault((key, name), set())
            of_nodes = {by_host.get((key, name, host), has) for host in (None, *(nodes or ()))}
            if {not has} & (others if nodes is None else of_nodes):
                problem = f"slurmd exits when some lines of {entry.name} have a {key} and others none"
                yield _error(entry, problem, f"Write {key} on each of them, or on none.")
            others.add(has)
            by_host.update({(key, name, host): has for host in ([None] if nodes is None else nodes)})


def _lines_twice(conf: Conf) -> Iterator[FieldError]:
    """Yield lines that count a GRES of a node once more: only files, or types, tell several lines from each other."""
    counted: dict[str, set[str | None]] = {}
    for entry in conf.of("Name"):
        if entry.options.keys() & {"Type", *_FILES}:
            continue
        earlier, nodes = counted.setdefault(entry.name.lower(), set()), _nodes(entry)
        if None in earlier or (earlier if nodes is None else earlier.intersection(nodes)):
            yield _error(entry, f"slurmd exits on two lines that only count {entry.name}", "Keep one of them.")
        earlier.update([None] if nodes is None else nodes)


def _files_of_gpus(conf: Conf, gpus: GpuSpec) -> tuple[int, Counter[str]]:
    """Return how many GPUs of a type have files in lines for all nodes, and in those for each node."""
    of_all, of_host = 0, Counter[str]()
    for entry in conf.of("Name"):
        type_name, file = entry.options.get("Type"), entry.options.get("File", entry.options.get("Files"))
        if entry.name.lower() == "gpu" and (gpus.type is None or str(type_name or "").lower() == gpus.type.lower()):
            count = _files(str(file)) if file is not None else int("MultipleFiles" in entry.options)
            nodes = _nodes(entry)
            if nodes is None:
                of_all += count
            else:
                of_host.update(dict.fromkeys(nodes, count))
    return of_all, of_host


def _files(text: str) -> int:
    try:
        return len(hostlist.expand(text))
    except ValueError:
        return 0


def _example(gpus: GpuSpec) -> str:
    typed = f" Type={gpus.type}" if gpus.type else ""
    return f"Name=gpu{typed} File=/dev/nvidia[0-{gpus.count - 1}]"


RULES: tuple[Rule, ...] = (gres_conf_starts_slurmd, gres_conf_has_no_patterns, nodes_of_gres_conf_exist)
RULES_WITH_POOLS: tuple[Rule, ...] = (
    gres_conf_has_the_gpus,
    shared_gres_have_gpus,
)
