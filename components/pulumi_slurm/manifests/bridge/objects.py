"""Slurm Bridge: a scheduler, an admission webhook and controllers, by which Slurm schedules pods.

The objects are our own, not those of upstream's chart, which asks its webhook about the pods of every namespace, gives
the controllers the resources of the webhook, makes its certificate anew at every update unless cert-manager does, and
lets no secret for pulling images be named. Source of what the programs read and where they listen: helm/, cmd/ and
internal/config of https://github.com/SlinkyProject/slurm-bridge, v1.1.2 and v1.2.1.
"""

import json
from collections.abc import Mapping, Sequence

from pulumi_slurm.manifests.bridge.nodes import node_marker
from pulumi_slurm.manifests.bridge.policy import policies
from pulumi_slurm.manifests.bridge.programs import (
    CONFIG,
    GENERATION,
    PROFILE,
    admission,
    controllers,
    program_labels,
    program_name,
    release_of,
    scheduler,
)
from pulumi_slurm.manifests.bridge.rbac import accounts
from pulumi_slurm.manifests.bridge.webhook import certificates, webhook_configurations, webhook_service
from pulumi_slurm.manifests.objects import Manifest, Manifests, cluster_wide, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT, budget
from pulumi_slurm.manifests.services import slurmrestd_url
from pulumi_slurm.manifests.slinky import token, token_secret
from pulumi_slurm.model import BridgedNamespaceSpec, BridgeSpec, NodePoolSpec, TokenSpec
from pulumi_slurm.model.bridge import TOKEN
from pulumi_slurm.model.cluster_ref import ClusterRef

_TOKEN_KEY = "auth-token"
"""The key of the bridge's token in its Secret, as in upstream's chart."""


def before_programs(
    ref: ClusterRef, options: BridgeSpec, pools: Sequence[NodePoolSpec], partitions: Mapping[str, Sequence[str]]
) -> Manifests:
    """Return what the programs need; ``partitions`` are those of each group of external nodes."""
    slurm_token = token(ref, _token(options), _TOKEN_KEY)
    # Some releases of the operator stop to renew tokens; a change of the Token has them look again.
    slurm_token["metadata"]["annotations"] = {GENERATION: str(options.generation)}
    marker_access, _ = node_marker(ref, options.external_nodes, pools, partitions)
    return {
        "token": slurm_token,
        "configmap": config(ref, options),
        "scheduler-configmap": profile(ref, options),
        **accounts(ref, options, release_of(ref, options)),
        **policies(ref, options),
        **certificates(ref),
        "admission-service": webhook_service(ref, program_labels(ref, "admission")),
        **marker_access,
    }


def programs(
    ref: ClusterRef, options: BridgeSpec, pools: Sequence[NodePoolSpec], partitions: Mapping[str, Sequence[str]]
) -> Manifests:
    """Return the Deployments, and budgets of those that have several pods."""
    secret = token_secret(ref, _token(options), _TOKEN_KEY)
    files = config(ref, options), profile(ref, options)
    _, marker = node_marker(ref, options.external_nodes, pools, partitions)
    deployments = {
        "controllers-deployment": controllers(ref, options, secret, files[:1]),
        "scheduler-deployment": scheduler(ref, options, secret, files),
        "admission-deployment": admission(ref, options, files[:1]),
        **marker,
    }
    if not options.wait:
        for deployment in deployments.values():
            deployment["metadata"]["annotations"] = dict(SKIP_WAIT)
    budgets = {
        f"{program}-poddisruptionbudget": budget(ref, program_name(ref, program), program_labels(ref, program), None)
        for program in ("controllers", "scheduler", "admission")
        if deployments[f"{program}-deployment"]["spec"]["replicas"] > 1
    }
    return {**deployments, **budgets}


def webhooks(ref: ClusterRef, options: BridgeSpec) -> Manifests:
    """Return what has the API server ask the webhook."""
    return webhook_configurations(ref, options, release_of(ref, options))


def namespaces(ref: ClusterRef, options: BridgeSpec) -> list[Manifests]:
    """Return the namespaces whose pods Slurm schedules, each as far as it is made here, with its quota."""
    return [_namespace(ref, namespace) for namespace in options.namespaces if namespace.create or namespace.quota]


def _namespace(ref: ClusterRef, options: BridgedNamespaceSpec) -> Manifests:
    manifests = {}
    if options.create:
        namespace = cluster_wide("v1", "Namespace", ref, options.name)
        namespace["metadata"]["labels"] |= options.labels
        manifests[f"{options.name}-namespace"] = namespace
    if options.quota:
        quota = manifest("v1", "ResourceQuota", ref, f"{ref.name}-bridge", spec={"hard": options.quota})
        quota["metadata"]["namespace"] = options.name
        manifests[f"{options.name}-quota"] = quota
    return manifests


def config(ref: ClusterRef, options: BridgeSpec) -> Manifest:
    """Return the ConfigMap that all three programs read."""
    managed = (
        {"managedNamespaceSelector": {"matchLabels": options.namespace_selector}}
        if options.namespace_selector
        else {"managedNamespaces": [namespace.name for namespace in options.namespaces]}
    )
    content = {
        "schedulerName": options.scheduler_name,
        "slurmRestApi": slurmrestd_url(ref),
        **managed,
        "mcsLabel": options.mcs_label,
        "partition": options.partition,
    }
    # JSON is YAML.
    return manifest("v1", "ConfigMap", ref, f"{ref.name}-bridge", data={CONFIG: json.dumps(content, indent=2)})


def profile(ref: ClusterRef, options: BridgeSpec) -> Manifest:
    """Return the ConfigMap with the scheduler's profile.

    Slurm chooses the node, so only those plugins of Kubernetes are left that tell which nodes a pod could run on.
    """
    volumes, resources, slurm = "VolumeBinding", "NodeResourcesFit", "SlurmBridge"
    plugins = {
        "queueSort": ["PrioritySort"],
        "preEnqueue": [slurm],
        "preFilter": [volumes, resources, slurm],
        # Slurm is asked about the nodes that the others have left.
        "filter": [volumes, "TaintToleration", resources, slurm],
        "postFilter": [slurm],
        "reserve": [volumes],
        "preBind": [volumes, slurm],
        "bind": ["DefaultBinder"],
    }
    enabled = {point: {"enabled": [{"name": name} for name in names]} for point, names in plugins.items()}
    content = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {
            "leaderElect": options.scheduler.replicas > 1,
            "resourceNamespace": ref.namespace,
            "resourceName": program_name(ref, "scheduler"),
        },
        "profiles": [
            {
                "schedulerName": options.scheduler_name,
                "plugins": {**enabled, "multiPoint": {"disabled": [{"name": "*"}]}},
                "pluginConfig": [{"name": slurm}],
            }
        ],
    }
    return manifest(
        "v1", "ConfigMap", ref, program_name(ref, "scheduler"), data={PROFILE: json.dumps(content, indent=2)}
    )


def _token(options: BridgeSpec) -> TokenSpec:
    """Return whose token the programs use: that of SlurmUser, since they submit jobs for others and register nodes.

    They read it when they start, and the operator renews it in the last fifth of its life.
    """
    return TokenSpec(name=TOKEN, username="slurm", lifetime=options.token_lifetime)
