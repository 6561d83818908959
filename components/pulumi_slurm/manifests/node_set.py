"""The operator's NodeSet: a group of identical workers."""

from collections.abc import Sequence

from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.configuration.partitions import partition_options
from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.derived.slurm_conf_lines import LOCK_MEMORY
from pulumi_slurm.manifests.node_volumes import node_mounts, node_volumes
from pulumi_slurm.manifests.objects import SLINKY_API, Manifest, manifest, merged, pruned
from pulumi_slurm.manifests.pods import container, pod_template, shared_mounts, shared_volumes
from pulumi_slurm.manifests.sidecars import sidecar_containers, sidecar_volumes
from pulumi_slurm.model import (
    MachineSpec,
    NodePoolSpec,
    NodeSetSpec,
    PartitionOptionsSpec,
    ScalingMode,
    SecretKeyRef,
    SharedVolumeSpec,
    TaintEffect,
    TaintSpec,
    UpdateType,
)
from pulumi_slurm.model.bridge import MANAGED_NODE
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.machine import unique_taints
from pulumi_slurm.model.names import node_set_object
from pulumi_slurm.model.node_set import ClaimRetention
from pulumi_slurm.model.node_set_fields import copied_fields
from pulumi_slurm.model.releases.operator_version import OperatorVersion

_WITH_LOCKED_MEMORY = ("bash", "-c", f'{LOCK_MEMORY} && exec entrypoint.sh "$@"', "slurmd")
"""What starts slurmd where jobs may lock memory: Slinky's start script, in front of the operator's arguments.

Containers begin with the limit of their runtime, 8 MiB or less, and only root passes it: a job of a user gets the limit
of slurmd, if not that of the login node. All that the container starts has the limit, so also a slurmd that supervisord
starts again, or that replaces itself at a reconfigure. Where it can't be raised, as without privileges, the container
ends and says so. The operator sets no command: internal/builder of slurm-operator, v1.0.1 to v1.2.1."""
SSSD_REVISION = "slurm.pulumi.com/sssd-conf"
"""Annotation of workers with SSH. Kubernetes never refreshes sssd.conf, which is mounted by subPath, and its hash is no
part of a NodeSet's revision: getPatch in internal/controller/nodeset/nodeset_history.go of slurm-operator, v1.1.2."""


def node_set(
    ref: ClusterRef,
    options: NodeSetSpec,
    *,
    machine: MachineSpec | None,
    pool: NodePoolSpec | None = None,
    volumes: Sequence[SharedVolumeSpec] = (),
    sssd: SecretKeyRef | None = None,
    sssd_revision: str | None = None,
    bridge_scheduler: str | None = None,
) -> Manifest:
    """Return a NodeSet whose slurmds get the resources of ``machine``, on the nodes of ``pool``.

    With a bridge ``bridge_scheduler`` is the name of its scheduler, which is the value of its taint.
    """
    spec: Manifest = {
        "controllerRef": ref.reference(),
        **_operation(ref, options, machine),
        "slurmd": _slurmd(ref, options, machine, volumes),
        "logfile": container(ref, ref.images.logfile),
        "partition": _own_partition(options.partition),
        "template": pod_template(
            ref,
            options.pod,
            # In DaemonSet mode pods are named after their nodes; this still sets the node set's name in slurm.conf.
            host_name=options.host_name,
            node_labels=pool.node_labels if pool else None,
            taints=unique_taints([*(pool.taints if pool else ()), *_taint_of_bridge(options, bridge_scheduler)]),
            volumes=[*shared_volumes(ref, volumes), *node_volumes(options), *sidecar_volumes(options.sidecars)],
            sidecars=sidecar_containers(ref, options.sidecars),
            annotations={SSSD_REVISION: sssd_revision} if options.ssh and sssd_revision else None,
        ),
        "updateStrategy": _update_strategy(options),
        **_ssh(options, sssd),
        **_volume_claims(options),
    }
    return manifest(
        SLINKY_API,
        "NodeSet",
        ref,
        node_set_object(ref.name, options.name),
        spec=merged(spec, options.overrides),
    )


def _operation(ref: ClusterRef, options: NodeSetSpec, machine: MachineSpec | None) -> Manifest:
    """Return the fields by which the operator makes, names and replaces pods, and the line of their slurmds."""
    return pruned(
        {
            **copied_fields(options, ref.operator),
            "replicas": _replicas(options),
            "pruneSlurmNodeRecords": "NodeNotFound" if _leaves_records(ref, options) else None,
            "extraConf": _slurmd_conf(ref, options, machine),
        }
    )


def _slurmd_conf(ref: ClusterRef, options: NodeSetSpec, machine: MachineSpec | None) -> str:
    """Return the line of slurmds, or that of the chart while it has the same options: another order replaces pods.

    The text is a part of a NodeSet's revision: getPatch in internal/controller/nodeset/nodeset_history.go of
    slurm-operator, v1.1.0.
    """
    derived = slurmd_conf(options, machine)
    of_chart = ref.adopted.slurmd_options.get(options.name, "") if ref.adopted else ""
    return of_chart if _options_in(of_chart) == _options_in(derived) else derived


def _options_in(text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in text.split()]
    return {"features" if key.lower() == "feature" else key.lower(): value for key, _, value in pairs}


