"""What a test has left on the API server: a real cluster would have taken it away when it was deleted itself."""

from functools import partial

from devcluster.api import ApiError
from tests.e2e.objects import Objects
from tests.waiting import eventually_nothing

KINDS = (
    "Namespace",
    "PersistentVolume",
    "StorageClass",
    "Network.networking.gke.io",
    "GKENetworkParamSet.networking.gke.io",
)
"""Kinds of cluster-wide objects that stacks make. Nodes go last, so that pods can end."""


class Leftovers:
    """Remembers what was there before, and removes the rest."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._before = {kind: objects.names(kind) for kind in (*KINDS, "Node")}

    def remove(self) -> None:
        """Remove what has come since, and wait until it is gone."""
        for kind in (*KINDS, "Node"):
            for name in self.names(kind):
                self._delete(kind, name)
            eventually_nothing(f"{kind} of a test", partial(self.names, kind))

    def names(self, kind: str) -> set[str]:
        """Return the names of what has come since."""
        return self._objects.names(kind) - self._before[kind]

    def _delete(self, kind: str, name: str) -> None:
        try:
            self._objects.delete(kind, None, name)
        except ApiError as error:
            if error.status != 404:
                raise
