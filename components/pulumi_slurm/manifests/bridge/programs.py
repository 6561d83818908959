"""The Deployments of the bridge's three programs."""

from collections.abc import Mapping, Sequence

from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.bridge.webhook import WEBHOOK_PORT, admission_name
from pulumi_slurm.manifests.objects import (
    KEY_GENERATIONS,
    READABLE_BY_GROUP,
    Manifest,
    content_hash,
    manifest,
    pruned,
)
from pulumi_slurm.manifests.pod_security import as_user, only_reads
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.model import BridgeProgramSpec, BridgeSpec, SecretKeyRef
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.releases.bridge_version import BridgeVersion, bridge_release

CONFIG, PROFILE = "config.yaml", "scheduler-config.yaml"
GENERATION = "slurm.pulumi.com/generation"
"""Annotation of the bridge's pods, and of the token, which they read once before 1.3."""

_CONFIGURATION = "slurm.pulumi.com/configuration"
_NONROOT = 65532
"""The user of upstream's images: Dockerfile of slurm-bridge, v1.2.1."""
_GATES = "DRAExtendedResource=true,DynamicResourceAllocation=true,SchedulerPopFromBackoffQ=false"
_HEALTH_PORT, _METRICS_PORT, _SCHEDULER_PORT = 8081, 8080, 10259
_TOKEN_FOLDER = "/var/run/secrets/slurm"
_CERTIFICATES = "/tmp/k8s-webhook-server/serving-certs"
"""Where controller-runtime looks for a webhook's certificate, which it reads again when that is renewed."""


def program_name(ref: ClusterRef, program: str) -> str:
    """Return the name of a program's objects."""
    return f"{ref.name}-bridge-{program}"


def program_labels(ref: ClusterRef, program: str) -> Manifest:
    """Return the labels by which a program's pods are found."""
    return {"app.kubernetes.io/name": f"slurm-bridge-{program}", "app.kubernetes.io/instance": ref.name}


def release_of(ref: ClusterRef, options: BridgeSpec) -> BridgeVersion:
    """Return the release of the bridge."""
    release = bridge_release(options.version, ref.operator)
    assert release is not None, "a rule refuses a bridge where the operator's release has none"
    return release


def scheduler(ref: ClusterRef, options: BridgeSpec, token: SecretKeyRef, files: Sequence[Manifest]) -> Manifest:
    """Return the scheduler; ``files`` are its ConfigMaps."""
    fields = {
        "args": [f"--config=/etc/kubernetes/{PROFILE}", f"--feature-gates={_GATES}"],
        **_token(ref, options, token),
        **_probes("/healthz", "/healthz", _SCHEDULER_PORT, scheme="HTTPS"),
    }
    profile = {"name": "profile", "configMap": {"name": program_name(ref, "scheduler")}}
    volumes = {"/etc/kubernetes": profile, **_token_volume(ref, options, token)}
    return _deployment(ref, options, "scheduler", files, fields, volumes)


def controllers(ref: ClusterRef, options: BridgeSpec, token: SecretKeyRef, files: Sequence[Manifest]) -> Manifest:
    """Return the controllers."""
    elected = options.controllers.replicas > 1
    fields = {
        **({"args": ["--leader-elect=true"]} if elected else {}),
        **_token(ref, options, token),
        **_probes("/healthz", "/healthz", _HEALTH_PORT),
        "ports": [{"name": "metrics", "containerPort": _METRICS_PORT}],
    }
    return _deployment(ref, options, "controllers", files, fields, _token_volume(ref, options, token))


def admission(ref: ClusterRef, options: BridgeSpec, files: Sequence[Manifest]) -> Manifest:
    """Return the webhook, which needs no token: it asks Slurm nothing."""
    fields = {
        **_probes("/healthz", "/readyz", _HEALTH_PORT),
        "ports": [{"name": "https", "containerPort": WEBHOOK_PORT}],
    }
    secret = {"secretName": admission_name(ref), "defaultMode": READABLE_BY_GROUP}
    certificate = {"name": "certificate", "secret": secret}
    return _deployment(ref, options, "admission", files, fields, {_CERTIFICATES: certificate})


def _deployment(
    ref: ClusterRef,
    options: BridgeSpec,
    program: str,
    files: Sequence[Manifest],
    fields: Manifest,
    volumes: Mapping[str, Manifest],
) -> Manifest:
    """Return a program's Deployment; ``fields`` are its container's, and ``volumes`` are by where they are mounted."""
    chosen: BridgeProgramSpec = getattr(options, program)
    labels = program_labels(ref, program)
    image = chosen.image or f"{ref.images.registry}/slurm-bridge-{program}:{release_of(ref, options).version}"
    volumes = {"/etc/slurm-bridge": {"name": "config", "configMap": {"name": f"{ref.name}-bridge"}}, **volumes}
    mounts = [{"name": item["name"], "mountPath": path, "readOnly": True} for path, item in volumes.items()]
    priority = chosen.pod.priority_class_name or options.priority_class_name or ref.priority_class_name
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels},
    }
    template = {
        # All of this is read once, when a program starts.
        "metadata": {
            "labels": {**ref.labels, **chosen.pod.labels, **labels},
            "annotations": {
                KEY_GENERATIONS: ref.key_generations(Purpose.JWT),
                GENERATION: str(options.generation),
                _CONFIGURATION: content_hash([file["data"] for file in files]),
                **chosen.pod.annotations,
            },
        },
        "spec": {
            **pruned({**placement(ref, chosen.pod), "priorityClassName": priority}),
            "serviceAccountName": program_name(ref, program),
            "topologySpreadConstraints": [spread],
            "securityContext": as_user(_NONROOT, has_volumes=any("secret" in volume for volume in volumes.values())),
            "containers": [
                {
                    "name": program,
                    **container(ref, image, resources=chosen.resources, volume_mounts=mounts),
                    **fields,
                    "securityContext": only_reads(),
                }
            ],
            "volumes": [*volumes.values()],
        },
    }
    spec = {"replicas": chosen.replicas, "selector": {"matchLabels": labels}, "template": template}
    return manifest("apps/v1", "Deployment", ref, program_name(ref, program), spec=spec)


def _token(ref: ClusterRef, options: BridgeSpec, token: SecretKeyRef) -> Manifest:
    if release_of(ref, options).reads_token_file:
        return {"env": [{"name": "SLURM_JWT_FILE", "value": f"{_TOKEN_FOLDER}/{token.key}"}]}
    reference = {"secretKeyRef": {"name": token.name, "key": token.key}}
    return {"env": [{"name": "SLURM_JWT", "valueFrom": reference}]}


def _token_volume(ref: ClusterRef, options: BridgeSpec, token: SecretKeyRef) -> dict[str, Manifest]:
    """Return the volume of the token's file, by where it is mounted, for releases that read one."""
    if not release_of(ref, options).reads_token_file:
        return {}
    items = [{"key": token.key, "path": token.key}]
    secret = {"secretName": token.name, "items": items, "defaultMode": READABLE_BY_GROUP}
    return {_TOKEN_FOLDER: {"name": "token", "secret": secret}}


def _probes(alive: str, ready: str, port: int, **more: str) -> Manifest:
    def ask(path: str) -> Manifest:
        return {"httpGet": {"path": path, "port": port, **more}}

    return {"livenessProbe": {**ask(alive), "initialDelaySeconds": 15}, "readinessProbe": ask(ready)}
