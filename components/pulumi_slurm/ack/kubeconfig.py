"""The kubeconfig of an ACK cluster, with the certificate of the user who runs Pulumi."""

import json


def kubeconfig(name: str, server: str, authority: str, certificate: str, key: str) -> str:
    """Return a kubeconfig as JSON text.

    ``server`` is the URL of the control plane; ``authority``, ``certificate`` and ``key`` are PEM in base64, as ACK
    returns them. The text contains a key: keep it secret.
    """
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": server, "certificate-authority-data": authority}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
            "users": [{"name": name, "user": {"client-certificate-data": certificate, "client-key-data": key}}],
        }
    )
