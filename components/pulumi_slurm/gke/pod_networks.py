"""GkePodNetworks: the fast networks as Kubernetes objects, to which pods refer."""

from typing import Any

import pulumi
from pydantic import field_validator

from pulumi_slurm.errors import check_unique
from pulumi_slurm.gke.fast_networks import GkePodNetworkArgs
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.resources import KubernetesObject

API = "networking.gke.io"


class GkePodNetworksArgs(Args):
    """Arguments of `GkePodNetworks`."""

    subnetworks: list[GkePodNetworkArgs]
    """The subnetworks of fast networks."""

    @field_validator("subnetworks")
    @classmethod
    def _names_are_unique(cls, value: list[GkePodNetworkArgs]) -> list[GkePodNetworkArgs]:
        names = [network.name for network in value]
        check_unique(names, "this name is already used", "Choose another name.", field="name")
        return value


class GkePodNetworks(Component[GkePodNetworksArgs]):
    """A `Network` and a `GKENetworkParamSet` for each subnetwork of a fast network; pods refer to the `Network`.

    They are not in a namespace. The provider comes from ``opts``. Google's guides create them after the cluster and
    before the node pools, so pass this component to node pools as `depends_on`. GKE refuses to change either of them,
    so a change replaces them: https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods.
    """

    networks: pulumi.Output[list[str]]
    """The names of the networks."""

    def __init__(self, resource_name: str, args: GkePodNetworksArgs, opts: Options = None) -> None:
        shown = [{"name": network.name, "deviceMode": str(network.device_mode)} for network in args.subnetworks]
        super().__init__(resource_name, args, opts, inputs={"subnetworks": shown})
        self.networks = pulumi.Output.from_input([network.name for network in args.subnetworks])
        self.finish(*map(self._pod_network, args.subnetworks))

    def _pod_network(self, network: GkePodNetworkArgs) -> KubernetesObject:
        params = self._object(
            "GKENetworkParamSet",
            network.name,
            {"vpc": network.network_name, "vpcSubnet": network.subnetwork_name, "deviceMode": str(network.device_mode)},
        )
        # It is created after the object that it refers to, and so deleted before it.
        return self._object(
            "Network",
            network.name,
            {"type": "Device", "parametersRef": {"group": API, "kind": "GKENetworkParamSet", "name": network.name}},
            params,
        )

    def _object(self, kind: str, name: str, spec: dict[str, Any], *after: pulumi.Resource) -> KubernetesObject:
        metadata = {"name": name, "labels": {"app.kubernetes.io/managed-by": "pulumi-slurm"}}
        manifest = {"apiVersion": f"{API}/v1", "kind": kind, "metadata": metadata, "spec": spec}
        options: dict[str, Any] = {"replace_on_changes": ["spec"], "delete_before_replace": True}
        return self.create(f"{name}-{kind.lower()}", manifest, *after, **options)
