"""GkeServices: enabled Google APIs."""

import re
from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.errors import check_each, check_unique, field_error
from pulumi_slurm.gke.arguments import GkeArgs
from pulumi_slurm.kube.component import Component, Options

_DOMAIN = ".googleapis.com"
_SERVICE = re.compile(r"[a-z][a-z0-9-]*\.googleapis\.com")


class GkeServicesArgs(GkeArgs):
    """Arguments of `GkeServices`."""

    services: list[str]
    """The names of the APIs, such as container.googleapis.com; `pulumi_slurm.gke.plan.services.google_services` returns
    those that a specification needs."""

    @field_validator("services")
    @classmethod
    def _are_names(cls, value: list[str]) -> list[str]:
        check_each(value, _check_service)
        check_unique(value, "this API is named before", "Leave it out.")
        return value


class GkeServices(Component[GkeServicesArgs]):
    """Google APIs that are enabled in a project.

    They stay enabled when the stack is destroyed, because others in the project may use them. All other components come
    after them: pass this component as `depends_on`. Two APIs have to be enabled beforehand, since Pulumi itself calls
    them to enable others: serviceusage.googleapis.com, and cloudresourcemanager.googleapis.com, without which Google's
    provider cannot read the project (https://github.com/hashicorp/terraform-provider-google/issues/11435).
    """

    names: pulumi.Output[list[str]]
    """The names of the APIs, such as container.googleapis.com."""

    def __init__(self, resource_name: str, args: GkeServicesArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        services = [
            gcp.projects.Service(
                f"{self._name}-{service.removesuffix(_DOMAIN)}",
                project=self._args.project,
                service=service,
                disable_on_destroy=False,
                opts=self.child(),
            )
            for service in self._args.services
        ]
        self.names = pulumi.Output.from_input(self._args.services)
        self.finish(*services)


def _check_service(value: str) -> None:
    if not _SERVICE.fullmatch(value):
        raise field_error("this is not the name of an API", 'Write for example "container.googleapis.com".')
