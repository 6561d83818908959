"""A stack's file, Pulumi.<stack>.yaml, read without an engine: its settings, and where each stands."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pulumi_slurm.errors import Path, field_text
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.engine_yaml import Document, EngineYamlError, Place, as_text, has_encrypted, is_encrypted, read

PREFIX = "slurm:"


@dataclass(frozen=True)
class StackFile:
    """The settings in a file, as those of a stack that runs; what is encrypted stays so."""

    document: Document

    @classmethod
    def of(cls, text: str) -> "StackFile":
        """Return the file with a text.

        Raises:
            EngineYamlError: if the engine can't read it, or it is no stack's file.
        """
        document = read(text)
        value = {} if document.value is None else document.value
        config = value.get("config") if isinstance(value, dict) else value
        if not isinstance(value, dict) or not (config is None or isinstance(config, dict)):
            raise EngineYamlError("this is no stack's file: write config: and below it slurm:cluster and so on", None)
        return cls(document)

    @cached_property
    def _settings(self) -> dict[str, Any]:
        config = (self.document.value or {}).get("config") or {}
        return {key.removeprefix(PREFIX): value for key, value in config.items() if key.startswith(PREFIX)}

    def written(self) -> Collection[str]:
        """Return the keys that are written below ``slurm:``."""
        return self._settings

    def of_other_packages(self) -> dict[str, str]:
        """Return the texts of all other settings, by whole keys; `SECRET` is in place of what is encrypted."""
        config = (self.document.value or {}).get("config") or {}
        others = {key: value for key, value in config.items() if not key.startswith(PREFIX)}
        return {key: SECRET if has_encrypted(value) else _text(value) for key, value in others.items()}

    def get(self, key: str) -> str | None:
        """Return a key's text, as the engine would hand it over; None without one, or if it is encrypted."""
        return None if key not in self._settings or self.is_unreadable(key) else _text(self._settings[key])

    def is_encrypted(self, key: str) -> bool:
        """Return whether a key stands encrypted in the file."""
        return is_encrypted(self._settings.get(key))

    def is_unreadable(self, key: str) -> bool:
        """Return whether a key, or a part of it, is encrypted, or may come from an environment of Pulumi ESC."""
        if key not in self._settings:
            return "environment" in (self.document.value or {})
        return has_encrypted(self._settings[key])

    def place(self, path: Path) -> Place:
        """Return where a field stands; that of the nearest one around it if it is missing."""
        return self.document.nearest(("config", *path), field_text)


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value)
    return "" if value is None else as_text(value)
