"""The objects of a cluster as they are now."""

from collections.abc import Iterable, Mapping
from typing import Any

Object = Mapping[str, Any]
CONFIG_MAP = "ConfigMap"
SLINKY = "slinky.slurm.net"
KINDS = ("Controller", "Accounting", "RestApi", "NodeSet", "LoginSet")
"""Kinds of the chart that a stack takes over, with ConfigMaps of files."""
LIVE_KINDS = (*(f"{kind.lower()}s.{SLINKY}" for kind in KINDS), "configmaps")
"""What to ask a cluster for, as kubectl calls it."""


class LiveObjects:
    """Live objects of one namespace, by kind and name."""

    def __init__(self, objects: Iterable[Object]) -> None:
        """Take objects of any kinds."""
        self._objects = {(str(item["kind"]), str(item["metadata"]["name"])): item for item in objects}

    def find(self, kind: str, name: str) -> Object | None:
        """Return an object, or None where it isn't there."""
        return self._objects.get((kind, name))

    def of(self, kind: str) -> list[Object]:
        """Return the objects of a kind."""
        return [item for (its_kind, _), item in self._objects.items() if its_kind == kind]


def is_slinky(item: Object) -> bool:
    """Return whether it is an object of slurm-operator."""
    return str(item["apiVersion"]).startswith(f"{SLINKY}/")


def title(item: Object) -> str:
    """Return how messages call an object, for example "NodeSet/slurm-worker-cpu"."""
    return f"{item['kind']}/{item['metadata']['name']}"
