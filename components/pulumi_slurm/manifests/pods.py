"""Pod templates and containers, which the operator merges into its own."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, Manifest, pruned
from pulumi_slurm.model import (
    PlacementSpec,
    PodSpec,
    ResourcesSpec,
    SharedVolumeSpec,
    TaintSpec,
)
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim

_LINUX = MappingProxyType({"kubernetes.io/os": "linux"})


def pod_template(
    ref: ClusterRef,
    options: PodSpec,
    *,
    host_name: str | None = None,
    node_labels: dict[str, str] | None = None,
    taints: Sequence[TaintSpec] = (),
    volumes: Sequence[Manifest] = (),
    sidecars: Sequence[Manifest] = (),
    annotations: Mapping[str, str] | None = None,
) -> Manifest:
    """Return a pod template with metadata and the fields that differ from the operator's own template.

    ``annotations`` are those by which a change replaces the pod, in addition to the generation of the auth/slurm key.
    """
    return {
        "metadata": pruned(
            {
                "labels": {**ref.labels, **options.labels},
                "annotations": {
                    # Keys of a cluster that a chart made are in its Secrets, and have no generations.
                    **({} if ref.adopted else {KEY_GENERATIONS: ref.key_generations(Purpose.SLURM)}),
                    **(annotations or {}),
                    **options.annotations,
                },
            }
        ),
        "spec": pruned(
            {
                "hostname": host_name,
                # What a chart made may lack it, and to add it would replace pods.
                **placement(ref, options, node_labels=node_labels, taints=taints, on_linux=not ref.adopted),
                "serviceAccountName": options.service_account_name,
                "runtimeClassName": options.runtime_class_name,
                "topologySpreadConstraints": options.topology_spread_constraints,
                "terminationGracePeriodSeconds": options.termination_grace_period_seconds,
                "hostNetwork": options.host_network or None,
                # Otherwise a pod on the node's network could not resolve the cluster's Services.
                "dnsPolicy": "ClusterFirstWithHostNet" if options.host_network else None,
                "volumes": list(volumes),
                "initContainers": list(sidecars),
            }
        ),
    }


def placement(
    ref: ClusterRef,
    options: PlacementSpec,
    *,
    node_labels: dict[str, str] | None = None,
    taints: Sequence[TaintSpec] = (),
    on_linux: bool = True,
) -> Manifest:
    """Return the fields of a pod's spec that say where it runs, and how its images are pulled."""
    tolerations = [
        pruned(
            {
                "key": taint.key,
                "operator": "Exists" if taint.value is None else "Equal",
                "value": taint.value,
                "effect": str(taint.effect),
            }
        )
        for taint in taints
    ] + [toleration.model_dump(mode="json", by_alias=True, exclude_none=True) for toleration in options.tolerations]
    pull_secrets = dict.fromkeys([*ref.images.pull_secrets, *options.image_pull_secrets])
    return pruned(
        {
            "nodeSelector": {**(_LINUX if on_linux else {}), **(node_labels or {}), **options.node_selector},
            "tolerations": tolerations,
            "affinity": options.affinity,
            "priorityClassName": options.priority_class_name or ref.priority_class_name,
            "imagePullSecrets": [{"name": name} for name in pull_secrets],
        }
    )


def container(
    ref: ClusterRef,
    image: str,
    env: Mapping[str, str] | None = None,
    *,
    resources: ResourcesSpec | None = None,
    volume_mounts: Sequence[Manifest] = (),
) -> Manifest:
    """Return a container with its image and the fields that differ from the operator's own."""
    return pruned(
        {
            "image": image,
            "imagePullPolicy": str(ref.images.pull_policy) if ref.images.pull_policy else None,
            "env": [{"name": name, "value": value} for name, value in (env or {}).items()],
            "resources": container_resources(resources),
            "volumeMounts": list(volume_mounts),
        }
    )


def container_resources(resources: ResourcesSpec | None) -> Manifest | None:
    """Return the requests and limits of a container."""
    if resources is None:
        return None
    requests = {
        "cpu": resources.requests.cpu or resources.cpu,
        "memory": resources.requests.memory or resources.memory,
    }
    return {"requests": requests, "limits": {"cpu": resources.cpu, "memory": resources.memory}}


def claim_name(ref: ClusterRef, volume: SharedVolumeSpec) -> str:
    """Return the name of the PersistentVolumeClaim of a shared volume."""
    return volume.existing_claim or shared_volume_claim(ref.name, volume.name)


def shared_volumes(ref: ClusterRef, volumes: Sequence[SharedVolumeSpec]) -> list[Manifest]:
    """Return a pod's volumes for shared volumes."""
    return [
        {"name": volume.volume_name, "persistentVolumeClaim": {"claimName": claim_name(ref, volume)}}
        for volume in volumes
    ]


def shared_mounts(volumes: Sequence[SharedVolumeSpec]) -> list[Manifest]:
    """Return a container's mounts of shared volumes."""
    return [
        pruned({"name": volume.volume_name, "mountPath": volume.mount_path, "subPath": volume.sub_path})
        for volume in volumes
    ]
