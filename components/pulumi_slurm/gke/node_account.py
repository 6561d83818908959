"""GkeNodeAccount: the service account of nodes."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.gke.arguments import GkeArgs, cluster_name, when_known
from pulumi_slurm.gke.dicts import GkeNodeAccountArgsDict
from pulumi_slurm.kube.component import Component, Options

ROLES = (
    "container.defaultNodeServiceAccount",
    "logging.logWriter",
    "monitoring.metricWriter",
    "monitoring.viewer",
    "stackdriver.resourceMetadata.writer",
    "artifactregistry.reader",
    "serviceusage.serviceUsageConsumer",
)
"""The roles of nodes: to write logs and metrics, and to pull images; as in sa.tf of
https://github.com/terraform-google-modules/terraform-google-kubernetes-engine, where only registries of the old
Container Registry add storage.objectViewer, with which nodes could read every bucket of the project. The last one is
for image streaming: https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements."""


class GkeNodeAccountArgs(GkeArgs):
    """Arguments of `GkeNodeAccount`."""

    gke_cluster: pulumi.Input[str]
    """The name of the GKE cluster; the account's id is <gke_cluster>-nodes."""

    _gke_cluster = field_validator("gke_cluster")(when_known(cluster_name))


class GkeNodeAccount(Component[GkeNodeAccountArgs]):
    """A service account for nodes, instead of Compute Engine's default one, which may edit the whole project.

    Node pools refer to it by its e-mail address and are created after the roles: pass this component as `depends_on`.
    Pods don't use it, unless they run in the host's network; for pods there is `GkeWorkloadIdentity`.

    Example::

        account = GkeNodeAccount("hpc", {"project": "my-project", "gke_cluster": "hpc"})
    """

    email: pulumi.Output[str]
    """The e-mail address that identifies the account."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeNodeAccountArgs | GkeNodeAccountArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeNodeAccountArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        project, cluster = self._args.project, self._args.gke_cluster
        account = gcp.serviceaccount.Account(
            f"{self._name}-account",
            account_id=pulumi.Output.concat(cluster, "-nodes"),
            display_name=pulumi.Output.concat("Nodes of the GKE cluster ", cluster),
            project=project,
            opts=self.child(),
        )
        roles = [
            # A member, because a binding would take the role away from all other members in the project.
            gcp.projects.IAMMember(
                f"{self._name}-{role}",
                project=project,
                role=f"roles/{role}",
                member=account.email.apply(lambda email: f"serviceAccount:{email}"),
                opts=self.child(account),
            )
            for role in ROLES
        ]
        self.email = account.email
        self.finish(*roles)
