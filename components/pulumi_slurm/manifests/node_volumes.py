"""Volumes of the workers of a single node set."""

from pulumi_slurm.manifests.objects import Manifest, pruned
from pulumi_slurm.model import HostPathSpec, NodeSetSpec
from pulumi_slurm.model.cluster_volumes import SHARED_MEMORY, SHARED_MEMORY_PATH


def node_volumes(options: NodeSetSpec) -> list[Manifest]:
    """Return the pod's volumes other than shared ones; the operator adds those for volume claims."""
    volumes = [host_volume(host_path.name, host_path) for host_path in options.host_paths]
    if options.shared_memory:
        volumes.append(
            {"name": SHARED_MEMORY, "emptyDir": {"medium": "Memory", "sizeLimit": options.shared_memory}},
        )
    return [*volumes, *options.extra_volumes]


def node_mounts(options: NodeSetSpec) -> list[Manifest]:
    """Return slurmd's mounts of these volumes and of the volume claims."""
    mounts = [{"name": claim.name, "mountPath": claim.mount_path} for claim in options.volume_claims]
    mounts += [host_mount(host_path.name, host_path) for host_path in options.host_paths]
    if options.shared_memory:
        mounts.append({"name": SHARED_MEMORY, "mountPath": SHARED_MEMORY_PATH})
    return [*mounts, *options.extra_volume_mounts]


def host_volume(name: str, host_path: HostPathSpec) -> Manifest:
    """Return a volume with this name for a path of the node."""
    return {"name": name, "hostPath": {"path": host_path.path, "type": str(host_path.type)}}


def host_mount(name: str, host_path: HostPathSpec) -> Manifest:
    """Return a container's mount of the volume with this name."""
    return pruned({"name": name, "mountPath": host_path.mount_path, "readOnly": host_path.read_only or None})
