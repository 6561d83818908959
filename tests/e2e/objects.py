"""The objects of a Kubernetes cluster, as tests look at them: any kind, by its name."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from devcluster.api import Api, ApiError
from tests.waiting import eventually, eventually_nothing

Object = dict[str, Any]
Key = tuple[str, str, str]
"""Kind (with its group), namespace and name of an object."""

TRANSIENT = {
    "ComponentStatus",
    "Endpoints",
    "EndpointSlice.discovery.k8s.io",
    "Event",
    "Event.events.k8s.io",
    "Lease.coordination.k8s.io",
}
"""Kinds that Kubernetes itself writes and forgets, or makes up."""


@dataclass(frozen=True)
class Kind:
    """Where the objects of a kind are."""

    name: str
    api_version: str
    plural: str
    namespaced: bool

    @property
    def key(self) -> str:
        """The name with its group, for kinds that Kubernetes doesn't count among the core."""
        group = self.api_version.rpartition("/")[0]
        return f"{self.name}.{group}" if group else self.name

    def path(self, namespace: str | None, name: str | None = None) -> str:
        """Return the API path of the kind's objects, or of one."""
        root = "/apis" if "/" in self.api_version else "/api"
        inside = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        return f"{root}/{self.api_version}{inside}/{self.plural}" + (f"/{name}" if name else "")


class Objects:
    """Reads, changes and removes objects."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._kinds: dict[str, Kind] = {}

    def kinds(self) -> dict[str, Kind]:
        """Return every kind that can be listed, by its name alone and by its name with its group."""
        groups = self.api.get("/apis")["groups"]
        versions = ["v1", *(group["preferredVersion"]["groupVersion"] for group in groups)]
        kinds_by_name: dict[str, Kind] = {}
        for version in versions:
            # A group may go, with its last CRD, while this is asked.
            resources = self._at(f"/apis/{version}" if "/" in version else f"/api/{version}")
            for item in resources["resources"] if resources else []:
                if "list" in item["verbs"] and "/" not in item["name"]:
                    kind = Kind(item["kind"], version, item["name"], item["namespaced"])
                    kinds_by_name.setdefault(kind.name, kind)
                    kinds_by_name[kind.key] = kind
        return kinds_by_name

    def kind(self, name: str) -> Kind:
        """Return a kind; ask the server anew when it isn't known yet."""
        if name not in self._kinds:
            self._kinds = self.kinds()
        return self._kinds[name]

    def find(self, kind: str, namespace: str | None, name: str) -> Object | None:
        """Return an object, or None where there is none."""
        return self._at(self.kind(kind).path(namespace, name))

    def _at(self, path: str) -> Object | None:
        try:
            return self.api.get(path)
        except ApiError as error:
            if error.status != 404:
                raise
            return None

    def get(self, kind: str, namespace: str | None, name: str) -> Object:
        """Return an object that has to be there."""
        item = self.find(kind, namespace, name)
        assert item is not None, f"there is no {kind} {namespace}/{name}"
        return item

    def names(self, kind: str, namespace: str | None = None) -> set[str]:
        """Return the names of all objects of a kind."""
        return {item["metadata"]["name"] for item in self.all(kind, namespace)}

    def all(self, kind: str, namespace: str | None = None, labels: Mapping[str, str] | None = None) -> list[Object]:
        """Return all objects of a kind that carry these labels."""
        listing = eventually(f"a list of {kind}", lambda: self._list(kind, namespace))
        wanted = (labels or {}).items()
        return [item for item in listing["items"] if wanted <= item["metadata"].get("labels", {}).items()]

    def _list(self, kind: str, namespace: str | None) -> Object | None:
        try:
            return self.api.get(self.kind(kind).path(namespace))
        except ApiError as error:
            # The server says so for a while after a CRD has come.
            if error.status != 429:
                raise
            return None

    def create(self, item: Object) -> Object:
        """Create an object."""
        namespace = item["metadata"].get("namespace")
        return self.api.request("POST", self.kind(item["kind"]).path(namespace), item)

    def apply(self, item: Object, **query: str) -> Object:
        """Apply an object as Pulumi does, on the server's side."""
        path = self.kind(item["kind"]).path(item["metadata"].get("namespace"), item["metadata"]["name"])
        options = urlencode({"fieldManager": "e2e", "force": "true", **query})

        def applied_and_refusal() -> tuple[Object, str]:
            try:
                return self.api.request("PATCH", f"{path}?{options}", item, "application/apply-patch+yaml"), ""
            except ApiError as error:
                # The operator's webhook reads ConfigMaps from a cache, which follows the server a moment later.
                if not re.search(r'ConfigMap "\S+" not found', str(error)):
                    raise
                return {}, str(error)

        applied, _ = eventually(f"{item['kind']} applied", applied_and_refusal, lambda seen: not seen[1])
        return applied

    def delete(self, kind: str, namespace: str | None, name: str) -> None:
        """Delete an object that has to be there."""
        self.api.request("DELETE", self.kind(kind).path(namespace, name))

    def namespace(self, name: str) -> None:
        """Make a namespace unless it is there; one that is going is waited for."""

        def going() -> bool:
            found = self.find("Namespace", None, name)
            return found is not None and "deletionTimestamp" in found["metadata"]

        eventually_nothing(f"namespace {name} that is going", going)
        if self.find("Namespace", None, name) is None:
            self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        # Without it no pod is admitted.
        eventually(f"the account for pods of {name}", lambda: self.find("ServiceAccount", name, "default"))

    def everything(self, namespace: str | None = None) -> dict[Key, Object]:
        """Return every object of the cluster, or of one namespace, but for what comes and goes by itself."""
        return {(kind, *_namespace_and_name(item)): item for kind, item in self._everything(namespace)}

    def uids(self) -> dict[Key, str]:
        """Return what stays the same of every object of the cluster as long as it isn't replaced."""
        return {key: uid(item) for key, item in self.everything().items()}

    def _everything(self, namespace: str | None) -> Iterator[tuple[str, Object]]:
        for key, kind in self.kinds().items():
            if key != kind.key or key in TRANSIENT or (namespace and not kind.namespaced):
                continue
            try:
                items = self.all(key, namespace)
            except (ApiError, KeyError):
                # A kind may go, with its CRD, after the server has named it.
                if key in self.kinds():
                    raise
                continue
            for item in items:
                yield key, item


def in_a_namespace_that_is_there(item: Object, namespace: str) -> None:
    """Put what is for a namespace of workloads into another one: a dry run makes no namespaces."""
    if item["metadata"].get("namespace") not in (None, "kube-system"):
        item["metadata"]["namespace"] = namespace


def _namespace_and_name(item: Object) -> tuple[str, str]:
    return item["metadata"].get("namespace", ""), item["metadata"]["name"]


def ready(pod: Object) -> bool:
    """Say whether a pod is ready and stays."""
    conditions = pod.get("status", {}).get("conditions") or []
    healthy = any(item["type"] == "Ready" and item["status"] == "True" for item in conditions)
    return healthy and "deletionTimestamp" not in pod["metadata"]


def uid(item: Object) -> str:
    """Return what stays the same as long as an object isn't replaced."""
    return str(item["metadata"]["uid"])


def version(item: Object) -> str:
    """Return what changes with every change of an object."""
    return str(item["metadata"]["resourceVersion"])


def daemons(pods: list[Object]) -> list[Object]:
    """Return the pods that stay; those of Jobs have done their work."""
    return [pod for pod in pods if pod["status"].get("phase") != "Succeeded"]
