"""SharedVolume: a volume such as /home that login and worker pods share."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.shared_volume import SharedVolumePart
from pulumi_slurm.manifests.pods import claim_name
from pulumi_slurm.manifests.storage import shared_volume


class SharedVolumeArgs(SharedVolumePart, Args):
    """Arguments of `SharedVolume`."""


class SharedVolume(Component[SharedVolumeArgs]):
    """The claim of a shared volume, and the volume behind it where that is an NFS export or a CSI handle."""

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""

    def __init__(self, resource_name: str, args: SharedVolumeArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster, volume = self._args.cluster, self._args.volume
        last: list[pulumi.Resource] = []
        for manifest in shared_volume(cluster, volume):
            role = "claim" if manifest["kind"] == "PersistentVolumeClaim" else "volume"
            last = [self.create(role, manifest, *last, retain_on_delete=volume.retain)]
        self.claim_name = pulumi.Output.from_input(claim_name(cluster, volume))
        self.finish(*last)
