"""GkeNodeAccount: the service account of nodes."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args

ROLES = (
    "logging.logWriter",
    "monitoring.metricWriter",
    "monitoring.viewer",
    "stackdriver.resourceMetadata.writer",
    "artifactregistry.reader",
    "storage.objectViewer",
    "serviceusage.serviceUsageConsumer",
)
"""What nodes may do: write logs and metrics, and pull images. Google's Cluster Toolkit gives its nodes all but the
last, which image streaming wants: https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements."""


class GkeNodeAccountArgs(Args):
    """Arguments of `GkeNodeAccount`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""


class GkeNodeAccount(Component[GkeNodeAccountArgs]):
    """A service account for nodes, in place of Compute Engine's default one, which may edit the whole project.

    Node pools take it by its e-mail address and come after the roles: give this component as `depends_on`. Pods don't
    get it, unless they run in the host's network: they have `GkeWorkloadIdentity`.
    """

    email: pulumi.Output[str]
    """The e-mail address, by which Google names the account."""

    def __init__(
        self, name: str, args: GkeNodeAccountArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeNodeAccountArgs, args)
        super().__init__(name, args, opts, inputs=inputs(args.spec, ("project", "name")))
        cluster = args.spec.cluster_name
        account = gcp.serviceaccount.Account(
            f"{name}-account",
            account_id=f"{cluster}-nodes",
            display_name=f"Nodes of the GKE cluster {cluster}",
            project=args.spec.project,
            opts=child_options(self, opts),
        )
        self._last = [
            # A member and nothing more: a binding would take the role away from everyone else in the project.
            gcp.projects.IAMMember(
                f"{name}-{role}",
                project=args.spec.project,
                role=f"roles/{role}",
                member=account.email.apply(lambda email: f"serviceAccount:{email}"),
                opts=child_options(self, opts, [account]),
            )
            for role in ROLES
        ]
        self.email = account.email
        self.finish(*self._last)
