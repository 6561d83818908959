"""GkeWorkloadIdentity: what pods may do at Google."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, raise_errors
from pulumi_slurm.gke.arguments import GkeArgs
from pulumi_slurm.kube.component import Component
from pulumi_slurm.kube.resources import create
from pulumi_slurm.model import kubernetes_names

_READ_AND_WRITE = "roles/storage.objectUser"
_READ = "roles/storage.objectViewer"
"""What Cloud Storage FUSE needs; see "Authenticate" in the guide of GKE's driver for it."""


class GkeWorkloadIdentityArgs(GkeArgs):
    """Arguments of `GkeWorkloadIdentity`."""

    namespace: str
    """The namespace of the pods."""
    service_account: str
    """The Kubernetes ServiceAccount to make, which pods name as their `serviceAccountName`; for buckets it is
    `pulumi_slurm.gke.plan.slurm_spec.storage_account(<Slurm cluster>)`."""
    buckets: dict[str, pulumi.Input[str]] = {}
    """The names of buckets that its pods read and write, `GkeSharedStorage.bucket_name` for example; the keys are ends
    of names of resources."""
    read_only_buckets: dict[str, pulumi.Input[str]] = {}
    """The names of buckets that its pods only read."""
    project_roles: list[str] = []
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
    def _buckets_are_named_once(self) -> Self:
        raise_errors(self._keys_in_both())
        return self

    def _keys_in_both(self) -> Iterator[FieldError]:
        for key in self.read_only_buckets:
            if key in self.buckets:
                problem = "its pods read and write a bucket of this key already"
                yield FieldError(("read_only_buckets", key), FieldError.ABSENT, problem, "Keep one of them.")


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

    Example::

        GkeWorkloadIdentity(
            "hpc-storage",
            {
                "project": "my-project",
                "namespace": "slurm",
                "service_account": "hpc-storage",
                "buckets": {"data": storage.bucket_name},
            },
            pulumi.ResourceOptions(providers=[google, kubernetes], depends_on=after_all(cluster)),
        )
    """

    member: pulumi.Output[str]
    """The ServiceAccount as IAM names it, for policies of your own."""
    service_account: pulumi.Output[str]
    """The name of the ServiceAccount."""

    def __init__(
        self, name: str, args: GkeWorkloadIdentityArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        args = self._args
        member = pulumi.Output.concat(
            "serviceAccount:", args.project, f".svc.id.goog[{args.namespace}/{args.service_account}]"
        )
        # Tokens for Google come from GKE's metadata server; these pods have no business with the API server.
        service_account = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {
                "name": args.service_account,
                "namespace": args.namespace,
                "labels": {"app.kubernetes.io/managed-by": "pulumi-slurm"},
            },
            "automountServiceAccountToken": False,
        }
        account = create(f"{name}-account", service_account, self.child())
        buckets = [
            gcp.storage.BucketIAMMember(f"{name}-{key}", bucket=bucket, role=role, member=member, opts=self.child())
            for role, granted in ((_READ_AND_WRITE, args.buckets), (_READ, args.read_only_buckets))
            for key, bucket in granted.items()
        ]
        roles = [
            gcp.projects.IAMMember(
                f"{name}-{role.removeprefix('roles/')}",
                project=args.project,
                role=role,
                member=member,
                opts=self.child(),
            )
            for role in args.project_roles
        ]
        self.member = member
        self.service_account = account.metadata.apply(lambda metadata: str(metadata["name"]))
        self.finish(account, *buckets, *roles)
