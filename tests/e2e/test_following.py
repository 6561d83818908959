"""How the launcher's own programs follow what changes in an embedded cluster, by its real API server."""

import contextlib
import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from devcluster.api import ApiError
from devcluster.cluster import API_SERVER, Cluster
from tests.e2e.objects import Objects
from tests.waiting import equals, eventually

NAMESPACE = "followed"
PATH = f"/api/v1/namespaces/{NAMESPACE}/persistentvolumeclaims"


@pytest.fixture
def namespace(objects: Objects) -> Iterator[None]:
    objects.namespace(NAMESPACE)
    yield
    objects.delete("Namespace", None, NAMESPACE)


def create(objects: Objects, name: str) -> None:
    spec = {
        # Of no class, so that nobody gives it a volume, and it changes by us alone.
        "storageClassName": "",
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
    }
    metadata = {"name": name, "namespace": NAMESPACE}
    objects.create({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec})


@pytest.mark.usefixtures("namespace")
def test_objects_are_followed_until_the_server_ends(cluster: Cluster, objects: Objects) -> None:
    seen: list[tuple[str, str, str]] = []

    def follow() -> None:
        with contextlib.suppress(ApiError, OSError, http.client.HTTPException):
            for item in cluster.api.follow(PATH):
                metadata = item["metadata"]
                mark = metadata.get("annotations", {}).get("mark", "")
                seen.append((metadata["name"], item["status"]["phase"], mark))

    def names() -> list[str]:
        return [name for name, _, _ in seen]

    create(objects, "first")
    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(follow)
        eventually("what was there", names, equals(["first"]))
        create(objects, "second")
        # The provisioner reads the phase of each, also of one that has just come.
        eventually("what comes", lambda: seen, equals([("first", "Pending", ""), ("second", "Pending", "")]))
        annotated = {"metadata": {"annotations": {"mark": "changed"}}}
        cluster.api.request("PATCH", f"{PATH}/first", annotated, "application/merge-patch+json")
        eventually("what changes", lambda: seen[2:], equals([("first", "Pending", "changed")]))
        cluster.stop_process(API_SERVER)
        cluster.start_process(API_SERVER)
        # Neither an endless wait nor another error than those that the method names.
        following.result()
