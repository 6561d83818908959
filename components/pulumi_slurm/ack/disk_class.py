"""AckDiskClass: a StorageClass for encrypted disks."""

from typing import Any, Unpack, overload

import pulumi

from pulumi_slurm.ack.dicts import AckDiskClassArgsDict
from pulumi_slurm.ack.model.disk import AckDiskClassSpec
from pulumi_slurm.ack.storage_classes import disk_class
from pulumi_slurm.kube.component import Args, Component, Options


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

    @overload
    def __init__(
        self, resource_name: str, args: AckDiskClassArgs | AckDiskClassArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckDiskClassArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        spec = self._args.disk_class
        self.storage_class = pulumi.Output.from_input(spec.name)
        self.finish(self.create("class", disk_class(spec)))
