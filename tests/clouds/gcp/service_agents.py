"""Google's service agents, most of which are made when somebody asks for them.

Source: https://cloud.google.com/iam/docs/service-agents.
"""

from tests.clouds.gcp.google import PROJECT_NUMBER, GoogleKind, known_kind, project
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
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


@known_kind
class ServiceIdentity(GoogleKind):
    """A service agent that somebody has asked for."""

    token = "gcp:projects/serviceIdentity:ServiceIdentity"
    api = "serviceusage.googleapis.com"
    autonamed = False
    adopts = leaves = True
    name_property = "service"
    permission = "serviceusage.services.generateServiceIdentity"
    rules = Rules(replacing=("project", "service"), kept=("project",))

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
        email = f"service-{PROJECT_NUMBER}@{domains[0]}.iam.gserviceaccount.com" if domains else ""
        return {**super().state(inputs, scope, old), "email": email, "member": f"serviceAccount:{email}"}


def get_storage_agent(arguments: Values, scope: Scope) -> Values:
    """Answer storage.getProjectServiceAccount, which makes the agent."""
    scope.cloud.set(storageAgent=True)
    email = f"service-{PROJECT_NUMBER}@{_OF_STORAGE}.iam.gserviceaccount.com"
    return {
        "id": email,
        "emailAddress": email,
        "member": f"serviceAccount:{email}",
        "project": arguments.get("project"),
    }


def refuse_unborn(member: str, scope: Scope) -> None:
    """Refuse a policy with a service agent that nobody has asked for yet."""
    domain = member.partition("@")[2].removesuffix(".iam.gserviceaccount.com")
    api = _MADE_ON_DEMAND.get(domain)
    unborn = domain == _OF_STORAGE and not scope.cloud.settings.get("storageAgent")
    if unborn or (api and not any(identity.name == api for identity in scope.cloud.all(ServiceIdentity.token))):
        email = member.removeprefix("serviceAccount:")
        raise CloudError(f"googleapi: Error 400: Service account {email} does not exist., badRequest")
