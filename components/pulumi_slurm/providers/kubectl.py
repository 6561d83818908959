"""The nodes of a cluster, by kubectl, which knows each cloud's way to log in."""

import json
import subprocess
from pathlib import Path
from typing import Any

_COMMAND = ("kubectl", "get", "nodes", "--output=json", "--request-timeout=60s")
_INSTEAD = "Write what `kubectl get nodes -o json` prints there into a file, and name that."


class KubectlError(ValueError):
    """kubectl couldn't say what nodes there are; ``str(error)`` is for people."""


def nodes_of_cluster(context: str | None, kubeconfig: Path | None) -> Any:
    """Return the List of nodes in a cluster: that of the current context by default.

    Raises:
        KubectlError: if there is no kubectl, or if it fails.
    """
    options = [f"--context={context}"] if context else []
    options += [f"--kubeconfig={kubeconfig}"] if kubeconfig else []
    try:
        done = subprocess.run(
            [*_COMMAND, *options], capture_output=True, encoding="utf-8", errors="replace", check=True
        )
        return json.loads(done.stdout)
    except subprocess.CalledProcessError as error:
        raise KubectlError(f"kubectl: {error.stderr.strip() or f'it ended with {error.returncode}'}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise KubectlError(
            f"kubectl: it can't be started: {reason}. Install it, or ask where it is. {_INSTEAD}"
        ) from None
    except ValueError:
        raise KubectlError(f"kubectl: it printed something else than nodes. {_INSTEAD}") from None
