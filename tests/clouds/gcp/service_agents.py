"""Google's service agents, most of which are made when somebody asks for them.

Source: https://cloud.google.com/iam/docs/service-agents.
"""

from tests.clouds.gcp.google import PROJECT_NUMBER, GoogleKind, known_kind, project
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

_MADE_ON_DEMAND = {
    "gcp-sa-artifactregistry": "artifactregistry.googleapis.com",
    "cloud-filer": "file.googleapis.com",
    "gcp-sa-lustre": "lustre.googleapis.com",
    "gcp-sa-cloud-sql": "sqladmin.googleapis.com",
    "gs-project-accounts": "storage.googleapis.com",
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

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/services/{inputs['service']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        domains = [domain for domain, api in _MADE_ON_DEMAND.items() if api == inputs["service"]]
        email = f"service-{PROJECT_NUMBER}@{domains[0]}.iam.gserviceaccount.com" if domains else ""
        return {**super().state(inputs, scope, old), "email": email, "member": f"serviceAccount:{email}"}


def refuse_unborn(member: str, scope: Scope) -> None:
    """Refuse a policy with a service agent that nobody has asked for yet."""
    domain = member.partition("@")[2].removesuffix(".iam.gserviceaccount.com")
    api = _MADE_ON_DEMAND.get(domain)
    if api and not any(identity.name == api for identity in scope.cloud.all(ServiceIdentity.token)):
        email = member.removeprefix("serviceAccount:")
        raise CloudError(f"googleapi: Error 400: Service account {email} does not exist., badRequest")
