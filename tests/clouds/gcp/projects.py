"""APIs, service accounts and permissions of a project."""

from collections.abc import Iterator
from typing import ClassVar

from tests.clouds.gcp.google import (
    KEY_MEMBER,
    SERVICE,
    GoogleKind,
    existing_project,
    find,
    is_on,
    known_kind,
    new_project,
    number_of,
    project,
)
from tests.clouds.gcp.service_agents import refuse_unborn
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

SHARED_VPC = "gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject"
ACCOUNT = "gcp:serviceaccount/account:Account"


@known_kind
class Service(GoogleKind):
    token = SERVICE
    api = "serviceusage.googleapis.com"
    autonamed = False
    # One that is on stays on: google/services/resourcemanager/resource_google_project_service.go of the provider.
    adopts = leaves = True
    name_property = "service"
    permission = "serviceusage.services.enable"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{project(inputs, scope)}/{inputs['service']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        made = new_project(project(inputs, scope), scope)
        if made and not made.state.get("billingAccount"):
            raise CloudError(
                f"Error waiting for Enabling Service: failed on request preconditions: googleapi: Error 400: Billing "
                f"account for project '{made.state['number']}' is not found. Billing must be enabled for activation of "
                f"service(s) '{inputs['service']}' to proceed., failedPrecondition"
            )

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if state.get("disableOnDestroy") is True:
            users = [resource for resource in scope.cloud.all() if resource.token != self.token]
            if users and not state.get("disableDependentServices"):
                raise CloudError(
                    f"googleapi: Error 400: The service {resource.name} is depended on by active resources such as "
                    f"'{users[0].id}', failedPrecondition"
                )


@known_kind
class Account(GoogleKind):
    token = ACCOUNT
    api = "iam.googleapis.com"
    name_property = "accountId"
    longest_name = 28
    permission = "iam.serviceAccounts.create"

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        name = inputs["accountId"]
        if isinstance(name, str) and not (6 <= len(name) <= 30 and name[0].isalpha() and name == name.lower()):
            yield ("accountId",), f"{name!r} must be 6 to 30 lower-case letters, digits and dashes, a letter first"

    def identify(self, inputs: Values, scope: Scope) -> str:
        where = project(inputs, scope)
        return f"projects/{where}/serviceAccounts/{inputs['accountId']}@{where}.iam.gserviceaccount.com"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        name = self.identify(inputs, scope)
        email = name.rpartition("/")[2]
        number = old.state["uniqueId"] if old else f"1{scope.cloud.next_number():020d}"
        return {**state, "name": name, "email": email, "member": f"serviceAccount:{email}", "uniqueId": number}


class Member(GoogleKind):
    """One member in one role; the policy's other members are left alone."""

    on: ClassVar[str]
    """The input that says on what."""
    says_project: ClassVar[bool] = False
    """Whether its project is a property."""
    api = "iam.googleapis.com"
    autonamed = False
    # The policy then has the member already: google/tpgiamresource/resource_iam_member.go of the provider.
    adopts = True
    name_property = "member"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs[self.on]}/{inputs['role']}/{inputs['member']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        member = str(inputs["member"])
        where = scope.config.get("project") or inputs.get("project")
        if ".svc.id.goog" in member:
            self._need_pool(member, scope)
        elif member.startswith("serviceAccount:") and member.endswith(f"@{where}.iam.gserviceaccount.com"):
            email = member.removeprefix("serviceAccount:")
            if find(scope, ACCOUNT, email) is None:
                raise CloudError(f"googleapi: Error 400: Service account {email} does not exist., badRequest")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        if not self.says_project:
            del state["project"]
        return {**state, "etag": "BwYk2nXz8wA="}

    def _need_pool(self, member: str, scope: Scope) -> None:
        """A project's identity pool comes with the first cluster that uses Workload Identity."""
        pools = [
            str((cluster.state.get("workloadIdentityConfig") or {}).get("workloadPool"))
            for cluster in scope.cloud.all("gcp:container/cluster:Cluster")
        ]
        if not any(pool in member for pool in pools):
            pool = member.partition(".svc.id.goog")[0].rpartition(":")[2].rpartition("/")[2]
            raise CloudError(f"googleapi: Error 400: Identity Pool does not exist ({pool}.svc.id.goog)., badRequest")


@known_kind
class ProjectMember(Member):
    token = "gcp:projects/iAMMember:IAMMember"
    api = "cloudresourcemanager.googleapis.com"
    on = "project"
    says_project = True
    permission = "resourcemanager.projects.setIamPolicy"


@known_kind
class KeyMember(Member):
    """Who may use a key of Cloud KMS; keys themselves exist before."""

    token = KEY_MEMBER
    api = "cloudkms.googleapis.com"
    on = "cryptoKeyId"
    permission = "cloudkms.cryptoKeys.setIamPolicy"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        refuse_unborn(str(inputs["member"]), scope)


@known_kind
class SubnetworkMember(Member):
    """Who may use a subnetwork of another project."""

    token = "gcp:compute/subnetworkIAMMember:SubnetworkIAMMember"
    api = "compute.googleapis.com"
    on = "subnetwork"
    says_project = True
    permission = "compute.subnetworks.setIamPolicy"

    def identify(self, inputs: Values, scope: Scope) -> str:
        where = f"projects/{project(inputs, scope)}/regions/{inputs['region']}"
        return f"{where}/subnetworks/{inputs['subnetwork']}/{inputs['role']}/{inputs['member']}"


@known_kind
class AccountMember(Member):
    token = "gcp:serviceaccount/iAMMember:IAMMember"
    on = "serviceAccountId"
    permission = "iam.serviceAccounts.setIamPolicy"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if find(scope, ACCOUNT, str(inputs["serviceAccountId"])) is None:
            raise CloudError(f"googleapi: Error 404: Unknown service account {inputs['serviceAccountId']}, notFound")


def shared_vpc_problem(host: str, subnetwork: str, where: str, scope: Scope) -> str | None:
    """Return what Google's service agents of a project lack to use a subnetwork of another; None if it is nothing.

    Source: https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc#enabling_and_granting_roles.
    """
    if new_project(where, scope) and scope.cloud.get(SHARED_VPC, f"{host}/{where}") is None:
        return f"projects/{where} is not a service project of the Shared VPC host project projects/{host}"
    number = number_of(where, scope)
    gke = f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com"
    apis = f"serviceAccount:{number}@cloudservices.gserviceaccount.com"
    of_subnetwork = [grant.state for grant in scope.cloud.all(SubnetworkMember.token)]
    of_host = [grant.state for grant in scope.cloud.all(ProjectMember.token)]
    for member in (gke, apis):
        asked = {"subnetwork": subnetwork, "role": "roles/compute.networkUser", "member": member}
        if not any(asked.items() <= grant.items() for grant in of_subnetwork):
            return f"{member} lacks compute.subnetworks.use on projects/{host}/.../subnetworks/{subnetwork}"
    if not is_on("container.googleapis.com", host, scope):
        return f"projects/{host} has no service agent of GKE, which comes with container.googleapis.com"
    asked = {"project": host, "role": "roles/container.hostServiceAgentUser", "member": gke}
    if not any(asked.items() <= grant.items() for grant in of_host):
        return f"{gke} lacks container.hostServiceAgent.use on projects/{host}"
    return None


def get_project(arguments: Values, scope: Scope) -> Values:
    """Answer organizations.getProject."""
    where = existing_project({"project": arguments.get("projectId")}, scope)
    number = number_of(where, scope)
    return {"id": f"projects/{where}", "projectId": where, "number": number, "name": where, "labels": {}}
