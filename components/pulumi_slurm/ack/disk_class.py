"""AckDiskClass: a StorageClass for encrypted disks."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.ack.model.disk import AckDiskClassSpec
from pulumi_slurm.ack.storage_classes import disk_class
from pulumi_slurm.kube.component import Args, Component, Options


class AckDiskClassArgs(Args):
    """Arguments of `AckDiskClass`."""

    disk_class: AckDiskClassSpec = AckDiskClassSpec()
    """Its name and the key of its disks."""


class AckDiskClass(Component[AckDiskClassArgs]):
    """A StorageClass for encrypted disks, which ACK's own classes don't have: for state, databases and directories."""

    storage_class: pulumi.Output[str]
    """Its name, which claims refer to."""

    def __init__(self, resource_name: str, args: AckDiskClassArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        spec = self._args.disk_class
        self.storage_class = pulumi.Output.from_input(spec.name)
        self.finish(self.create("class", disk_class(spec)))
