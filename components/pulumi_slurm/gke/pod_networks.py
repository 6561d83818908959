"""GkePodNetworks: the fast networks as pods see them."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.kube.resources import create
from pulumi_slurm.machines.gke import DeviceMode

API = "networking.gke.io"


class GkePodNetworksArgs(Args):
    """Arguments of `GkePodNetworks`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""
    fabric_networks: pulumi.Input[Mapping[str, Mapping[str, str]]]
    """`fabric_networks` of `GkeNetwork`: names of networks and subnetworks, by subnetwork."""


class GkePodNetworks(Component[GkePodNetworksArgs]):
    """A `Network` and a `GKENetworkParamSet` for each subnetwork of a fast network; pods name the `Network`.

    They bear the name of the subnetwork and belong to the whole cluster. The provider comes from ``opts``. Google's
    guides make them after the cluster and before the node pools; give node pools this component as `depends_on`. GKE
    refuses to change either of them, so a change is a new one:
    https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods.
    """

    networks: pulumi.Output[list[str]]
    """The names of the networks."""

    def __init__(
        self, name: str, args: GkePodNetworksArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkePodNetworksArgs, args)
        super().__init__(name, args, opts, inputs=inputs(args.spec, ("name",)))
        self._name, self._opts = name, opts
        self._known: pulumi.Output[Mapping[str, Mapping[str, str]]] = pulumi.Output.from_input(args.fabric_networks)
        made = {
            subnet.name: self._pod_network(subnet.name, extra.device_mode)
            for extra in plan_addresses(args.spec).fabric
            for subnet in extra.subnets
        }
        self._last = [*made.values()]
        self.networks = pulumi.Output.from_input([*made])
        self.finish(*self._last)

    def _pod_network(self, subnet: str, device_mode: DeviceMode) -> pulumi.Resource:
        params = self._create(
            "GKENetworkParamSet",
            subnet,
            {
                "vpc": self._known.apply(lambda known: known[subnet]["network"]),
                "vpcSubnet": self._known.apply(lambda known: known[subnet]["subnetwork"]),
                "deviceMode": device_mode.value,
            },
        )
        # After what it refers to, so that it also goes before it.
        return self._create(
            "Network",
            subnet,
            {"type": "Device", "parametersRef": {"group": API, "kind": "GKENetworkParamSet", "name": subnet}},
            params,
        )

    def _create(self, kind: str, subnet: str, spec: dict[str, Any], *after: pulumi.Resource) -> pulumi.Resource:
        options = child_options(self, self._opts, after, replace_on_changes=["spec"], delete_before_replace=True)
        metadata = {"name": subnet, "labels": {"app.kubernetes.io/managed-by": "pulumi-slurm"}}
        made = {"apiVersion": f"{API}/v1", "kind": kind, "metadata": metadata, "spec": spec}
        return create(f"{self._name}-{subnet}-{kind.lower()}", made, options)
