"""The stacks: each composes components from one typed configuration.

A stack's module, and with it a cloud's SDK, is loaded only when that stack is built.
"""

from importlib import import_module
from typing import Any

from pulumi_slurm.clouds import registry


def build(config: Any, secrets: Any) -> Any:
    """Build the stack of the configuration's kind; return its Slurm cluster."""
    clouds = {row.key: row.stack for row in registry.CLOUDS}
    return import_module(clouds.get(config.kind, f"stacks.{config.kind}")).build(config, secrets)
