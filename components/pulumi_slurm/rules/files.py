"""Rules on files in /etc/slurm: scripts and configuration files have unique names and agree with slurm.conf."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.alias_generators import to_camel

from pulumi_slurm.derived.operator_lines import CGROUPS_ARE_OFF
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.confine import ConfineSpec
from pulumi_slurm.model.hooks import MAX_CONFIG_MAP_BYTES
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.version import Series

_TOPOLOGY_FILES = ("topology.conf", "topology.yaml")
_PLUGIN_FILES = (
    *(("TopologyPlugin", f"topology/{kind}", _TOPOLOGY_FILES) for kind in ("tree", "block", "ring", "torus3d")),
    ("JobSubmitPlugins", "lua", ("job_submit.lua",)),
    ("JobSubmitPlugins", "job_submit/lua", ("job_submit.lua",)),
)
"""Plugins: the key that selects them, its value, and the files of which the plugin needs one."""

_ACCT_GATHER_CONF = "acct_gather.conf"
_KEYS_OF_ACCT_GATHER = (
    (
        "energyipmi",
        "AcctGatherEnergyType",
        ("acct_gather_energy/ipmi", "acct_gather_energy/xcc"),
    ),
    ("energyxcc", "AcctGatherEnergyType", ("acct_gather_energy/xcc",)),
    ("profilehdf5", "AcctGatherProfileType", ("acct_gather_profile/hdf5",)),
    ("profileinfluxdb", "AcctGatherProfileType", ("acct_gather_profile/influxdb",)),
    ("infinibandofed", "AcctGatherInterconnectType", ("acct_gather_interconnect/ofed",)),
    ("interconnectofed", "AcctGatherInterconnectType", ("acct_gather_interconnect/ofed",)),
    ("sysfsinterfaces", "AcctGatherInterconnectType", ("acct_gather_interconnect/sysfs",)),
)
"""What keys of acct_gather.conf begin with, in small letters, and the plugins that read them, by key and value."""
_STARTS_OF_ACCT_GATHER = ("include ", "include\t", *(start for start, _, _ in _KEYS_OF_ACCT_GATHER))


def files_have_one_owner(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse two files with the same name."""
    groups: dict[Path, dict[str, str]] = {("config_files",): spec.config_files}
    groups |= {("hooks", field): getattr(spec.hooks, field) for field in type(spec.hooks).model_fields}
    owners: dict[str, str] = {}
    for path, files in groups.items():
        for name in files:
            if name in owners:
                yield FieldError(
                    (*path, name),
                    "...",
                    f"{owners[name]} has a file of this name, and both would be in /etc/slurm",
                    "Give one of them another name.",
                )
            owners.setdefault(name, ".".join(to_camel(str(step)) for step in path))


