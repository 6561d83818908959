"""Rules on files in /etc/slurm: scripts and configuration files have unique names and agree with slurm.conf."""

from collections.abc import Iterator

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec

_TOPOLOGY_FILES = ("topology.conf", "topology.yaml")
_PLUGIN_FILES = (
    *(("TopologyPlugin", f"topology/{kind}", _TOPOLOGY_FILES) for kind in ("tree", "block", "ring", "torus3d")),
    ("JobSubmitPlugins", "lua", ("job_submit.lua",)),
    ("JobSubmitPlugins", "job_submit/lua", ("job_submit.lua",)),
)
"""Plugins: the key that selects them, its value, and the files of which the plugin needs one."""


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
                    f"{owners[name]} has a file of this name, and all of them lie in /etc/slurm",
                    "Name one of them otherwise.",
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
