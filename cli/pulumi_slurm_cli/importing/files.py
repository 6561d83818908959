"""Files in the folder of slurm.conf: configuration files with the new names of nodes, and scripts."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from pulumi_slurm.model.hooks import RESERVED_FILES, SLURM_FILES
from pulumi_slurm.rules.files import needs_ignore_systemd
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.conf import Conf, Entry, render
from pulumi_slurm.slurmconf.conf_error import ConfError, Location
from pulumi_slurm.slurmconf.plugstack import PLUGSTACK
from pulumi_slurm.slurmconf.secrets import shown
from pulumi_slurm.slurmconf.values import write
from pulumi_slurm.slurmconf.version import SERIES, Series
from pulumi_slurm_cli.importing import topology_yaml
from pulumi_slurm_cli.importing.conf_file import ConfFile, read_conf_file
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.source import Source

_TYPED = (File.CGROUP, File.GRES, File.TOPOLOGY)
_NODES = MappingProxyType({File.GRES: "NodeName", File.TOPOLOGY: "Nodes"})
"""Where nodes are named in a file."""

_NO_NODE_SET = "There is no node set for these nodes."

HOOKS = MappingProxyType(
    {
        "Prolog": "prolog",
        "Epilog": "epilog",
        "PrologSlurmctld": "prologSlurmctld",
        "EpilogSlurmctld": "epilogSlurmctld",
        "HealthCheckProgram": "healthCheck",
    }
)
"""Options that name scripts, and the hooks that they become."""


_PATTERN = re.compile(r"[*?\[]")
"""What makes the path of a script a pattern: glob(7), by which Slurm finds them."""

_WITHOUT_LINES = MappingProxyType(
    {
        File.CGROUP: "It has no lines, and would stand in place of what the operator writes.",
        File.GRES: "It has no lines, and would stand in place of what the operator writes, by which GPUs are detected.",
        File.TOPOLOGY: "It has no lines that could be carried over.",
    }
)


_NO_PLUGINS = (
    "Slinky's images have no SPANK plugins, and slurmd exits without a required one. Set image of nodeSets and "
    f"loginSets to images that have it, and add {PLUGSTACK} to configFiles."
)


def add_config_files(draft: Draft, source: Source, series: Series, new_names: Mapping[str, str]) -> None:
    """Put into the draft the files in the folder of slurm.conf that Slurm reads by itself."""
    files: dict[str, str] = {}
    for name in sorted(SLURM_FILES | RESERVED_FILES - {"slurm.conf"}):
        text = source.beside(name)
        if text is None:
            continue
        path = source.path_of(name)
        location = Location(path, 1)
        draft.set_origin(("configFiles", name), location, name)
        if name in RESERVED_FILES:
            draft.leave_out(location, name, "The operator writes this file; what follows of it is up to you.")
            for line, option in _records_kept(text, path, source) if name == File.SLURMDBD else ():
                reason = "Put it into accounting.extraConf, if the cluster gets a slurmdbd of its own."
                draft.leave_out(line, option, reason)
        elif name in _TYPED:
            conf_file = read_conf_file(text, File(name), series, path, source.included)
            draft.left_out += conf_file.left_out
            conf = _with_new_names(draft, conf_file, new_names)
            if not conf.options and not conf.entries:
                draft.leave_out(location, name, _WITHOUT_LINES[File(name)])
            else:
                conf = _for_pods(draft, conf)
                files[name] = text if conf == conf_file.conf and not conf_file.left_out else render(conf)
        elif name == PLUGSTACK:
            _leave_out_plugins(draft, text, path)
        elif name == "topology.yaml":
            files[name], lost = topology_yaml.with_new_names(text, series, path, new_names)
            if lost:
                draft.leave_out(location, f"nodes: {hostlist.compress(lost)}", _NO_NODE_SET)
        else:
            files[name] = text
    draft.cluster["configFiles"] = files
    if files.keys() & {"topology.conf", "topology.yaml"}:
        draft.to_do.append(
            "The topology holds only if pods run where it says; see to it with pools or pod.nodeSelector."
        )


def _records_kept(text: str, path: str, source: Source) -> Iterator[tuple[Location, str]]:
    """Yield what a slurmdbd.conf says of how long records are kept, and where they go then."""
    with suppress(ConfError):
        dbd = read_conf_file(text, File.SLURMDBD, SERIES[-1], path, source.included)
        for key, value in dbd.conf.options.items():
            if key.startswith(("Purge", "Archive")):
                catalogue_key = find(File.SLURMDBD, key)
                assert catalogue_key
                yield dbd.location(key), shown(key, write(catalogue_key.type, value))


def _leave_out_plugins(draft: Draft, text: str, path: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if plugin := line.partition("#")[0].strip():
            draft.leave_out(Location(path, number), plugin, _NO_PLUGINS)


def add_hooks(draft: Draft, source: Source, slurm_conf: ConfFile) -> None:
    """Put into the draft the scripts in the folder of slurm.conf; name those that don't."""
    hooks: dict[str, dict[str, str]] = {}
    for key, field in HOOKS.items():
        value = slurm_conf.conf.options.get(key, ())
        for path in value if isinstance(value, tuple) else (str(value),):
            name = path.rpartition("/")[2]
            is_pattern = _PATTERN.search(path) is not None
            text = None if is_pattern else source.beside(name)
            scripts = source.matching(path) if is_pattern else {} if text is None else {name: text}
            if not scripts:
                missing = (
                    "No file beside slurm.conf matches it." if is_pattern else "The script is not beside slurm.conf."
                )
                reason = f"{missing} Put its text into hooks.{field}."
                draft.leave_out(slurm_conf.location(key), f"{key}={path}", reason)
            for script in scripts:
                draft.set_origin(("hooks", field, script), slurm_conf.location(key), f"{key}={path}")
            if scripts:
                hooks.setdefault(field, {}).update(scripts)
    if hooks:
        draft.cluster["hooks"] = hooks


