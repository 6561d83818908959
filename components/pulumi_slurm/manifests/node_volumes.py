"""Volumes that the workers of one node set have for themselves."""

from pulumi_slurm.manifests.objects import Manifest, pruned
from pulumi_slurm.model import HostPathSpec, NodeSetSpec
from pulumi_slurm.rules.volumes import SHARED_MEMORY, SHARED_MEMORY_PATH


def node_volumes(options: NodeSetSpec) -> list[Manifest]:
    """Return the pod's volumes beside shared ones; those of claims are the operator's to add."""
    made = [host_volume(each.name, each) for each in options.host_paths]
    if options.shared_memory:
        made.append(
            {"name": SHARED_MEMORY, "emptyDir": {"medium": "Memory", "sizeLimit": options.shared_memory}},
        )
    return made


def node_mounts(options: NodeSetSpec) -> list[Manifest]:
    """Return slurmd's mounts of these volumes and of its claims."""
    made = [{"name": claim.name, "mountPath": claim.mount_path} for claim in options.volume_claims]
    made += [host_mount(each.name, each) for each in options.host_paths]
    if options.shared_memory:
        made.append({"name": SHARED_MEMORY, "mountPath": SHARED_MEMORY_PATH})
    return made


def host_volume(name: str, host_path: HostPathSpec) -> Manifest:
    """Return the volume of this name for a path of the node."""
    return {"name": name, "hostPath": {"path": host_path.path, "type": host_path.type.value}}


def host_mount(name: str, host_path: HostPathSpec) -> Manifest:
    """Return a container's mount of the volume of this name."""
    return pruned({"name": name, "mountPath": host_path.mount_path, "readOnly": host_path.read_only or None})
