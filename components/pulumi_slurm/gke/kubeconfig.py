"""How Kubernetes clients reach a GKE cluster, with the Google credentials of the caller."""

import json

_INSTALL_HINT = (
    "Install gke-gcloud-auth-plugin: "
    "https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-access-for-kubectl#install_plugin"
)


def context_name(project: str, location: str, cluster: str) -> str:
    """Return the name that `gcloud container clusters get-credentials` uses for a cluster's context."""
    return f"gke_{project}_{location}_{cluster}"


def kubeconfig(name: str, host: str, authority: str | None = None, *, application_default: bool = False) -> str:
    """Return a kubeconfig as JSON text.

    ``host`` is that of the control plane's DNS endpoint, "gke-...gke.goog", whose certificate comes from a public
    authority, or an IP address, with the certificate of its ``authority`` in base64. There are no keys or tokens: on
    each call, a client asks gke-gcloud-auth-plugin for a token: of gcloud's own login, or with ``application_default``
    of the application-default login, by a flag of cmd/gke-gcloud-auth-plugin/cred.go in
    https://github.com/kubernetes/cloud-provider-gcp.
    """
    cluster = {"server": f"https://{host}"}
    if authority:
        cluster["certificate-authority-data"] = authority
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": cluster}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
            "users": [
                {
                    "name": name,
                    "user": {
                        "exec": {
                            "apiVersion": "client.authentication.k8s.io/v1beta1",
                            "command": "gke-gcloud-auth-plugin",
                            **({"args": ["--use_application_default_credentials"]} if application_default else {}),
                            "installHint": _INSTALL_HINT,
                            "provideClusterInfo": True,
                        }
                    },
                }
            ],
        }
    )
