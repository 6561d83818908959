"""Pod templates and containers, which the operator merges into its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, ClusterRef, Manifest, manifest, pruned
from pulumi_slurm.model import PodSpec, ResourcesSpec, ServiceSpec, ServiceType, SharedVolumeSpec, TaintSpec
from pulumi_slurm.model.names import shared_volume_claim

_LINUX = {"kubernetes.io/os": "linux"}


def pod_template(
    ref: ClusterRef,
    options: PodSpec,
    *,
    host_name: str | None = None,
    node_labels: dict[str, str] | None = None,
    taints: Sequence[TaintSpec] = (),
    volumes: Sequence[Manifest] = (),
    sidecars: Sequence[Manifest] = (),
    keys: Sequence[Purpose] = (Purpose.SLURM,),
) -> Manifest:
    """Return a pod template with metadata and the fields that differ from the operator's own template.

    ``keys`` are those that the pod reads. All daemons have the auth/slurm key, but the operator mounts the JWT key in
    the pods of slurmctld and slurmdbd alone: `AuthJwtRef` in internal/builder of slurm-operator, v1.0.5 to v1.2.1.
    """
    tolerations = [
        pruned(
            {
                "key": taint.key,
                "operator": "Exists" if taint.value is None else "Equal",
                "value": taint.value,
                "effect": taint.effect.value,
            }
        )
        for taint in taints
    ] + [toleration.model_dump(mode="json", exclude_none=True) for toleration in options.tolerations]
    return {
        "metadata": pruned(
            {
                "labels": options.labels,
                "annotations": {KEY_GENERATIONS: ref.key_generations(*keys), **options.annotations},
            }
        ),
        "spec": pruned(
            {
                "hostname": host_name,
                "nodeSelector": {**_LINUX, **(node_labels or {}), **options.node_selector},
                "tolerations": tolerations,
                "affinity": options.affinity,
                "priorityClassName": options.priority_class_name,
                "serviceAccountName": options.service_account_name,
                "runtimeClassName": options.runtime_class_name,
                "imagePullSecrets": [{"name": name} for name in options.image_pull_secrets],
                "hostNetwork": options.host_network or None,
                # Otherwise a pod on the node's network could not resolve the cluster's Services.
                "dnsPolicy": "ClusterFirstWithHostNet" if options.host_network else None,
                "volumes": list(volumes),
                "initContainers": list(sidecars),
            }
        ),
    }


def container(
    image: str,
    env: Mapping[str, str] | None = None,
    *,
    resources: ResourcesSpec | None = None,
    volume_mounts: Sequence[Manifest] = (),
) -> Manifest:
    """Return a container with its image and the fields that differ from the operator's own."""
    limits = {"cpu": resources.cpu, "memory": resources.memory} if resources else {}
    return pruned(
        {
            "image": image,
            "env": [{"name": name, "value": value} for name, value in (env or {}).items()],
            "resources": {"requests": limits, "limits": limits} if limits else None,
            "volumeMounts": list(volume_mounts),
        }
    )


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


def service(
    ref: ClusterRef, name: str, options: ServiceSpec, selector: dict[str, str], port: int, port_name: str
) -> Manifest:
    """Return a Service in front of pods that the operator creates."""
    service_manifest = manifest("v1", "Service", ref, name)
    port_spec: dict[str, Any] = {"name": port_name, "port": port, "targetPort": port, "protocol": "TCP"}
    service_manifest["metadata"]["annotations"] = options.annotations
    service_manifest["metadata"] = pruned(service_manifest["metadata"])
    return {
        **service_manifest,
        "spec": pruned(
            {
                "type": options.type.value,
                "selector": selector,
                "ports": [pruned({**port_spec, "nodePort": options.node_port})],
                "loadBalancerSourceRanges": options.source_ranges
                if options.type is ServiceType.LOAD_BALANCER
                else None,
            }
        ),
    }
