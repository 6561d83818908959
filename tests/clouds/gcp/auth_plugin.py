"""What runs as gke-gcloud-auth-plugin: it prints the client certificate of the API server that stands in for GKE's.

The real one prints a token of whoever is logged in. Clients take either in the same form.
"""

import base64
import json
import os
import sys
from pathlib import Path


def main() -> None:
    """Print an ExecCredential."""
    user = json.loads(Path(os.environ["SIMULATED_KUBECONFIG"]).read_text())["users"][0]["user"]
    status = {
        "clientCertificateData": base64.b64decode(user["client-certificate-data"]).decode(),
        "clientKeyData": base64.b64decode(user["client-key-data"]).decode(),
    }
    version = "client.authentication.k8s.io/v1beta1"
    json.dump({"apiVersion": version, "kind": "ExecCredential", "status": status}, sys.stdout)


if __name__ == "__main__":
    main()
