"""GkeNewProject: a project, made in a folder or an organization."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.gke.arguments import GkeArgs
from pulumi_slurm.gke.dicts import GkeNewProjectArgsDict
from pulumi_slurm.gke.model import GkeNewProjectSpec, ProjectDeletionPolicy, names
from pulumi_slurm.kube.component import Component, Options, protection


class GkeNewProjectArgs(GkeArgs):
    """Arguments of `GkeNewProject`."""

    new_project: GkeNewProjectSpec
    """Where it is made, and what happens to it in the end."""
    labels: dict[str, str] = {}
    """Labels of all resources, for example for billing."""
    deletion_protection: bool = True
    """Make Pulumi refuse to delete the project, whatever its own policy."""

    _labels = field_validator("labels")(names.resource_labels)


class GkeNewProject(Component[GkeNewProjectArgs]):
    """A project. Everything in it comes after `GkeServices`, which comes after this: pass each as `depends_on`.

    Until it is there, requests are counted to the login's own project: the APIs cloudbilling, cloudresourcemanager, iam
    and serviceusage have to be on there. Google's provider deletes the network called default, with
    which a project begins, and with it rules that let everyone in by SSH and RDP; for that it switches Compute Engine
    on. Nothing here uses Compute Engine's default service account, which may edit the project unless a policy of the
    organization, iam.automaticIamGrantsForDefaultServiceAccounts, keeps it from that.

    Example::

        project = GkeNewProject(
            "hpc",
            project="my-hpc-prod",
            new_project={"folder": "folders/123456789", "billing_account": "0123AB-CDEF01-234567"},
        )
    """

    number: pulumi.Output[str]
    """Its number, by which Google names its service agents. Not known before it is there."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeNewProjectArgs | GkeNewProjectArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeNewProjectArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        wanted = self._args.new_project
        prevented = wanted.deletion_policy is ProjectDeletionPolicy.PREVENT
        project = gcp.organizations.Project(
            f"{self._name}-project",
            project_id=self._args.project,
            name=wanted.name or self._args.project,
            folder_id=wanted.folder and wanted.folder.removeprefix("folders/"),
            org_id=wanted.organization and wanted.organization.removeprefix("organizations/"),
            billing_account=wanted.billing_account,
            labels={**self._args.labels, **wanted.labels} or None,
            auto_create_network=False,
            deletion_policy=wanted.deletion_policy,
            # The provider alone would refuse at the very end of a destroy, when all else is gone.
            opts=self.child(protect=protection(prevented or self._args.deletion_protection)),
        )
        self.number = project.number
        self.finish(project)