def _slurmd(
    ref: ClusterRef, options: NodeSetSpec, machine: MachineSpec | None, volumes: Sequence[SharedVolumeSpec]
) -> Manifest:
    """Return the container, which has the whole machine, unless pods that Slurm schedules share it."""
    slurmd = container(
        ref,
        options.image or ref.image(Daemon.SLURMD),
        {**_limits_for_slurmd(ref.operator, options, machine), **options.pod.env},
        volume_mounts=[*shared_mounts(volumes), *node_mounts(options)],
    )
    if machine and machine.has_rdma:
        slurmd["command"] = list(_WITH_LOCKED_MEMORY)
    if machine and not options.bridged:
        resources = {"cpu": str(machine.cpus), "memory": f"{machine.memory_mib}Mi", **machine.devices}
        slurmd["resources"] = {"requests": resources, "limits": resources}
    return slurmd


def _ssh(options: NodeSetSpec, sssd: SecretKeyRef | None) -> Manifest:
    if not options.ssh or not sssd:
        return {}
    ssh = {
        "enabled": True,
        "extraSshdConfig": options.ssh.extra_sshd_config,
        "sssdConfRef": {"name": sssd.name, "key": sssd.key},
    }
    return {"ssh": pruned(ssh)}


def _volume_claims(options: NodeSetSpec) -> Manifest:
    """Return the claims that each pod gets, and what becomes of them."""
    retention = {"whenDeleted": str(options.claims_when_deleted), "whenScaled": str(options.claims_when_scaled)}
    if not options.volume_claims:
        is_default = {*retention.values()} == {ClaimRetention.RETAIN}
        return {} if is_default else {"persistentVolumeClaimRetentionPolicy": retention}
    templates = [
        {
            "metadata": {"name": claim.name},
            "spec": pruned(
                {
                    "accessModes": [str(claim.access_mode)],
                    "resources": {"requests": {"storage": claim.size}},
                    "storageClassName": claim.storage_class,
                }
            ),
        }
        for claim in options.volume_claims
    ]
    return {"volumeClaimTemplates": templates, "persistentVolumeClaimRetentionPolicy": retention}


def _taint_of_bridge(options: NodeSetSpec, scheduler: str | None) -> list[TaintSpec]:
    """Return the taint that the bridge puts on every Kubernetes node whose name Slurm knows, whoever works there.

    Workers that aren't bridged stay by themselves: they request all that Slurm knows of the machine, and partitions for
    pods don't have them (`pods_get_nodes_of_kubernetes`). Source: syncTaint in internal/controller/node/node_sync.go of
    https://github.com/SlinkyProject/slurm-bridge at v1.2.1.
    """
    if scheduler is None or not options.has_names_of_kubernetes_nodes:
        return []
    return [TaintSpec(key=MANAGED_NODE, value=scheduler, effect=TaintEffect.NO_EXECUTE)]


def _limits_for_slurmd(operator: OperatorVersion, options: NodeSetSpec, machine: MachineSpec | None) -> dict[str, str]:
    """Return the variables by which the image's start script limits what slurmd gives to jobs, in CPUs and MiB.

    Without them Slurm schedules jobs on the whole node. Until slurm-operator 1.0 Slinky's chart for clusters sets them.
    Later releases derive them from limits, which bridged workers don't have and which leave no memory to slurmd, and
    merge variables by name. Slurm then knows all cores of the machine, less those that slurmd doesn't use, so that the
    bridge finds cores by their numbers.
    Source: schedmd/slurm/25.11/ubuntu24.04/files/usr/local/bin/slurmd-entrypoint.sh of SlinkyProject/containers;
    StrategicMergePatch in internal/utils/structutils/kube.go of slurm-operator at v1.1.2.
    """
    if machine is None:
        return {}
    memory = machine.memory_mib if options.bridged else memory_for_jobs(machine)
    cpus = {} if operator.passes_on_limits and not options.bridged else {"POD_CPUS": str(machine.cpus)}
    return {**cpus, "POD_MEMORY": str(memory)}


def _own_partition(options: PartitionOptionsSpec | None) -> Manifest:
    # Explicit even if disabled: release 1.0 of the operator enables a partition by default.
    return {"enabled": True, "config": partition_options(options)} if options else {"enabled": False}


def _replicas(options: NodeSetSpec) -> int | None:
    """Return the number of pods; that of the beginning, where an autoscaler changes it."""
    if options.scaling_mode is ScalingMode.DAEMON_SET:
        return None
    scaling = options.autoscaling
    if scaling:
        # Left out, it would be 1, which starts a node before the autoscaler has looked.
        return scaling.min_replicas if scaling.idle_replicas is None else scaling.idle_replicas
    return options.fixed_replicas


def _leaves_records(ref: ClusterRef, options: NodeSetSpec) -> bool:
    """Return whether nodes that are gone would stay in Slurm as DOWN: every one has a name of its own.

    Until 1.1 slurmd's pod deletes its record when it stops.

    Source: docs/usage/nodeset-operations.md and internal/builder/workerbuilder/worker_app.go of
    https://github.com/SlinkyProject/slurm-operator at v1.2.1 and v1.1.2.
    """
    return options.scaling_mode is ScalingMode.DAEMON_SET and ref.operator.has("NodeSet", "pruneSlurmNodeRecords")


def _update_strategy(options: NodeSetSpec) -> Manifest:
    strategy = options.update_strategy
    if strategy.type is UpdateType.ON_DELETE:
        return {"type": strategy.type.value}
    if strategy.type is UpdateType.SCHEDULED_UPDATE:
        schedule = {
            "startTime": strategy.start_time,
            "duration": strategy.duration,
            "flags": list(strategy.flags) or None,
        }
        return {"type": strategy.type.value, "scheduledUpdate": pruned(schedule)}
    max_unavailable = strategy.max_unavailable
    return {
        "type": str(strategy.type),
        "rollingUpdate": {"maxUnavailable": max_unavailable if max_unavailable.endswith("%") else int(max_unavailable)},
    }
