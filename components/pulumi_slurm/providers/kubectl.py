"""What is in a cluster, by kubectl, which knows each cloud's way to log in."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_OPTIONS = ("--output=json", "--request-timeout=60s")
_INSTEAD = "Write what `kubectl get nodes -o json` prints there into a file, and name that."


class KubectlError(ValueError):
    """kubectl couldn't say what there is; ``str(error)`` is for people."""


def nodes_of_cluster(context: str | None, kubeconfig: Path | None) -> Any:
    """Return the List of nodes in a cluster: that of the current context by default.

    Raises:
        KubectlError: if there is no kubectl, or if it fails.
    """
    return _get(("nodes",), context, kubeconfig, "nodes", _INSTEAD)


def objects_of_namespace(
    kinds: Sequence[str],
    namespace: str,
    *,
    context: str | None,
    kubeconfig: Path | None,
    instead: str,
    selector: str | None = None,
) -> Any:
    """Return the List of a namespace's objects of these kinds; ``instead`` says what to do without kubectl.

    Raises:
        KubectlError: if there is no kubectl, or if it fails.
    """
    arguments = [",".join(kinds), f"--namespace={namespace}", "--show-managed-fields"]
    arguments += [f"--selector={selector}"] if selector else []
    return _get(arguments, context, kubeconfig, "objects", instead)


def _get(arguments: Sequence[str], context: str | None, kubeconfig: Path | None, what: str, instead: str) -> Any:
    options = [f"--context={context}"] if context else []
    options += [f"--kubeconfig={kubeconfig}"] if kubeconfig else []
    command = ["kubectl", "get", *arguments, *_OPTIONS, *options]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=True)
        return json.loads(done.stdout)
    except subprocess.CalledProcessError as error:
        raise KubectlError(f"kubectl: {error.stderr.strip() or f'it ended with {error.returncode}'}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise KubectlError(
            f"kubectl: it can't be started: {reason}. Install it, or ask where it is. {instead}"
        ) from None
    except ValueError:
        raise KubectlError(f"kubectl: it printed something else than {what}. {instead}") from None
