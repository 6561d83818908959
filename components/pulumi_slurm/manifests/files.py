"""ConfigMaps with configuration files and scripts.

The operator reads the names of scripts when it writes slurm.conf, and doesn't watch these ConfigMaps, so their names
contain a hash of the names of files. Of changed content it needs to know nothing: Kubernetes brings it into the pod of
slurmctld, where the operator's sidecar runs `scontrol reconfigure`. Source: internal/controller/controller and
scripts/reconfigure.sh of https://github.com/SlinkyProject/slurm-operator, v1.0.1 to v1.2.1.
"""

from collections.abc import Mapping, Sequence

from pulumi_slurm.manifests.node_verdict import VERDICT_SCRIPT
from pulumi_slurm.manifests.objects import Manifest, content_hash, manifest
from pulumi_slurm.model import ControllerSpec, HooksSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.cluster_volumes import NODE_VERDICT, health_check_config_map

FILES = "slurm.pulumi.com/files"
"""Annotation of slurmctld's pod with a hash of all files, where nothing but a restart makes slurmctld read them."""
_READ_BY_OPERATOR = "cgroup.conf"
"""The operator writes other lines into slurm.conf if this file disables cgroups."""


FileMaps = Mapping[str, list[Manifest]]
"""ConfigMaps by the field of the Controller that refers to them, such as ``configFileRefs``: one, or a chart's."""


def file_config_maps(ref: ClusterRef, config_files: dict[str, str], hooks: HooksSpec) -> FileMaps:
    """Return the ConfigMaps by the field of the Controller that refers to them."""
    groups = {
        "configFileRefs": ("config", config_files),
        "prologScriptRefs": ("prolog", hooks.prolog),
        "epilogScriptRefs": ("epilog", hooks.epilog),
        "prologSlurmctldScriptRefs": ("prolog-slurmctld", hooks.prolog_slurmctld),
        "epilogSlurmctldScriptRefs": ("epilog-slurmctld", hooks.epilog_slurmctld),
    }
    return {
        field: [
            manifest("v1", "ConfigMap", ref, name, data={file: files[file] for file in names})
            for name, names in _names(ref, field, role, files)
        ]
        for field, (role, files) in groups.items()
        if files
    }


def _names(ref: ClusterRef, field: str, role: str, files: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Return the names of ConfigMaps, and of the files in each."""
    of_chart = ref.adopted.files.get(field, []) if ref.adopted else []
    if sorted(name for config_map in of_chart for name in config_map.files) == sorted(files):
        return [(config_map.name, config_map.files) for config_map in of_chart]
    return [(f"{ref.name}-{role}-{_hash_of_names(files)}", [*files])]


def files_annotation(ref: ClusterRef, options: ControllerSpec, config_maps: FileMaps) -> dict[str, str]:
    """Return the annotation by which changed files restart slurmctld, where it isn't reconfigured in place."""
    if reconfigures_in_place(ref, options) or not config_maps:
        return {}
    its_hash = files_hash({field: _data(items) for field, items in config_maps.items()})
    # A chart's pod has none, and to add it would restart slurmctld.
    return {} if ref.adopted and ref.adopted.files_hash == its_hash else {FILES: its_hash}


def files_hash(files: Mapping[str, Mapping[str, str]]) -> str:
    """Return a hash of all files, by the field of the Controller that refers to their ConfigMaps, and by name."""
    return content_hash(files)


def _data(config_maps: Sequence[Manifest]) -> dict[str, str]:
    return {name: text for config_map in config_maps for name, text in config_map["data"].items()}


def reconfigures_in_place(ref: ClusterRef, options: ControllerSpec) -> bool:
    """Return whether slurmctld's pod has the sidecar that runs `scontrol reconfigure`; until 1.1 it always has."""
    return options.inplace_reconfigure or not ref.operator.has("Controller", "inplaceReconfigure")


def _hash_of_names(files: Mapping[str, str]) -> str:
    return content_hash([sorted(files), files.get(_READ_BY_OPERATOR)])


def health_check_manifests(ref: ClusterRef, hooks: HooksSpec) -> dict[str, Manifest]:
    """Return the ConfigMap with the health check and what it calls, which workers mount, by its role."""
    if not hooks.health_check:
        return {}
    name = health_check_config_map(ref.name)
    return {
        "healthCheck": manifest("v1", "ConfigMap", ref, name, data={**hooks.health_check, NODE_VERDICT: VERDICT_SCRIPT})
    }
