"""GkeWorkloadIdentity: what pods may do at Google."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.model import BucketSpec
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.model import kubernetes_names


class GkeWorkloadIdentityArgs(Args):
    """Arguments of `GkeWorkloadIdentity`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""
    namespace: str
    """The namespace of the pods."""
    service_account: str
    """The Kubernetes ServiceAccount to make, which pods name as their `serviceAccountName`; for buckets it is
    `pulumi_slurm.gke.slurm_spec.storage_account(<Slurm cluster>)`."""
    buckets: dict[str, Any] = {}
    """The buckets that its pods mount, by the names in `spec.storage`: `bucket_name` of each `GkeSharedStorage` (str or
    Output)."""
    project_roles: list[str] = Field(default=[])
    """What its pods may do in the whole project, e.g. "roles/cloudsql.client"."""

    _names = field_validator("namespace", "service_account")(kubernetes_names.object_name)

    @field_validator("service_account")
    @classmethod
    def _is_one_of_its_own(cls, value: str) -> str:
        if value == "default":
            raise field_error(
                "Kubernetes makes this one in each namespace, and every pod without a ServiceAccount has it",
                "Give the pods a ServiceAccount of their own.",
            )
        return value

    @model_validator(mode="after")
    def _buckets_are_stated(self) -> Self:
        stated = {item.name for item in self.spec.storage if item.bucket}
        errors = [
            FieldError(
                ("buckets", key),
                FieldError.ABSENT,
                "no bucket of this name is among the storage",
                f"Write one of: {', '.join(sorted(stated))}." if stated else "State the bucket in spec.storage.",
            )
            for key in self.buckets
            if key not in stated
        ]
        if errors:
            raise field_errors(errors)
        return self


class GkeWorkloadIdentity(Component[GkeWorkloadIdentityArgs]):
    """A Kubernetes ServiceAccount, and what its pods may do at Google.

    The ServiceAccount is itself the member of IAM policies, without a service account of Google's between: nothing has
    to be impersonated, no annotation ties the two together, and none of the project's 100 service accounts is used.
    Its name is "serviceAccount:<project>.svc.id.goog[<namespace>/<name>]", one of the members that IAM's reference
    lists (https://cloud.google.com/iam/docs/reference/rest/v1/Policy#Binding). GKE's guides write the same identity as
    "principal://iam.googleapis.com/projects/<number>/...", which needs the project's number: a call to Google in each
    preview, which fails in a project whose APIs are still off. Not checked against a real project.

    ``opts`` takes both providers: ``ResourceOptions(providers=[google, kubernetes], depends_on=[cluster])``. Google
    refuses the members until the project's first GKE cluster with Workload Identity is there, so this comes after
    the cluster. Pods in the host's network act as their node instead.
    """

    member: pulumi.Output[str]
    """The ServiceAccount as IAM names it, for policies of your own."""
    service_account: pulumi.Output[str]
    """The name of the ServiceAccount."""

    def __init__(
        self, name: str, args: GkeWorkloadIdentityArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeWorkloadIdentityArgs, args)
        shown = {**inputs(args.spec, ("project",)), **inputs(args, ("namespace", "service_account", "project_roles"))}
        super().__init__(name, args, opts, inputs=shown)
        member = f"serviceAccount:{args.spec.project}.svc.id.goog[{args.namespace}/{args.service_account}]"
        account = k8s.core.v1.ServiceAccount(
            f"{name}-account",
            metadata={
                "name": args.service_account,
                "namespace": args.namespace,
                "labels": {"app.kubernetes.io/managed-by": "pulumi-slurm"},
                "annotations": {"pulumi.com/patchForce": "true"},
            },
            # Tokens for Google come from GKE's metadata server; these pods have no business with the API server.
            automount_service_account_token=False,
            opts=child_options(self, opts),
        )
        stated = {item.name: item.bucket for item in args.spec.storage if item.bucket}
        buckets = [
            gcp.storage.BucketIAMMember(
                f"{name}-{key}",
                bucket=bucket,
                role=_bucket_role(stated[key]),
                member=member,
                opts=child_options(self, opts),
            )
            for key, bucket in args.buckets.items()
        ]
        roles = [
            gcp.projects.IAMMember(
                f"{name}-{role.removeprefix('roles/')}",
                project=args.spec.project,
                role=role,
                member=member,
                opts=child_options(self, opts),
            )
            for role in args.project_roles
        ]
        self._last = [account, *buckets, *roles]
        self.member = pulumi.Output.from_input(member)
        self.service_account = account.metadata.apply(lambda metadata: str(metadata.name))
        self.finish(*self._last)


def _bucket_role(bucket: BucketSpec) -> str:
    """Return what Cloud Storage FUSE needs; see "Authenticate" in the guide of GKE's driver for it."""
    return "roles/storage.objectViewer" if bucket.read_only else "roles/storage.objectUser"
