"""Projects that are made, and the Shared VPC that one becomes part of.

Read from google/services/resourcemanager/resource_google_project.go and
google/services/compute/resource_compute_shared_vpc_service_project.go of the provider.
"""

import re
from collections.abc import Iterator

from tests.clouds.gcp.google import (
    NEW_PROJECT,
    PROJECT_NUMBER,
    PROJECTS,
    SERVICE,
    GoogleKind,
    disabled,
    existing_project,
    is_on,
    known_kind,
)
from tests.clouds.gcp.networks import NETWORK, Network
from tests.clouds.gcp.projects import SHARED_VPC
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

_COMPUTE = "compute.googleapis.com"


@known_kind
class Project(GoogleKind):
    """A project. It begins with no API on, and with a network called default unless that is deleted at once."""

    token = NEW_PROJECT
    api = "cloudresourcemanager.googleapis.com"
    autonamed = False
    name_property = "projectId"
    labels = "labels"
    defaults = {"autoCreateNetwork": True}
    values = {
        "deletionPolicy": "PREVENT ABANDON DELETE",
    }
    permission = "resourcemanager.projects.create"
    # Its folder, its billing account and its name change in place.

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        project_id, name = inputs.get("projectId"), inputs.get("name")
        if isinstance(project_id, str) and not re.fullmatch(r"[a-z][a-z0-9-]{4,28}[a-z0-9]", project_id):
            yield ("projectId",), f"{project_id!r} must be 6 to 30 lower-case letters, digits and dashes"
        if isinstance(name, str) and not re.fullmatch(r"[\w\-!\"' ]{4,30}", name):
            yield ("name",), f"{name!r} must be 4 to 30 characters"
        if inputs.get("orgId") and inputs.get("folderId"):
            yield ("folderId",), '"folder_id": conflicts with org_id'

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{inputs['projectId']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        # Of all that others are refused for there is nothing yet.
        if old is None and (inputs["projectId"] in PROJECTS or inputs["projectId"] in _deleted(scope)):
            raise CloudError(self.fail("exists", inputs, scope))

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        del state["project"]
        number = old.state["number"] if old else f"9{scope.cloud.next_number():011d}"
        return {"deletionPolicy": "PREVENT", **state, "number": number}

    def follow(self, resource: Stored, scope: Scope) -> None:
        """Make the network that a project begins with, or turn on what the provider needs to delete it."""
        if resource.hidden.get("begun"):
            return
        here = Scope(scope.cloud, {**scope.config, "project": resource.name})
        with scope.cloud.locked():
            if resource.state.get("autoCreateNetwork"):
                inputs = {"name": "default", "autoCreateSubnetworks": True, "project": resource.name}
                network = Network()
                state = network.state(inputs, here, None)
                scope.cloud.put(Stored(NETWORK, network.identify(inputs, here), "default", state))
            else:
                inputs = {"service": _COMPUTE, "project": resource.name}
                scope.cloud.put(Stored(SERVICE, f"{resource.name}/{_COMPUTE}", _COMPUTE, inputs))
            resource.hidden["begun"] = True
            scope.cloud.put(resource)

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Delete all that is in it, and keep its id from others."""
        with scope.cloud.locked():
            for other in [other for other in scope.cloud.all() if other.state.get("project") == resource.name]:
                scope.cloud.remove(other)
            scope.cloud.set(deletedProjects=[*_deleted(scope), resource.name])

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        project_id = inputs["projectId"]
        says = {
            "exists": "googleapi: Error 409: Requested entity already exists, alreadyExists",
            "permission": "googleapi: Error 403: The caller does not have permission, forbidden",
        }
        if fault in says:
            return (
                f"error creating project {project_id} ({inputs.get('name')}): {says[fault]}. If you received a 403 "
                "error, make sure you have the `roles/resourcemanager.projectCreator` permission"
            )
        if fault == "billing":
            return (
                "failed pre-requisites: missing permission on "
                f'"billingAccounts/{inputs.get("billingAccount")}": billing.resourceAssociations.create'
            )
        return super().fail(fault, inputs, scope)


@known_kind
class ServiceProject(GoogleKind):
    """A project that is made a service project of a Shared VPC's host project."""

    token = SHARED_VPC
    autonamed = False
    name_property = "serviceProject"
    permission = "compute.organizations.enableXpnResource"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['hostProject']}/{inputs['serviceProject']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        for name in ("hostProject", "serviceProject"):
            where = existing_project({"project": inputs[name]}, scope)
            if not is_on(_COMPUTE, where, scope):
                raise disabled(_COMPUTE, where)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        del state["project"]
        return state


def get_projects(arguments: Values, scope: Scope) -> Values:
    """Answer projects.getProject, which lists the projects with an id, those that are being deleted too."""
    wanted = str(arguments["filter"]).removeprefix("id:")
    states = dict.fromkeys(PROJECTS, ("ACTIVE", PROJECT_NUMBER))
    states |= dict.fromkeys(_deleted(scope), ("DELETE_REQUESTED", "0"))
    states |= {made.name: ("ACTIVE", made.state["number"]) for made in scope.cloud.all(NEW_PROJECT)}
    projects = [
        {
            "projectId": where,
            "lifecycleState": state,
            "number": number,
            "name": where,
            "createTime": "",
            "labels": {},
            "parent": {},
        }
        for where, (state, number) in states.items()
        # Words are enough for Google: https://cloud.google.com/resource-manager/reference/rest/v1/projects/list.
        if wanted in where
    ]
    return {"id": arguments["filter"], "filter": arguments["filter"], "projects": projects}


def _deleted(scope: Scope) -> list[str]:
    deleted: list[str] = scope.cloud.settings.get("deletedProjects", [])
    return deleted
