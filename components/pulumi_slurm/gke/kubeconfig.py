"""How Kubernetes clients reach a GKE cluster: by its DNS name, with the Google credentials of the caller."""

import json

_INSTALL_HINT = (
    "Install gke-gcloud-auth-plugin: "
    "https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-access-for-kubectl#install_plugin"
)


def context_name(project: str, location: str, cluster: str) -> str:
    """Return the name that `gcloud container clusters get-credentials` uses for a cluster's context."""
    return f"gke_{project}_{location}_{cluster}"


def kubeconfig(name: str, dns_endpoint: str) -> str:
    """Return a kubeconfig as JSON text.

    ``dns_endpoint`` is the host of the control plane's DNS endpoint, "gke-...gke.goog". Its certificate comes from a
    public authority, so the kubeconfig needs none. It has no keys or tokens either: on each call, a client asks
    gke-gcloud-auth-plugin for a token of the logged-in user.
    """
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": f"https://{dns_endpoint}"}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
            "users": [
                {
                    "name": name,
                    "user": {
                        "exec": {
                            "apiVersion": "client.authentication.k8s.io/v1beta1",
                            "command": "gke-gcloud-auth-plugin",
                            "installHint": _INSTALL_HINT,
                            "provideClusterInfo": True,
                        }
                    },
                }
            ],
        }
    )
