"""ConfigMaps with configuration files and scripts; a hash of the content in their names replaces them on a change."""

from pulumi_slurm.manifests.objects import ClusterRef, Manifest, content_hash, manifest
from pulumi_slurm.model import HooksSpec
from pulumi_slurm.model.cluster_volumes import health_check_config_map


def file_config_maps(ref: ClusterRef, config_files: dict[str, str], hooks: HooksSpec) -> dict[str, Manifest]:
    """Return the ConfigMaps by the field of the Controller that refers to them."""
    groups = {
        "configFileRefs": ("config", config_files),
        "prologScriptRefs": ("prolog", hooks.prolog),
        "epilogScriptRefs": ("epilog", hooks.epilog),
        "prologSlurmctldScriptRefs": ("prolog-slurmctld", hooks.prolog_slurmctld),
        "epilogSlurmctldScriptRefs": ("epilog-slurmctld", hooks.epilog_slurmctld),
    }
    return {
        field: manifest("v1", "ConfigMap", ref, f"{ref.name}-{role}-{content_hash(files)}", data=dict(files))
        for field, (role, files) in groups.items()
        if files
    }


def health_check_manifests(ref: ClusterRef, hooks: HooksSpec) -> dict[str, Manifest]:
    """Return the ConfigMap with the health check, which workers mount, by its role."""
    if not hooks.health_check:
        return {}
    name = health_check_config_map(ref.name)
    return {"healthCheck": manifest("v1", "ConfigMap", ref, name, data=dict(hooks.health_check))}
