"""What GKE does to pods with several networks: a limit of one of each network that they name.

A node offers the networks that it is on, so a pod whose node lacks one of them waits for ever. GKE advertises
networking.gke.io.networks/<name>, and the same with ".IP", and adds both to the first container by a webhook:
https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods. Here one of the two is
added, by a MutatingAdmissionPolicy. CEL reads no JSON, so names are found by their key.
"""

from devcluster.api import Api
from tests.clouds.simulator.wire import Values

RESOURCE = "networking.gke.io.networks/"
INTERFACES = "networking.gke.io/interfaces"
_NAME = "pod-networks.simulated-gke"
_API = "admissionregistration.k8s.io/v1beta1"
_NETWORKS = f"""\
object.metadata.annotations['{INTERFACES}'].findAll('"network": *"[^"]+"')
  .map(found, found.find('[^"]+"$').replace('"', '')).filter(name, name != 'default')
"""
_LIMITS = f"""\
(has(object.spec.containers[0].resources.limits) ? [] :
  [JSONPatch{{op: "add", path: "/spec/containers/0/resources/limits", value: {{}}}}]) +
(has(object.spec.containers[0].resources.requests) ? [] :
  [JSONPatch{{op: "add", path: "/spec/containers/0/resources/requests", value: {{}}}}]) +
variables.networks.map(name, JSONPatch{{
  op: "add",
  path: "/spec/containers/0/resources/limits/" + jsonpatch.escapeKey("{RESOURCE}" + name),
  value: "1"
}}) +
variables.networks.map(name, JSONPatch{{
  op: "add",
  path: "/spec/containers/0/resources/requests/" + jsonpatch.escapeKey("{RESOURCE}" + name),
  value: "1"
}})
"""


def resources(networks: list[str]) -> dict[str, str]:
    """Return what a node on these networks offers; pods don't share its interfaces."""
    return {f"{RESOURCE}{name}{suffix}": "1" for name in networks for suffix in ("", ".IP")}


def apply_admission(api: Api) -> None:
    """Let the API server do to pods what GKE's does."""
    for manifest in (_policy(), _binding()):
        api.apply(manifest)


def _policy() -> Values:
    pods = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}
    has_networks = f"has(object.metadata.annotations) && '{INTERFACES}' in object.metadata.annotations"
    return {
        "apiVersion": _API,
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": _NAME},
        "spec": {
            "failurePolicy": "Fail",
            "reinvocationPolicy": "Never",
            "matchConstraints": {"resourceRules": [pods]},
            "matchConditions": [{"name": "several-networks", "expression": has_networks}],
            "variables": [{"name": "networks", "expression": _NETWORKS}],
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": _LIMITS}}],
        },
    }


def _binding() -> Values:
    return {
        "apiVersion": _API,
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": _NAME},
        "spec": {"policyName": _NAME},
    }
