"""The parts of a Slurm cluster that slurm-operator runs: what they are, and what each comes after.

`pulumi_slurm.slinky.SlurmCluster` creates a component of each part, and `render` its objects, in this order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.configuration.accounts import accounts_script, qos_script, undo_file
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.manifests import bridge as bridge_manifests, slinky
from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.autoscaling import autoscaler
from pulumi_slurm.manifests.cluster_volumes import with_cluster_volumes, with_login_volumes
from pulumi_slurm.manifests.database import database, database_host, password_secret
from pulumi_slurm.manifests.directory import directory, sssd_revision, sssd_secret
from pulumi_slurm.manifests.drain import drain_job
from pulumi_slurm.manifests.files import file_config_maps, health_check_manifests
from pulumi_slurm.manifests.node_set import node_set as node_set_manifest
from pulumi_slurm.manifests.nodes_wanted import nodes_wanted
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, Manifests, by_kind
from pulumi_slurm.manifests.prometheus import prometheus
from pulumi_slurm.manifests.services import login_service, slurmctld_service, slurmdbd_service, slurmrestd_service
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.manifests.topology import node_topology, selectors_of_nodes
from pulumi_slurm.model import (
    AccountingSpec,
    AutoscalingSpec,
    BridgeSpec,
    ControllerSpec,
    HooksSpec,
    LoginSetSpec,
    MonitoringSpec,
    NodePoolSpec,
    NodeSetSpec,
    RestApiSpec,
    SecretKeyRef,
    SharedVolumeSpec,
    SlurmSpec,
    TokenSpec,
)
from pulumi_slurm.rules import machine_of, partitions_of
from pulumi_slurm.rules.bridge_nodes import partitions_of_bridge_nodes
from pulumi_slurm.rules.partitions import all_partitions
from pulumi_slurm.slurmconf.conf import render as render_conf

PartKey = tuple[str | None, str]
"""A part's component, None where it is none, and its name."""

NAMESPACE, KEYS, IDENTITY = "namespace", "keys", "identity"
"""Parts that are no components: the namespace, the Secrets with keys, the Secret with sssd.conf."""

BRIDGE = "bridge"
"""The part that is Slurm Bridge."""


@dataclass(frozen=True)
class Part:
    """A part of a cluster."""

    name: str
    """The suffix of the component's name, after that of the cluster; "" for slurmctld."""
    component: str | None
    """The class that makes it, "Controller" for example; None for the parts that are no components."""
    args: Mapping[str, Any]
    """The component's arguments, without the cluster and without secrets."""
    after: tuple[PartKey, ...]
    """The parts that it comes right after, each by component and name. These come after all else that it needs."""

    @property
    def key(self) -> PartKey:
        """What `after` of other parts has."""
        return self.component, self.name


