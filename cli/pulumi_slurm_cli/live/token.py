"""The token by which slurmrestd knows who asks."""

import base64
import binascii
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

from pulumi_slurm.user_file import UnreadableFileError, read_file
from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.live.error import LiveClusterError
from pulumi_slurm_cli.live.proxy import ServiceAddress

VARIABLE = "SLURM_JWT"
"""The variable of the environment, and the key of the Secret, that have a token."""


def token_of_file(path: Path) -> str:
    """Return the token in a file, alone or as scontrol writes it: SLURM_JWT=eyJ...

    Raises:
        LiveClusterError: if there is none.
    """
    try:
        text = read_file(path).decode("utf-8")
    except UnreadableFileError as error:
        raise LiveClusterError(f"{error}. Name a file with a token.") from None
    except UnicodeDecodeError:
        raise LiveClusterError(f"{path}: it can't be read: it is not text. Name a file with a token.") from None
    return _checked(text, str(path))


def token_of_environment(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the token in the environment, None if there is none.

    Raises:
        LiveClusterError: if it is of no use.
    """
    text = environment.get(VARIABLE)
    return _checked(text, f"the variable {VARIABLE}") if text else None


def token_of_secret(secret: str, cluster: ServiceAddress) -> str:
    """Return the token in a Secret beside the Service, read with the user's own rights.

    Raises:
        LiveClusterError: if it can't be read, or has no token.
    """
    name = f"Secret {secret} in namespace {cluster.namespace}"
    try:
        encoded = cluster.kubectl.get("secret", secret, cluster.namespace)["data"][VARIABLE]
        return _checked(base64.b64decode(encoded).decode(), name)
    except KubectlError as error:
        raise LiveClusterError(f"{name}: it can't be read: {error}. {_INSTEAD}") from None
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LiveClusterError):
            raise
        raise LiveClusterError(f"{name}: it has no {VARIABLE}. {_INSTEAD}") from None


_INSTEAD = f"Name a file with a token, or set {VARIABLE}."


def _checked(text: str, name: str) -> str:
    """Return a token that hasn't expired; no message repeats it."""
    token = text.strip().removeprefix(f"{VARIABLE}=").strip()
    if len(token.split()) != 1 or not token.isascii():
        raise LiveClusterError(f"{name}: this is no token. Write what `scontrol token` prints.")
    expiry = claims(token).get("exp")
    if isinstance(expiry, int | float) and expiry <= time.time():
        at = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(expiry))
        raise LiveClusterError(f"{name}: the token expired at {at}. Take a new one, as by `scontrol token`.")
    return token


def claims(token: str) -> Mapping[str, object]:
    """Return what a token says of itself, nothing where it isn't a JSON web token; nobody has checked it."""
    part = f"{token}..".split(".")[1]
    try:
        payload = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (binascii.Error, ValueError):
        return {}
    return payload if isinstance(payload, dict) else {}
