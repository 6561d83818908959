"""A Deployment with one pod that runs a shell script with kubectl, without end."""

from collections.abc import Mapping

from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.pod_security import as_user, only_reads
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.model import PlacementSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_MOST_MEMORY = "1Gi"
"""kubectl holds all nodes at once, of which one is some 15 to 50 kB of JSON and several times that when it is read."""
_NOBODY = 65534


def kubectl_script(
    ref: ClusterRef,
    role: str,
    script: str,
    env: Mapping[str, str],
    ready_file: str | None = None,
    *,
    folders: Mapping[str, Manifest] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Manifest:
    """Return the Deployment; its ServiceAccount has the same name.

    The pod is ready when ``ready_file`` is there, where one is named. ``folders`` are volumes that it only reads, by
    their paths. A change of ``annotations`` starts the script anew.
    """
    name = f"{ref.name}-{role}"
    labels = {"app.kubernetes.io/name": role, "app.kubernetes.io/instance": ref.name}
    volumes = {path: {"name": path.strip("/"), **volume} for path, volume in (folders or {}).items()}
    mounts = [{"name": volume["name"], "mountPath": path, "readOnly": True} for path, volume in volumes.items()]
    kubectl = {
        "name": "kubectl",
        **container(
            ref,
            ref.images.kubectl,
            {**env, "HOME": "/tmp"},
            volume_mounts=[{"name": "tmp", "mountPath": "/tmp"}, *mounts],
        ),
        "command": ["/bin/sh", "-c", script],
        **({"readinessProbe": _probe(ready_file)} if ready_file else {}),
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": _MOST_MEMORY}},
        "securityContext": only_reads(),
    }
    deployment = manifest("apps/v1", "Deployment", ref, name)
    deployment["spec"] = {
        "replicas": 1,
        # Two pods of different specifications would take what they write from each other.
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {
                "labels": {**ref.labels, **labels},
                **({"annotations": dict(annotations)} if annotations else {}),
            },
            "spec": {
                **placement(ref, PlacementSpec()),
                "serviceAccountName": name,
                "securityContext": as_user(_NOBODY, has_volumes=bool(volumes)),
                "containers": [kubectl],
                "volumes": [{"name": "tmp", "emptyDir": {}}, *volumes.values()],
            },
        },
    }
    return deployment


def _probe(file: str) -> Manifest:
    return {"exec": {"command": ["/bin/sh", "-c", f'test -e "{file}"']}, "periodSeconds": 2}
