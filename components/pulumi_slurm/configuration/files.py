"""Configuration files other than slurm.conf: the user's, derived ones, and those that the operator writes itself."""

from collections.abc import Mapping, Sequence

from pulumi_slurm.derived.gpus import AUTODETECT, NVIDIA, gpu_resources
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.derived.topology import slurm_topologies
from pulumi_slurm.model import ConfineSpec, NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.topology import to_text
from pulumi_slurm.slurmconf.version import Series

CGROUP_CONF = "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n"
"""The operator's own cgroup.conf, which confines jobs to nothing. No systemd manages cgroups in a pod."""


_GRES_CONF = f"AutoDetect={NVIDIA}\n"
"""The gres.conf of operators that write one."""


def config_files(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[str, str]:
    """Return the files that are passed to the operator, by name; a file of the user's replaces a derived one."""
    derived = {"cgroup.conf": cgroup_conf(spec.confine), "gres.conf": gres_conf(spec, pools)}
    files = {name: text for name, text in derived.items() if text != _files_of_operator(spec).get(name)}
    if spec.adopted and derived["gres.conf"] == _GRES_CONF:
        # A chart's slurmctld goes on without it, and would restart for it.
        files.pop("gres.conf", None)
    topologies = slurm_topologies(spec)
    return files | ({"topology.yaml": to_text(topologies)} if topologies else {}) | spec.config_files


def all_files(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[str, str]:
    """Return the files that daemons read, by name: those that are passed to the operator, and the ones it writes."""
    return {**_files_of_operator(spec), **config_files(spec, pools)}


def _files_of_operator(spec: SlurmSpec) -> dict[str, str]:
    """Return the files that the operator writes unless they are passed to it."""
    return {"cgroup.conf": CGROUP_CONF, **({"gres.conf": _GRES_CONF} if spec.operator.writes_gres_conf else {})}


def cgroup_conf(confine: ConfineSpec) -> str:
    """Return cgroup.conf."""
    options = {
        "ConstrainCores": confine.cores,
        "ConstrainRAMSpace": confine.memory,
        "ConstrainDevices": confine.devices,
    }
    return CGROUP_CONF + "".join(f"{key}=yes\n" for key, is_on in options.items() if is_on)


def gres_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> str:
    """Return gres.conf, by which slurmd detects the GPUs of its node.

    A line with NodeName takes precedence over the one for all nodes; rules see to it that every plugin is known.
    """
    plugins = {node_set.name: AUTODETECT.get(resource, NVIDIA) for _, node_set, resource in gpu_resources(spec, pools)}
    if len({*plugins.values()}) <= 1:
        return f"AutoDetect={next(iter(plugins.values()), NVIDIA)}\n"
    lines = [
        f"NodeName={names} AutoDetect={plugins[node_set.name]}\n"
        for node_set in spec.node_sets
        if plugins.get(node_set.name, NVIDIA) != NVIDIA and (names := node_names(node_set))
    ]
    return "".join([*lines, *([f"AutoDetect={NVIDIA}\n"] if NVIDIA in plugins.values() else [])])


def parse_files(files: Mapping[str, str], series: Series) -> dict[File, Conf]:
    """Parse those of the files that have Slurm's own syntax."""
    return {File(name): parse(text, File(name), series) for name, text in files.items() if name in set(File)}
