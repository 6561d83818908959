"""The provisioner of volumes for real nodes: each claim of the default StorageClass gets a folder on this machine.

Volumes are of Kubernetes' type `local`, since kubelet gives those to the group of a pod as it does with a cloud's
disks. Every node sees the folder under the same path, so that all access modes work.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import shutil
import time
from pathlib import Path
from typing import Any

from devcluster.api import Api, ApiError
from devcluster.nodes import STORAGE_CLASS

NAME = "pulumi-slurm.internal/local"
SECONDS = 0.3


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


def step(api: Api, folder: Path) -> None:
    """Make volumes for new claims and remove those whose claims are gone."""
    for claim in api.get("/api/v1/persistentvolumeclaims")["items"]:
        new = claim["status"].get("phase") == "Pending" and not claim["spec"].get("volumeName")
        if new and claim["spec"].get("storageClassName") == STORAGE_CLASS:
            place = folder / f"pvc-{claim['metadata']['uid']}"
            place.mkdir(exist_ok=True)
            # Pods run as any user, and not all state a group.
            place.chmod(0o777)
            api.apply(volume(claim, place))
    for item in api.get("/api/v1/persistentvolumes")["items"]:
        name, phase = item["metadata"]["name"], item["status"].get("phase")
        ours = item["metadata"].get("annotations", {}).get("pv.kubernetes.io/provisioned-by") == NAME
        if ours and phase == "Released":
            api.delete(f"/api/v1/persistentvolumes/{name}")
            shutil.rmtree(folder / name, ignore_errors=True)


def main() -> None:
    """Provision until ended."""
    parser = argparse.ArgumentParser(description="volumes of the embedded cluster")
    parser.add_argument("--kubeconfig", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    api = Api(arguments.kubeconfig)
    while True:
        # Whatever happens to the API server, it comes back or this is ended.
        with contextlib.suppress(ApiError, OSError, http.client.HTTPException):
            step(api, arguments.folder)
        time.sleep(SECONDS)


if __name__ == "__main__":
    main()
