"""A stack's settings, or another file of YAML or JSON, as commands read them."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.providers import Provider, on_provider
from pulumi_slurm.user_file import MAX_BYTES
from pulumi_slurm_cli import engine_yaml
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.engine_yaml import EngineYamlError
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import Source

KINDS_WITH_POOLS = (None, "local", "kubernetes")
"""Of stacks of these kinds, the settings have the pools."""
OUTPUT = "Write `pulumi stack output outside --json` into a file, and name that."
SETTINGS = f"Name a Pulumi.<stack>.yaml. {OUTPUT}"


def read_config(path: Path, fix: str = "") -> dict[str, Any]:
    """Return what a stack's settings or an output have, by key; ``fix`` says what to name in place of another file."""
    data = read_data(path, fix or SETTINGS)
    config = data.get("config", data) if isinstance(data, dict) else {}
    return config if isinstance(config, dict) else {}


def specification(config: Mapping[str, Any], name: str) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the cluster of a stack's settings, and its pools; errors have the paths of the settings."""
    cluster, pools = (parsed(config.get(key), f"{name}: {key}") for key in ("slurm:cluster", "slurm:pools"))
    if not isinstance(cluster, dict):
        raise UnreadableFileError(f"{name}: slurm:cluster is not a mapping. Write name, nodeSets and so on below it")
    if not isinstance([] if pools is None else pools, list):
        raise UnreadableFileError(f"{name}: slurm:pools is not a list. Write a list of node pools")
    with collected_warnings() as warned:
        loaded = load(cluster, pools or [], at=("slurm:cluster",), pools_at=("slurm:pools",))
        if (provider := config.get("slurm:provider")) is not None:
            if provider not in [*Provider]:
                raise UnreadableFileError(f"{name}: slurm:provider is none of {', '.join(Provider)}")
            loaded = on_provider(Provider(provider), *loaded, at=("slurm:cluster",)), loaded[1]
    if warned and config.get("slurm:warningsAsErrors") is True:
        raise SpecError(warned, "The stack's configuration")
    for warning in warned:
        print_line(warning.line, sys.stderr)
    return loaded


def parsed(value: Any, name: str) -> Any:
    """Return what a key of settings holds: `pulumi config set` writes mappings and lists as text."""
    if engine_yaml.is_encrypted(value):
        raise UnreadableFileError(f"{name} is encrypted, and only a run of the stack can read it")
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def read_data(path: Path, fix: str, max_bytes: int | None = None) -> Any:
    """Return what a file of YAML or JSON holds; no message repeats what stands there."""
    source = Source(path, max_bytes=max_bytes)
    return data_of(source.text(), source.name, fix)


def data_of(text: str, name: str, fix: str) -> Any:
    """Return what a text of YAML or JSON holds; messages show the name of its file."""
    try:
        # Of a thousand nodes, PyYAML takes minutes.
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if len(text) > MAX_BYTES:
        raise UnreadableFileError(f"{name}: this is no JSON, and too long for YAML. {fix}")
    try:
        return engine_yaml.read(text).value
    except EngineYamlError as error:
        problem = error.problem if error.is_yaml else "this is neither YAML nor JSON"
        where = f" in line {error.place.line}, column {error.place.column}" if error.place else ""
        raise UnreadableFileError(f"{name}: {problem}{where}. {fix}") from None
