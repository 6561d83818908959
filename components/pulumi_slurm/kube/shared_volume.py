"""SharedVolume: a volume such as /home that login and worker pods share."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create, parse_args
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.manifests.pods import claim_name
from pulumi_slurm.manifests.storage import shared_volume


class SharedVolumeArgs(Args):
    """Arguments of `SharedVolume`."""

    cluster: ClusterRef
    """The cluster that mounts it."""
    volume: spec.SharedVolumeSpec
    """Its source, size and mount path."""


class SharedVolume(pulumi.ComponentResource):
    """The claim of a shared volume, and the volume behind it where that is an NFS export or a CSI handle."""

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: SharedVolumeArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(SharedVolumeArgs, args)
        super().__init__("slurm:index:SharedVolume", name, component_inputs(args), opts)
        made: list[pulumi.Resource] = []
        for item in shared_volume(args.cluster, args.volume):
            role = "claim" if item["kind"] == "PersistentVolumeClaim" else "volume"
            options = child_options(self, opts, made[-1:], retain_on_delete=args.volume.retain)
            made.append(create(f"{name}-{role}", item, options))
        self.ends = made[-1:]
        self.claim_name = pulumi.Output.from_input(claim_name(args.cluster, args.volume))
        self.register_outputs({"claimName": self.claim_name})
