"""GkeExistingCluster: a GKE cluster that exists, with a kubeconfig and a provider for it."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
from pydantic import field_validator

from pulumi_slurm.gke.arguments import GkeArgs, when_known
from pulumi_slurm.gke.dicts import GkeExistingClusterArgsDict
from pulumi_slurm.gke.existing.cluster import endpoint
from pulumi_slurm.gke.kubeconfig import context_name, kubeconfig
from pulumi_slurm.gke.kubernetes_provider import kubernetes_provider
from pulumi_slurm.gke.model import names
from pulumi_slurm.kube.component import Component, Options


class GkeExistingClusterArgs(GkeArgs):
    """Arguments of `GkeExistingCluster`."""

    location: pulumi.Input[str]
    """Its region, or its zone if its control plane runs in a single one."""
    name: pulumi.Input[str]
    """Its name."""
    application_default_login: bool = False
    """Let Kubernetes' clients use the application-default login, which Google's provider has, in place of gcloud's."""

    _location = field_validator("location")(when_known(names.region_or_zone))


class GkeExistingCluster(Component[GkeExistingClusterArgs]):
    """A GKE cluster that exists: it is read, and never changed or deleted.

    `GkeNodePool` adds pools to it. Its control plane is reached by its DNS name where that takes connections from
    outside, else by its IP address.

    Example::

        cluster = GkeExistingCluster("hpc", project="my-project", location="us-central1", name="shared")
    """

    name: pulumi.Output[str]
    """The cluster's name."""
    location: pulumi.Output[str]
    """Its region or zone."""
    endpoint: pulumi.Output[str]
    """The host name or the IP address of its control plane."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig as JSON text, for which gke-gcloud-auth-plugin has to be installed. It is a secret, though it
    contains neither a key nor a token."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeExistingClusterArgs | GkeExistingClusterArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeExistingClusterArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        answer = gcp.container.get_cluster_output(
            name=args.name, location=args.location, project=args.project, opts=pulumi.InvokeOutputOptions(parent=self)
        )
        reached = answer.apply(endpoint)
        context = pulumi.Output.all(args.project, args.location, args.name).apply(lambda parts: context_name(*parts))
        self.name = pulumi.Output.from_input(args.name)
        self.location = pulumi.Output.from_input(args.location)
        self.endpoint = reached.apply(lambda parts: parts[0])
        self.kubeconfig = pulumi.Output.secret(
            pulumi.Output.all(context, reached).apply(
                lambda parts: kubeconfig(parts[0], *parts[1], application_default=args.application_default_login)
            )
        )
        self._provider_of_objects = kubernetes_provider(
            f"{self._name}-kubernetes", self.kubeconfig, args.project, args.location, args.name, self.child()
        )
        self.finish(self._provider_of_objects)

    @property
    def provider(self) -> k8s.Provider:
        """The provider for what runs on the cluster. A rotated key updates its Secret in place."""
        return self._provider_of_objects
