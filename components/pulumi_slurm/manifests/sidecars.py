"""Sidecar containers of worker pods: init containers that keep running."""

from collections.abc import Sequence

from pulumi_slurm.manifests.node_volumes import host_mount, host_volume
from pulumi_slurm.manifests.objects import Manifest, pruned
from pulumi_slurm.manifests.pods import container
from pulumi_slurm.model import SidecarSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_PROBE_PERIOD_SECONDS = 5


def sidecar_containers(ref: ClusterRef, sidecars: Sequence[SidecarSpec]) -> list[Manifest]:
    """Return the pod's init containers."""
    return [_container(ref, sidecar) for sidecar in sidecars]


def sidecar_volumes(sidecars: Sequence[SidecarSpec]) -> list[Manifest]:
    """Return the pod's volumes for these containers."""
    return [
        host_volume(sidecar.volume_name(host_path), host_path)
        for sidecar in sidecars
        for host_path in sidecar.host_paths
    ]


def _container(ref: ClusterRef, sidecar: SidecarSpec) -> Manifest:
    mounts = [host_mount(sidecar.volume_name(host_path), host_path) for host_path in sidecar.host_paths]
    return pruned(
        {
            "name": sidecar.name,
            **container(ref, sidecar.image, sidecar.env, resources=sidecar.resources, volume_mounts=mounts),
            "command": sidecar.command,
            "args": sidecar.args,
            "restartPolicy": "Always",
            "securityContext": pruned(
                {
                    "privileged": sidecar.privileged or None,
                    "capabilities": {"add": sidecar.capabilities} if sidecar.capabilities else None,
                }
            ),
            "startupProbe": _startup_probe(sidecar),
        }
    )


def _startup_probe(sidecar: SidecarSpec) -> Manifest | None:
    if not sidecar.ready_command:
        return None
    return {
        "exec": {"command": sidecar.ready_command},
        "periodSeconds": _PROBE_PERIOD_SECONDS,
        "failureThreshold": -(-sidecar.ready_seconds // _PROBE_PERIOD_SECONDS),
    }
