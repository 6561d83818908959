"""Whether the kubeconfig that a stack would use is there and knows the context.

The provider tells that too, but in words that name neither the setting nor a fix.
"""

import os
from pathlib import Path
from typing import Any

import yaml

from pulumi_slurm.errors import FieldError, nearest
from pulumi_slurm.user_file import UnreadableFileError, read_file

HOME = Path.home() / ".kube" / "config"


def is_a_path(kubeconfig: str | None) -> list[FieldError]:
    """Return an error where the configuration has a whole kubeconfig in place of its path."""
    if not kubeconfig or not (kubeconfig.lstrip().startswith("{") or "\n" in kubeconfig.strip()):
        return []
    problem = "this is the content of a kubeconfig, not its path"
    fix = "Write it into a file, and the path of that here."
    return [FieldError(("kubeconfig",), FieldError.ABSENT, problem, fix)]


def is_on_this_machine(kubeconfig: str | None, context: str | None) -> list[FieldError]:
    """Return what is wrong with the path and the context that the configuration gives, or the environment."""
    field = ("kubeconfig",)
    if kubeconfig:
        files, fix = {kubeconfig: Path(kubeconfig).expanduser()}, "Write the path of a kubeconfig."
    elif os.environ.get("KUBECONFIG"):
        files = {path: Path(path) for path in os.environ["KUBECONFIG"].split(os.pathsep) if path}
        fix = "Set KUBECONFIG, or write the path here."
    else:
        files, fix = {str(HOME): HOME}, "Set KUBECONFIG, or write the path here."
        if "KUBERNETES_SERVICE_HOST" in os.environ and not HOME.exists():
            return []  # In a pod, the provider uses the pod's ServiceAccount.
    # Errors show a path as it is written: as one of the system, an address with a password is none any more.
    there = {path: file for path, file in files.items() if file.is_file()}
    if not there:
        return [
            FieldError(
                field,
                next(iter(files), FieldError.ABSENT),
                "there is no such file, so no Kubernetes cluster to talk to",
                fix,
            )
        ]
    contexts: set[str] = set()
    for path, file in there.items():
        try:
            data: Any = yaml.safe_load(read_file(file).decode())
            contexts |= {item["name"] for item in data.get("contexts") or []}
        except (UnreadableFileError, UnicodeDecodeError, yaml.YAMLError, AttributeError, KeyError, TypeError):
            return [FieldError(field, path, "this file is not a kubeconfig", fix)]
    if context and context not in contexts:
        return [FieldError(("context",), context, "the kubeconfig has no such context", nearest(context, contexts))]
    return []