def files_match_the_specification(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf that a configuration file contradicts."""
    cgroup_lines = {line.replace(" ", "").lower() for line in spec.config_files.get("cgroup.conf", "").splitlines()}
    if "cgroupplugin=disabled" in cgroup_lines:
        for key, value in spec.slurm_conf.extra.items():
            if "cgroup" in value.lower():
                yield FieldError(
                    ("slurm_conf", "extra", key), value, "cgroup.conf disables cgroups", f"Leave {key} out."
                )
    for key, plugin, names in _PLUGIN_FILES:
        for name, value in spec.slurm_conf.extra.items():
            uses_plugin = name.lower() == key.lower() and plugin in value.lower().replace(" ", "").split(",")
            if uses_plugin and not any(file in spec.config_files for file in names):
                yield FieldError(
                    ("slurm_conf", "extra", name),
                    value,
                    f"{plugin} reads {' or '.join(names)}, and slurmctld would not start without it",
                    f"Add configFiles[{names[0]!r}], or leave this out.".replace("'", '"'),
                    depends_on_fields=(("config_files",),),
                )
    yaml_file, conf_file = "topology.yaml", "topology.conf"
    if yaml_file in spec.config_files and conf_file in spec.config_files:
        yield FieldError(
            ("config_files", conf_file), "...", f"Slurm ignores it when there is a {yaml_file}", "Keep one of the two."
        )


def acct_gather_conf_has_its_plugins(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse keys of acct_gather.conf that no plugin reads, with which all daemons end.

    Each plugin names its keys, and what remains can't be parsed: `acct_gather_conf_init` in
    src/interfaces/acct_gather.c of SchedMD/slurm at slurm-25.11.
    """
    chosen = {key.lower(): value.lower() for key, value in spec.slurm_conf.extra.items()}
    for line in spec.config_files.get(_ACCT_GATHER_CONF, "").splitlines():
        name = line.partition("#")[0].partition("=")[0].strip()
        for start, key, plugins in _KEYS_OF_ACCT_GATHER:
            if name.lower().startswith(start) and chosen.get(key.lower()) not in plugins:
                yield FieldError(
                    ("config_files", _ACCT_GATHER_CONF),
                    line.strip(),
                    f"only the plugin {' or '.join(plugins)} reads {name}, and without it slurmctld exits",
                    f"Add {key} to slurmConf.extra, or leave the line out.",
                    depends_on_fields=(("slurm_conf",),),
                )
                break
        else:
            if name and not name.lower().startswith(_STARTS_OF_ACCT_GATHER) and not spec.controller.image:
                problem = f"no plugin reads {name}, and slurmctld exits"
                fix = "Leave it out, or look for its name in the manual of acct_gather.conf."
                yield FieldError(("config_files", _ACCT_GATHER_CONF), line.strip(), problem, fix)


def slurm_conf_fits_into_a_config_map(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse so many lines that Kubernetes would refuse the operator's ConfigMap with slurm.conf.

    This counts the texts of lines, not all of what is around them, so slurm.conf is a little larger.
    """
    sizes: dict[Path, int] = {
        ("partitions",): _text_size([partition.model_dump(mode="json") for partition in spec.partitions]),
        ("slurm_conf", "extra"): _text_size(spec.slurm_conf.extra),
        ("node_sets",): _text_size([node_set.slurm_name for node_set in spec.node_sets]),
    }
    if sum(sizes.values()) > MAX_CONFIG_MAP_BYTES:
        largest = max(sizes, key=lambda path: sizes[path])
        yield FieldError(
            largest,
            "...",
            f"slurm.conf would have more than {sum(sizes.values())} bytes, and Kubernetes refuses more than 1 MiB",
            "Write fewer lines: ALL in place of all node sets, and accounts of which others are children.",
        )


def _text_size(data: Any) -> int:
    """Return the length of all texts in plain data, with the one character that separates each from the next."""
    if isinstance(data, Mapping):
        return sum(_text_size(value) for value in data.values()) + (
            sum(len(key) + 1 for key in data) if all(isinstance(value, str) for value in data.values()) else 0
        )
    if isinstance(data, list):
        return sum(map(_text_size, data))
    return len(data.encode()) + 1 if isinstance(data, str) else 0


def cgroup_conf_suits_pods(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a cgroup.conf with which slurmd doesn't start in a pod, and `confine` in addition to it."""
    text = spec.config_files.get("cgroup.conf")
    if text is None:
        return
    try:
        options = parse(text, File.CGROUP, Series.of(spec.slurm_version)).options
    except ConfError:
        # `slurm_supports_the_files` reports it.
        return
    if needs_ignore_systemd(options):
        yield FieldError(
            ("config_files", "cgroup.conf"),
            text,
            "slurmd would ask systemd for its cgroups, and there is none in a pod",
            "Add the line IgnoreSystemd=yes, or leave the file out and set confine.",
            depends_on_fields=(("slurm_version",),),
        )
    if str(options.get("CgroupPlugin", "")).lower() == "disabled" and not CGROUPS_ARE_OFF.search(text):
        problem = "slurm-operator doesn't see that this disables cgroups, and slurmd exits"
        fix = 'Write "CgroupPlugin=disabled" at the beginning of a line, without spaces.'
        yield FieldError(("config_files", "cgroup.conf"), text, problem, fix)
    if spec.confine != ConfineSpec():
        yield FieldError(
            ("confine",),
            spec.confine.model_dump(),
            'configFiles["cgroup.conf"] replaces it, so it has no effect',
            "Keep one of the two.",
            depends_on_fields=(("config_files",),),
        )


def needs_ignore_systemd(cgroup_options: Mapping[str, Any]) -> bool:
    """Return whether slurmd would ask systemd for cgroups with these options of cgroup.conf.

    Source: "IgnoreSystemd" in https://slurm.schedmd.com/cgroup.conf.html.
    """
    plugin = str(cgroup_options.get("CgroupPlugin", "")).lower()
    return plugin not in {"disabled", "cgroup/v1"} and cgroup_options.get("IgnoreSystemd") is not True


RULES: tuple[Rule, ...] = (
    files_have_one_owner,
    files_match_the_specification,
    acct_gather_conf_has_its_plugins,
    slurm_conf_fits_into_a_config_map,
    cgroup_conf_suits_pods,
)
