"""The stacks: each composes components from one typed configuration.

A stack's module, and with it a cloud's SDK, is loaded only when that stack is built.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

STACKS = {"ack": "ack_stack", "gke": "gke_stack", "kubernetes": "kubernetes_stack", "local": "local_stack"}
"""For each kind: the function that builds it, in the module of the kind's name."""


def build(config: Any, secrets: Any) -> Any:
    """Build the stack of the configuration's kind; return its Slurm cluster."""
    stack: Callable[[Any, Any], Any] = getattr(import_module(f".{config.kind}", __name__), STACKS[config.kind])
    return stack(config, secrets)
