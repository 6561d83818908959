"""AckExistingCluster: an ACK cluster that exists, with a kubeconfig and a provider for it."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_kubernetes as k8s
from pulumi_alicloud import cs

from pulumi_slurm.ack.cluster import certificates_of
from pulumi_slurm.ack.dicts import AckExistingClusterArgsDict
from pulumi_slurm.ack.existing.cluster import endpoint
from pulumi_slurm.ack.kubeconfig import kubeconfig
from pulumi_slurm.errors import respelled
from pulumi_slurm.kube.component import Args, Component, Options


class AckExistingClusterArgs(Args):
    """Arguments of `AckExistingCluster`."""

    cluster_id: pulumi.Input[str]
    """Its id."""


class AckExistingCluster(Component[AckExistingClusterArgs]):
    """An ACK cluster that exists: it is read, and never changed or deleted.

    `AckNodePool` adds pools to it. Its control plane is reached by its address on the Internet if it has one, else by
    that in its VPC.

    Example::

        cluster = AckExistingCluster("hpc", cluster_id="c82e6987e2961451182edacd74faf1234")
    """

    cluster_id: pulumi.Output[str]
    """The cluster's id."""
    name: pulumi.Output[str]
    """The cluster's name."""
    endpoint: pulumi.Output[str]
    """The control plane's URL."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, with a certificate and a key of the user who runs Pulumi, valid for three years. It is
    a secret."""
    provider: k8s.Provider
    """The provider for objects in the cluster. A rotated key updates its Secret in place."""

    @overload
    def __init__(
        self, resource_name: str, args: AckExistingClusterArgs | AckExistingClusterArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckExistingClusterArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster_id = pulumi.Output.from_input(self._args.cluster_id)
        asked = pulumi.InvokeOutputOptions(parent=self)
        answer = cs.get_managed_kubernetes_clusters_output(
            ids=cluster_id.apply(lambda value: [value]), enable_details=True, opts=asked
        )
        credential = cs.get_cluster_credential_output(cluster_id=cluster_id, opts=asked)
        # The SDK doesn't mark them as secrets.
        certificates: pulumi.Output[list[str]] = pulumi.Output.secret(credential.apply(certificates_of))
        self.cluster_id = cluster_id
        self.name = credential.apply(lambda cluster: str(cluster.cluster_name))
        self.endpoint = answer.apply(_endpoint)
        self.kubeconfig = pulumi.Output.secret(
            pulumi.Output.all(self.name, self.endpoint, certificates).apply(
                lambda values: kubeconfig(values[0], values[1], *values[2])
            )
        )
        self.provider = k8s.Provider(
            f"{self._name}-kubernetes",
            kubeconfig=self.kubeconfig,
            # Otherwise the provider would regard a renewed certificate as another cluster, and recreate all objects.
            cluster_identifier=pulumi.Output.concat("alicloud/", cluster_id),
            enable_secret_mutable=True,
            enable_config_map_mutable=True,
            opts=self.child(),
        )
        self.finish(self.provider)


def _endpoint(answer: Any) -> str:
    endpoints = [
        endpoint(connections) for cluster in answer.clusters or [] for connections in cluster.connections or []
    ]
    if not endpoints or not endpoints[0]:
        problem = "clusterId: ACK has no managed cluster with this id, or its control plane has no address."
        raise pulumi.RunError(respelled(problem))
    return endpoints[0]
