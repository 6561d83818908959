"""Files in /etc/slurm: scripts and configuration files, each from one place, and agreeing with slurm.conf."""

from collections.abc import Iterator

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec

_TOPOLOGY = ("topology.conf", "topology.yaml")
_NEED_A_FILE = (
    *(("TopologyPlugin", f"topology/{kind}", _TOPOLOGY) for kind in ("tree", "block", "ring", "torus3d")),
    ("JobSubmitPlugins", "lua", ("job_submit.lua",)),
    ("JobSubmitPlugins", "job_submit/lua", ("job_submit.lua",)),
)
"""Plugins by the key that names them, and the files of which each needs one."""


def files_have_one_owner(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse two files of one name."""
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


def files_suit_the_rest(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf that a configuration file contradicts."""
    cgroup = {line.replace(" ", "").lower() for line in spec.config_files.get("cgroup.conf", "").splitlines()}
    if "cgroupplugin=disabled" in cgroup:
        for key, value in spec.slurm_conf.extra.items():
            if "cgroup" in value.lower():
                yield FieldError(
                    ("slurm_conf", "extra", key), value, "cgroup.conf disables cgroups", f"Leave {key} out."
                )
    for key, plugin, names in _NEED_A_FILE:
        for name, value in spec.slurm_conf.extra.items():
            needs = name.lower() == key.lower() and plugin in value.lower().replace(" ", "").split(",")
            if needs and not any(file in spec.config_files for file in names):
                yield FieldError(
                    ("slurm_conf", "extra", name),
                    value,
                    f"{plugin} reads {' or '.join(names)}, and slurmctld would not start without it",
                    f"Add configFiles[{names[0]!r}], or leave this out.".replace("'", '"'),
                    depends_on_fields=(("config_files",),),
                )
    tree, plain = "topology.yaml", "topology.conf"
    if tree in spec.config_files and plain in spec.config_files:
        yield FieldError(
            ("config_files", plain), "...", f"Slurm ignores it when there is a {tree}", "Keep one of the two."
        )
