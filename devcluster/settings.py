"""A stack's settings file in the state folder: the checkout's Pulumi.<stack>.yaml plus what Pulumi adds to it.

Pulumi writes the encryption salt and secret values into the settings file that it uses. The one in the checkout is
committed and must stay as it is, so the engine gets a copy, made anew before each run; only the salt and the secrets
are kept from the last copy. A person who has put them into the own file keeps those.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from devcluster.errors import DevclusterError

ROOT_KEY = "slurm:rootKey"
SALT = "encryptionsalt"


def read(file: Path) -> dict[str, Any]:
    """Return a settings file's content; a missing one is empty."""
    try:
        content = yaml.safe_load(file.read_text()) or {}
    except FileNotFoundError:
        return {}
    except yaml.YAMLError as error:
        raise DevclusterError(f"{file} is not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict) or not isinstance(content.get("config") or {}, dict):
        raise DevclusterError(f"{file} is not a Pulumi settings file: it needs `config:` with `slurm:…` keys below")
    return content


def merge(settings: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """Return the person's settings with salt and secrets from the last copy where they have none themselves."""
    secrets = {key: value for key, value in (kept.get("config") or {}).items() if _secret(value)}
    if SALT in settings and settings[SALT] != kept.get(SALT):
        secrets = {}  # Nothing could decrypt them any more.
    merged = {**settings, "config": {**secrets, **(settings.get("config") or {})}}
    if SALT not in merged and SALT in kept:
        merged[SALT] = kept[SALT]
    return merged


def _secret(value: Any) -> bool:
    """Return whether a value is one that `pulumi config set --secret` has written."""
    return isinstance(value, dict) and value.keys() == {"secure"}


def refresh(source: Path, copy: Path) -> dict[str, Any]:
    """Write the copy for the next run and return what is in it."""
    kept = read(copy)
    merged = merge(read(source), kept)
    if merged != kept:
        temporary = copy.with_suffix(".tmp")
        # JSON is YAML, and keeps every text a text.
        temporary.write_text(json.dumps(merged, indent=1))
        temporary.chmod(0o600)
        temporary.rename(copy)
    return merged


def kind(file: Path, stack: str) -> str:
    """Return the `slurm:kind` of a stack."""
    if stack == "local":
        return "local"
    if not file.exists():
        raise DevclusterError(f"there is no {file.name}: copy Pulumi.kubernetes.yaml to that name, or use STACK=local")
    return str((read(file).get("config") or {}).get("slurm:kind", stack))