def cluster_parts(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Iterator[Part]:
    """Yield the parts of a cluster in the order in which they are made.

    Of each part only what comes right before it is stated, since the engine follows every path of dependencies when a
    step fails; see `child_options`.
    """
    namespace: PartKey = (None, NAMESPACE)
    keys: PartKey = (None, KEYS)
    yield Part(NAMESPACE, None, {}, ())
    yield Part(KEYS, None, {}, (namespace,))
    mounts: list[PartKey] = []
    sssd = sssd_secret(ClusterRef.of(spec), spec.identity) if spec.identity else None
    if spec.identity:
        if spec.identity.directory:
            yield Part("directory", "Directory", {"directory": spec.identity.directory}, (namespace,))
        yield Part(IDENTITY, None, {}, (namespace,))
        mounts.append((None, IDENTITY))
    if spec.monitoring.prometheus:
        yield Part("prometheus", "Prometheus", {"prometheus": spec.monitoring.prometheus}, (namespace,))
    for volume in spec.shared_volumes:
        yield Part(volume.name, "SharedVolume", {"volume": volume}, (namespace,))
        mounts.append(("SharedVolume", volume.name))
    before_slurmctld = keys
    if spec.accounting:
        if not spec.accounting.external:
            yield Part("database", "Database", {"database": spec.accounting.database}, (keys,))
            before_slurmctld = ("Database", "database")
        yield Part("", "Accounting", {"accounting": spec.accounting}, (before_slurmctld,))
        before_slurmctld = ("Accounting", "")
        qos = qos_script(spec)
        if qos:
            yield _sacctmgr("qos", qos, spec.accounting, before_slurmctld)
            before_slurmctld = ("SacctmgrJob", "qos")
    slurmctld_after = [before_slurmctld]
    if not spec.controller.external:
        drain_args = {
            "pod": spec.controller.pod,
            "partitions": {name: options.state for _, name, options in all_partitions(spec)},
            "node_sets": [node_set.slurm_name for node_set in spec.node_sets],
        }
        topology = _topology(spec, pools, keys)
        yield from topology
        yield Part("drain", "DrainJob", drain_args, tuple(part.key for part in topology) or (keys,))
        slurmctld_after.append(("DrainJob", "drain"))
    controller_args = {
        "controller": spec.controller,
        "monitoring": spec.monitoring,
        "accounting": spec.accounting is not None,
        "extra_conf": render_conf(additions(spec, pools)),
        "config_files": config_files(spec, pools),
        "hooks": spec.hooks,
    }
    yield Part("", "Controller", controller_args, tuple(slurmctld_after))
    slurmctld: PartKey = ("Controller", "")
    accounts = accounts_script(spec) if spec.accounting else None
    if spec.accounting and accounts:
        yield _sacctmgr("accounts", accounts, spec.accounting, slurmctld, undo_file(spec))
    yield Part("", "RestApi", {"rest_api": spec.rest_api}, (slurmctld,))
    by_name = {pool.name: pool for pool in pools}
    for node_set in spec.node_sets:
        args: dict[str, Any] = {
            "node_set": with_cluster_volumes(spec, node_set),
            "pool": by_name.get(node_set.pool or ""),
            "shared_volumes": spec.shared_volumes,
            "sssd": sssd,
            "sssd_revision": sssd_revision(ClusterRef.of(spec), spec.identity) if spec.identity else None,
            "scaled_by": _scaled_by(spec, node_set),
            "bridge_scheduler": spec.bridge.scheduler_name if spec.bridge else None,
        }
        # The operator sees jobs and nodes through slurmrestd.
        yield Part(node_set.name, "NodeSet", args, (("RestApi", ""), *mounts))
    for login_set in spec.login_sets if sssd else ():
        args = {"login_set": with_login_volumes(spec, login_set), "sssd": sssd, "shared_volumes": spec.shared_volumes}
        yield Part(login_set.name, "LoginSet", args, (slurmctld, *mounts))
    for token in spec.tokens:
        yield Part(token.name, "Token", {"token": token}, (slurmctld,))
    yield from _bridge(spec, pools)


def _bridge(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[Part]:
    """Yield the bridge, which comes after workers: it finds slurmrestd and partitions, and its pods end first."""
    if spec.bridge:
        named = {group.pool for group in spec.bridge.external_nodes}
        args = {
            "bridge": spec.bridge,
            "pools": [pool for pool in pools if pool.name in named],
            "partitions": {group.name: partitions_of_bridge_nodes(spec, group) for group in spec.bridge.external_nodes},
        }
        workers: list[PartKey] = [("NodeSet", node_set.name) for node_set in spec.node_sets]
        yield Part(BRIDGE, "SlurmBridge", args, tuple(workers or [("RestApi", "")]))


def _topology(spec: SlurmSpec, pools: Sequence[NodePoolSpec], after: PartKey) -> list[Part]:
    """Return what annotates nodes. slurmctld comes after it, since it ends when a block goes in which a node is."""
    args = {"topologies": spec.topologies, "selectors": selectors_of_nodes(spec, pools)}
    return [Part("topology", "NodeTopology", args, (after,))] if spec.topologies else []


def _sacctmgr(role: str, script: str, accounting: AccountingSpec, after: PartKey, undo: str | None = None) -> Part:
    args = {"accounting": accounting, "role": role, "script": script, "undo": undo}
    return Part(role, "SacctmgrJob", args, (after,))


def _scaled_by(spec: SlurmSpec, node_set: NodeSetSpec) -> str | None:
    """Return the partition whose pending jobs an autoscaler counts."""
    scaling = node_set.autoscaling
    return (scaling.partition or next(iter(partitions_of(spec, node_set)), None)) if scaling else None


def controller(
    ref: ClusterRef,
    *,
    controller: ControllerSpec,
    monitoring: MonitoringSpec,
    accounting: bool,
    extra_conf: str,
    config_files: dict[str, str],
    hooks: HooksSpec,
) -> Manifests:
    """Return slurmctld: its files, the Controller, and its Service."""
    files = file_config_maps(ref, config_files, hooks)
    resource = slinky.controller(
        ref,
        controller,
        monitoring,
        accounting=accounting,
        extra_conf=extra_conf,
        config_maps=files,
    )
    return {
        **{field.removesuffix("Refs"): config_map for field, config_map in files.items()},
        **health_check_manifests(ref, hooks),
        # The operator's webhook reads the ConfigMaps before it lets the Controller in.
        "controller": resource,
        **by_kind("slurmctld", slurmctld_service(ref, controller) if not controller.external else []),
    }


def accounting(ref: ClusterRef, *, accounting: AccountingSpec) -> Manifests:
    """Return slurmdbd: the Accounting and its Service."""
    database = accounting.database
    host, password = database_host(ref, database), password_secret(ref, database)
    resource = slinky.accounting(ref, accounting, host=host, password=password)
    return {
        "accounting": resource,
        **by_kind("slurmdbd", slurmdbd_service(ref, accounting) if not accounting.external else []),
    }


def rest_api(ref: ClusterRef, *, rest_api: RestApiSpec) -> Manifests:
    """Return slurmrestd: the RestApi and its Service."""
    return {"restapi": slinky.rest_api(ref, rest_api), **by_kind("slurmrestd", slurmrestd_service(ref, rest_api))}


def node_set(
    ref: ClusterRef,
    *,
    node_set: NodeSetSpec,
    pool: NodePoolSpec | None,
    shared_volumes: Sequence[SharedVolumeSpec],
    sssd: SecretKeyRef | None,
    sssd_revision: str | None,
    scaled_by: str | None,
    bridge_scheduler: str | None,
) -> Manifests:
    """Return workers: the NodeSet, and its autoscaler where it has one."""
    machine = machine_of(node_set, [pool] if pool else [])
    resource = node_set_manifest(
        ref,
        node_set,
        machine=machine,
        pool=pool,
        volumes=shared_volumes,
        sssd=sssd,
        sssd_revision=sssd_revision,
        bridge_scheduler=bridge_scheduler,
    )
    scaling = node_set.autoscaling
    query = (
        nodes_wanted(ref.namespace, scaled_by, node_set.host_name, scaling.jobs_per_replica)
        if scaling and scaled_by
        else None
    )
    return {"nodeset": resource, **_autoscaler(ref, resource, scaling, query)}


def login_set(
    ref: ClusterRef, *, login_set: LoginSetSpec, sssd: SecretKeyRef, shared_volumes: Sequence[SharedVolumeSpec]
) -> Manifests:
    """Return login nodes: the LoginSet, its Service, and its autoscaler where it has one."""
    resource = slinky.login_set(ref, login_set, sssd=sssd, volumes=shared_volumes)
    return {
        "loginset": resource,
        **by_kind("ssh", login_service(ref, login_set)),
        **_autoscaler(ref, resource, login_set.autoscaling),
    }


def token(ref: ClusterRef, *, token: TokenSpec) -> Manifests:
    """Return a token for the REST API."""
    return {"token": slinky.token(ref, token)}


def bridge(
    ref: ClusterRef, *, bridge: BridgeSpec, pools: Sequence[NodePoolSpec], partitions: Mapping[str, Sequence[str]]
) -> Manifests:
    """Return Slurm Bridge, and the namespaces whose pods Slurm schedules."""
    all_objects = {
        **bridge_manifests.before_programs(ref, bridge, pools, partitions),
        **bridge_manifests.programs(ref, bridge, pools, partitions),
        **bridge_manifests.webhooks(ref, bridge),
    }
    for namespace in bridge_manifests.namespaces(ref, bridge):
        all_objects |= namespace
    return all_objects


def _autoscaler(
    ref: ClusterRef, resource: Manifest, scaling: AutoscalingSpec | None, query: str | None = None
) -> Manifests:
    if scaling is None:
        return {}
    return {"autoscaler": autoscaler(ref, scaling, resource["kind"], resource["metadata"]["name"], query)}


MANIFESTS: Mapping[str, Callable[..., Manifests]] = MappingProxyType(
    {
        "Accounting": accounting,
        "Controller": controller,
        "Database": lambda ref, **args: by_kind("", database(ref, args["database"])),
        "Directory": lambda ref, **args: by_kind("", directory(ref, args["directory"])),
        "DrainJob": drain_job,
        "LoginSet": login_set,
        "NodeSet": node_set,
        "NodeTopology": lambda ref, **args: by_kind("", node_topology(ref, args["topologies"], args["selectors"])),
        "Prometheus": lambda ref, **args: by_kind("", prometheus(ref, args["prometheus"])),
        "RestApi": rest_api,
        "SacctmgrJob": sacctmgr_job,
        "SharedVolume": lambda ref, **args: by_kind("", shared_volume(ref, args["volume"])),
        "SlurmBridge": bridge,
        "Token": token,
    }
)
"""The objects of a part by the component that makes it; each takes the part's arguments."""
