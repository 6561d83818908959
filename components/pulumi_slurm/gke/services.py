"""GkeServices: the Google APIs that a specification needs, switched on."""

from collections.abc import Iterator, Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.model.control_plane import ClusterDns
from pulumi_slurm.gke.plan.address_needs import uses_private_services
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args


class GkeServicesArgs(Args):
    """Arguments of `GkeServices`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""


class GkeServices(Component[GkeServicesArgs]):
    """The Google APIs that a GKE cluster needs; none where `enableServices` is false.

    They stay on when the stack goes, because others in the project may use them. All else comes after them: give this
    component as `depends_on`. Two APIs have to be on already, since Pulumi itself calls them to switch on others:
    serviceusage.googleapis.com, and cloudresourcemanager.googleapis.com, without which Google's provider cannot look at
    the project (https://github.com/hashicorp/terraform-provider-google/issues/11435).
    """

    services: list[pulumi.Resource]
    """The APIs as resources."""
    names: pulumi.Output[list[str]]
    """The names of the APIs, such as container.googleapis.com."""

    def __init__(
        self, name: str, args: GkeServicesArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeServicesArgs, args)
        super().__init__(name, args, opts, inputs=inputs(args.spec, ("project", "enable_services")))
        apis = list(_needed(args.spec)) if args.spec.enable_services else []
        self.services = [
            gcp.projects.Service(
                f"{name}-{api}",
                project=args.spec.project,
                service=f"{api}.googleapis.com",
                disable_on_destroy=False,
                opts=child_options(self, opts),
            )
            for api in apis
        ]
        self._last = self.services
        self.names = pulumi.Output.from_input([f"{api}.googleapis.com" for api in apis])
        self.finish(*self._last)


def _needed(spec: GkeSpec) -> Iterator[str]:
    """Yield the first part of the name of each API."""
    # The third is what image streaming wants, which the system pool always has:
    # https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements.
    yield from ("compute", "container", "containerfilesystem", "cloudresourcemanager", "iam", "logging", "monitoring")
    if spec.control_plane.dns is ClusterDns.CLOUD_DNS:
        yield "dns"
    if spec.control_plane.secrets_encryption_key:
        yield "cloudkms"
    if spec.network.ssh_from_iap:
        yield "iap"
    if spec.registry:
        yield "artifactregistry"
    if any(item.filestore for item in spec.storage):
        yield "file"
    if any(item.lustre for item in spec.storage):
        yield "lustre"
    if any(item.bucket for item in spec.storage):
        # Pods get their tokens for buckets from the second.
        yield from ("storage", "iamcredentials")
    if spec.database:
        yield "sqladmin"
    if uses_private_services(spec):
        yield "servicenetworking"