def _for_pods(draft: Draft, conf: Conf) -> Conf:
    """Return cgroup.conf for pods, which have no systemd; other files are returned as they are."""
    options = conf.options
    if conf.file is not File.CGROUP or not needs_ignore_systemd(options):
        return conf
    draft.to_do.append("IgnoreSystemd=yes was added to cgroup.conf, since slurmd finds no systemd in a pod.")
    return replace(conf, options={**options, "IgnoreSystemd": True})


def _with_new_names(draft: Draft, conf_file: ConfFile, new_names: Mapping[str, str]) -> Conf:
    """Return the file with the new names; what is only about nodes that are not there goes."""
    key = _NODES.get(conf_file.conf.file)
    entries: list[Entry] = []
    for entry in conf_file.conf.entries:
        if key is None or key not in entry.options:
            entries.append(entry)
            continue
        old = hostlist.expand(str(entry.options[key]))
        if old == ["ALL"]:
            entries.append(entry)
            continue
        kept = hostlist.compress(new_names[host] for host in old if host in new_names)
        if lost := [host for host in old if host not in new_names]:
            assert entry.location
            text = f"{entry.keyword}={entry.name} {key}={hostlist.compress(lost)}"
            draft.leave_out(
                entry.location, text, f"{_NO_NODE_SET} The line stays for the others." if kept else _NO_NODE_SET
            )
        if kept:
            entries.append(replace(entry, options={**entry.options, key: kept}))
    gone = {entry.name for entry in conf_file.conf.entries} - {entry.name for entry in entries}
    return replace(conf_file.conf, entries=tuple(_above_others(entries, gone)))


def _above_others(entries: list[Entry], gone: set[str]) -> list[Entry]:
    """Return the lines without switches that are gone, and without those that are above no other: slurmctld exits."""
    while gone:
        kept: list[Entry] = []
        above_none: set[str] = set()
        for entry in entries:
            switches = hostlist.expand(str(entry.options.get("Switches", "")))
            below = [name for name in switches if name not in gone]
            if len(below) == len(switches):
                kept.append(entry)
            elif below:
                kept.append(replace(entry, options={**entry.options, "Switches": hostlist.compress(below)}))
            else:
                above_none.add(entry.name)
        entries, gone = kept, above_none
    return entries
