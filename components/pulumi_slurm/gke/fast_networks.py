"""Fast networks as arguments: the interfaces of nodes, and the networks of pods that lead to them."""

import pulumi
from pydantic import field_validator

from pulumi_slurm.kube.component import Args
from pulumi_slurm.machines.gke import DeviceMode
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.one_of import OneOf


class GkeNetworkInterfaceArgs(Args):
    """An interface of nodes in an additional VPC."""

    network_name: pulumi.Input[str]
    """The VPC's name."""
    subnetwork_name: pulumi.Input[str]
    """The subnetwork's name."""


class GkePodNetworkArgs(GkeNetworkInterfaceArgs):
    """A subnetwork of a fast network, as a network of pods."""

    name: str
    """The name by which pods request it; that of the subnetwork."""
    device_mode: OneOf[DeviceMode]
    """How pods get its interface."""

    _name = field_validator("name")(kubernetes_names.object_name)
