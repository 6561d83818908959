"""A cluster by kubectl, which knows each cloud's way to log in: what is in it, and programs in its pods."""

import contextlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi_slurm.user_error import UserError

_OPTIONS = ("--output=json", "--request-timeout=60s")
_INSTEAD = "Write what `kubectl get nodes -o json` prints there into a file, and name that."


class KubectlError(UserError):
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


@dataclass(frozen=True)
class Kubectl:
    """kubectl for one cluster: that of the current context by default."""

    context: str | None = None
    kubeconfig: Path | None = None

    def run(self, *arguments: str, given: bytes | Path = b"", into: Path | None = None) -> bytes:
        """Run a command and return what it prints, or write that into a file; ``given`` is its input.

        Raises:
            KubectlError: if there is no kubectl, or if it fails.
        """
        command = ["kubectl", *_options(self.context, self.kubeconfig), *arguments]
        with contextlib.ExitStack() as files:
            streams: dict[str, Any] = {"stdout": files.enter_context(into.open("wb")) if into else subprocess.PIPE}
            streams |= {"stdin": files.enter_context(given.open("rb"))} if isinstance(given, Path) else {"input": given}
            try:
                done = subprocess.run(command, stderr=subprocess.PIPE, check=True, **streams)
            except subprocess.CalledProcessError as error:
                said = error.stderr.decode(errors="replace").strip()
                raise KubectlError(f"kubectl: {said or f'it ended with {error.returncode}'}") from None
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise KubectlError(f"kubectl: it can't be started: {reason}. Install it") from None
        return done.stdout or b""

    def get(self, kind: str, name: str, namespace: str) -> dict[str, Any]:
        """Return an object.

        Raises:
            KubectlError: if there is none, too.
        """
        return dict(json.loads(self.run("get", kind, name, f"--namespace={namespace}", "--output=json")))

    def find(self, kind: str, name: str, namespace: str) -> dict[str, Any] | None:
        """Return an object, None where there is none."""
        found = self.run("get", kind, name, f"--namespace={namespace}", "--output=json", "--ignore-not-found")
        return dict(json.loads(found)) if found.strip() else None


def _options(context: str | None, kubeconfig: Path | None) -> list[str]:
    return [
        *([f"--context={context}"] if context else []),
        *([f"--kubeconfig={kubeconfig}"] if kubeconfig else []),
    ]


def _get(arguments: Sequence[str], context: str | None, kubeconfig: Path | None, what: str, instead: str) -> Any:
    command = ["kubectl", "get", *arguments, *_OPTIONS, *_options(context, kubeconfig)]
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
