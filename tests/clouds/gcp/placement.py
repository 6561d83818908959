"""Resource policies, which place machines close to each other."""

from tests.clouds.gcp.google import GoogleKind, known_kind, link, project, region
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values


@known_kind
class ResourcePolicy(GoogleKind):
    token = "gcp:compute/resourcePolicy:ResourcePolicy"
    permission = "compute.resourcePolicies.create"

    def identify(self, inputs: Values, scope: Scope) -> str:
        where = f"projects/{project(inputs, scope)}/regions/{region(inputs, scope)}"
        return f"{where}/resourcePolicies/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        path = self.identify(inputs, scope)
        return {**super().state(inputs, scope, old), "region": region(inputs, scope), "selfLink": link(path)}
