"""The provisioner of volumes for real nodes: each claim of the default StorageClass gets a folder on this machine.

Volumes are of Kubernetes' type `local`, since kubelet gives those to the group of a pod as it does with a cloud's
disks. Every node sees the folder under the same path, so that all access modes work.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import shutil
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from devcluster.api import Api, ApiError
from devcluster.nodes import STORAGE_CLASS

NAME = "pulumi-slurm.internal/local"
SECONDS = 0.3
"""The pause before a list that was left, because of an error or in time, is asked for again."""


def volume(claim: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the volume for a claim."""
    metadata, spec = claim["metadata"], claim["spec"]
    everywhere = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "Exists"}]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {
            "name": folder.name,
            "annotations": {"pv.kubernetes.io/provisioned-by": NAME},
        },
        "spec": {
            "accessModes": spec["accessModes"],
            "capacity": {"storage": spec["resources"]["requests"]["storage"]},
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": STORAGE_CLASS,
            "volumeMode": "Filesystem",
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "name": metadata["name"],
                "namespace": metadata["namespace"],
                "uid": metadata["uid"],
            },
            "local": {"path": str(folder)},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [everywhere]}},
        },
    }


def provide(api: Api, folder: Path, claim: dict[str, Any]) -> None:
    """Make the volume for a claim that waits for one."""
    new = claim["status"].get("phase") == "Pending" and not claim["spec"].get("volumeName")
    if new and claim["spec"].get("storageClassName") == STORAGE_CLASS:
        place = folder / f"pvc-{claim['metadata']['uid']}"
        place.mkdir(exist_ok=True)
        # Pods run as any user, and not all state a group.
        place.chmod(0o777)
        api.apply(volume(claim, place))


def take_back(api: Api, folder: Path, item: dict[str, Any]) -> None:
    """Remove a volume whose claim has gone."""
    name, phase = item["metadata"]["name"], item["status"].get("phase")
    provisioned_here = item["metadata"].get("annotations", {}).get("pv.kubernetes.io/provisioned-by") == NAME
    if provisioned_here and phase == "Released":
        api.delete(f"/api/v1/persistentvolumes/{name}")
        shutil.rmtree(folder / name, ignore_errors=True)


def handle_each(api: Api, path: str, handle: Callable[[dict[str, Any]], None]) -> None:
    """Handle all objects of a list, and each one again that changes, until ended."""
    while True:
        # Whatever happens to the API server, it comes back or this is ended.
        with contextlib.suppress(ApiError, OSError, http.client.HTTPException):
            for item in api.follow(path):
                handle(item)
        time.sleep(SECONDS)


def main() -> None:
    """Provision until ended."""
    parser = argparse.ArgumentParser(description="volumes of the embedded cluster")
    parser.add_argument("--kubeconfig", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    api = Api(arguments.kubeconfig)
    lists = {
        "/api/v1/persistentvolumeclaims": partial(provide, api, arguments.folder),
        "/api/v1/persistentvolumes": partial(take_back, api, arguments.folder),
    }
    threads = [threading.Thread(target=handle_each, args=(api, *one), daemon=True) for one in lists.items()]
    for thread in threads:
        thread.start()
    # One that fails ends both, so that the next `make up` finds that this has ended and starts it anew.
    while all(thread.is_alive() for thread in threads):
        time.sleep(SECONDS)


if __name__ == "__main__":
    main()
