"""The ConfigMaps that pods mount."""

from collections.abc import Sequence

from pulumi_slurm.ack_slurm.manifests.files import public_files
from pulumi_slurm.ack_slurm.manifests.names import config_map, keys_config_map
from pulumi_slurm.ack_slurm.manifests.templates import ROOT_KEYS, root_keys
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def config_maps(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[Manifest]:
    """Return the ConfigMap with the configuration files, and the one with public keys.

    Their names don't depend on their content: a changed pod template would replace the cluster with all its jobs.
    """
    ref = ClusterRef.of(spec)
    manifests = [manifest("v1", "ConfigMap", ref, config_map(spec.name), data=public_files(spec, pools, ack))]
    if keys := root_keys(spec):
        data = {ROOT_KEYS: "".join(f"{key}\n" for key in keys)}
        manifests.append(manifest("v1", "ConfigMap", ref, keys_config_map(spec.name), data=data))
    return manifests
