"""Google's service agents, most of which are made when somebody asks for them.

Source: https://cloud.google.com/iam/docs/service-agents.
"""

from tests.clouds.gcp.google import (
    NEW_PROJECT,
    GoogleKind,
    asked_project,
    is_on,
    known_kind,
    number_of,
    project,
)
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

_OF_STORAGE = "gs-project-accounts"
"""That of Cloud Storage is made for whoever asks for its address: no other request makes it,
https://github.com/hashicorp/terraform-provider-google/issues/9730."""
_MADE_ON_DEMAND = {
    "gcp-sa-artifactregistry": "artifactregistry.googleapis.com",
    "cloud-filer": "file.googleapis.com",
    "gcp-sa-lustre": "lustre.googleapis.com",
    "gcp-sa-cloud-sql": "sqladmin.googleapis.com",
}
_MADE_WITH_THEIR_API = {
    "container-engine-robot": "container.googleapis.com",
    "compute-system": "compute.googleapis.com",
}


@known_kind
class ServiceIdentity(GoogleKind):
    """A service agent that somebody has asked for."""

    token = "gcp:projects/serviceIdentity:ServiceIdentity"
    api = "serviceusage.googleapis.com"
    autonamed = False
    adopts = leaves = True
    name_property = "service"
    permission = "serviceusage.services.generateServiceIdentity"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if inputs["service"] not in _MADE_ON_DEMAND.values():
            raise CloudError(
                f"googleapi: Error 400: Service {inputs['service']} has no identity to generate., badRequest"
            )

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/services/{inputs['service']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        domains = [domain for domain, api in _MADE_ON_DEMAND.items() if api == inputs["service"]]
        number = number_of(project(inputs, scope), scope)
        email = f"service-{number}@{domains[0]}.iam.gserviceaccount.com" if domains else ""
        return {**super().state(inputs, scope, old), "email": email, "member": f"serviceAccount:{email}"}


def get_storage_agent(arguments: Values, scope: Scope) -> Values:
    """Answer storage.getProjectServiceAccount, which makes the agent."""
    number = number_of(asked_project(arguments, scope, "storage.googleapis.com"), scope)
    email = f"service-{number}@{_OF_STORAGE}.iam.gserviceaccount.com"
    scope.cloud.set(storageAgents=[*scope.cloud.settings.get("storageAgents", []), email])
    return {
        "id": email,
        "emailAddress": email,
        "member": f"serviceAccount:{email}",
        "project": arguments.get("project"),
    }


def refuse_unborn(member: str, scope: Scope) -> None:
    """Refuse a policy with a service agent that nobody has asked for yet."""
    email = member.removeprefix("serviceAccount:")
    name, _, host = email.partition("@")
    domain = host.removesuffix(".iam.gserviceaccount.com")
    if domain in _MADE_ON_DEMAND:
        born = any(identity.state["email"] == email for identity in scope.cloud.all(ServiceIdentity.token))
    elif domain == _OF_STORAGE:
        born = email in scope.cloud.settings.get("storageAgents", [])
    else:
        number, api = name.removeprefix("service-"), _MADE_WITH_THEIR_API.get(domain)
        made_here = [made.name for made in scope.cloud.all(NEW_PROJECT) if made.state["number"] == number]
        born = all(api is None or is_on(api, where, scope) for where in made_here)
    if not born:
        raise CloudError(f"googleapi: Error 400: Service account {email} does not exist., badRequest")
