"""GkeWorkloadIdentity: permissions of pods in Google Cloud."""

import re
from collections.abc import Iterator
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each, check_unique, field_error, raise_errors
from pulumi_slurm.gke.arguments import GkeArgs
from pulumi_slurm.gke.dicts import GkeWorkloadIdentityArgsDict
from pulumi_slurm.kube.component import Component, Options
from pulumi_slurm.kube.resources import create
from pulumi_slurm.model import kubernetes_names

READ_AND_WRITE = "roles/storage.objectUser"
READ = "roles/storage.objectViewer"
"""The roles that Cloud Storage FUSE needs; see "Authenticate" in the guide of GKE's driver for it."""

_ROLE = re.compile(r"(?:(?:projects/[a-z0-9.:-]+|organizations/[0-9]+)/)?roles/[A-Za-z0-9_.]+", re.ASCII)
"""The names of Google's roles, and of custom roles of a project or an organization; see
https://cloud.google.com/iam/docs/reference/rest/v1/organizations.roles#Role."""


class GkeWorkloadIdentityArgs(GkeArgs):
    """Arguments of `GkeWorkloadIdentity`."""

    namespace: str
    """The namespace of the pods."""
    service_account: str
    """The Kubernetes ServiceAccount to create, which pods use as their `serviceAccountName`; for buckets it is
    `pulumi_slurm.gke.plan.slurm_spec.storage_account(<Slurm cluster>)`."""
    buckets: dict[str, pulumi.Input[str]] = {}
    """The names of buckets that its pods read and write, `GkeSharedStorage.bucket_name` for example; the keys are
    suffixes of the names of resources."""
    read_only_buckets: dict[str, pulumi.Input[str]] = {}
    """The names of buckets that its pods only read."""
    project_roles: list[str] = []
    """The roles of its pods in the whole project, e.g. "roles/cloudsql.client"; the last part of a role is a suffix of
    the name of its resource."""

    _names = field_validator("namespace", "service_account")(kubernetes_names.object_name)

    @field_validator("service_account")
    @classmethod
    def _is_not_the_default(cls, value: str) -> str:
        if value == "default":
            raise field_error(
                "Kubernetes creates this one in every namespace, and every pod without a ServiceAccount has it",
                "Use another ServiceAccount for the pods.",
            )
        return value

    @field_validator("project_roles")
    @classmethod
    def _are_roles(cls, value: list[str]) -> list[str]:
        check_each(value, _role)
        check_unique(value, "this role is named before", "Leave it out.")
        raise_errors(_repeated_ids(value))
        return value

    @model_validator(mode="after")
    def _buckets_are_named_once(self) -> Self:
        raise_errors(self._repeated_keys())
        return self

    def _repeated_keys(self) -> Iterator[FieldError]:
        for key in self.read_only_buckets:
            if key in self.buckets:
                problem = "its pods read and write a bucket with this key already"
                yield FieldError(("read_only_buckets", key), FieldError.ABSENT, problem, "Keep one of them.")


def _role(text: str) -> None:
    if not _ROLE.fullmatch(text):
        raise field_error(
            "this is not the full name of a role",
            'Write for example "roles/cloudsql.client", or "projects/P/roles/R" for a custom role.',
        )


def _role_id(role: str) -> str:
    return role.rpartition("/")[2]


def _repeated_ids(roles: list[str]) -> Iterator[FieldError]:
    ids = [_role_id(role) for role in roles]
    for index, role in enumerate(roles):
        if ids[index] in ids[:index]:
            problem = f"another role ends in {ids[index]} too, and their resources would have the same name"
            yield FieldError((index,), role, problem, "Give one of them to the pods by another component or policy.")


class GkeWorkloadIdentity(Component[GkeWorkloadIdentityArgs]):
    """A Kubernetes ServiceAccount, and the permissions of its pods in Google Cloud.

    The ServiceAccount is itself the member of IAM policies, without a service account of Google Cloud: there is no
    impersonation and no annotation, and none of the project's 100 service accounts is used. Its name in IAM is
    "serviceAccount:<project>.svc.id.goog[<namespace>/<name>]", one of the members in IAM's reference
    (https://cloud.google.com/iam/docs/reference/rest/v1/Policy#Binding). GKE's guides write the same identity as
    "principal://iam.googleapis.com/projects/<number>/...", which needs the project's number: a call to Google in every
    preview, which fails in a project whose APIs are still disabled.

    ``opts`` needs both providers: ``ResourceOptions(providers=[google, kubernetes], depends_on=[cluster])``. Google
    refuses the members until the project has a GKE cluster with Workload Identity, so this depends on the cluster. Pods
    in the host's network use the identity of their node instead.

    Example::

        GkeWorkloadIdentity(
            "hpc-storage",
            {
                "project": "my-project",
                "namespace": "slurm",
                "service_account": "hpc-storage",
                "buckets": {"data": storage.bucket_name},
            },
            pulumi.ResourceOptions(providers=[google, kubernetes], depends_on=[cluster]),
        )
    """

    member: pulumi.Output[str]
    """The name of the ServiceAccount in IAM, for other policies."""
    service_account: pulumi.Output[str]
    """The name of the ServiceAccount."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeWorkloadIdentityArgs | GkeWorkloadIdentityArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeWorkloadIdentityArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        member = pulumi.Output.concat(
            "serviceAccount:", args.project, f".svc.id.goog[{args.namespace}/{args.service_account}]"
        )
        # Tokens for Google come from GKE's metadata server; these pods need no token for the API server.
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
        account = create(f"{self._name}-account", service_account, self.child())
        buckets = [
            gcp.storage.BucketIAMMember(
                f"{self._name}-{key}", bucket=bucket, role=role, member=member, opts=self.child()
            )
            for role, role_buckets in ((READ_AND_WRITE, args.buckets), (READ, args.read_only_buckets))
            for key, bucket in role_buckets.items()
        ]
        roles = [
            gcp.projects.IAMMember(
                f"{self._name}-{_role_id(role)}",
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
