"""AckDiskClass: a StorageClass for encrypted disks."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.ack.model.disk import AckDiskClassSpec
from pulumi_slurm.ack.storage_classes import disk_class
from pulumi_slurm.kube.component import Args, Component


class AckDiskClassArgs(Args):
    """Arguments of `AckDiskClass`."""

    disk_class: AckDiskClassSpec = AckDiskClassSpec()
    """Its name and the key of its disks."""


class AckDiskClass(Component[AckDiskClassArgs]):
    """A StorageClass for encrypted disks, which ACK's own classes don't have: for state, databases and directories.

    Example::

        AckDiskClass("disks", {}, pulumi.ResourceOptions(provider=cluster.provider))
    """

    storage_class: pulumi.Output[str]
    """Its name, which claims refer to."""

    def __init__(
        self, name: str, args: AckDiskClassArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        spec = self._args.disk_class
        self.storage_class = pulumi.Output.from_input(spec.name)
        self.finish(self.create("class", disk_class(spec)))
