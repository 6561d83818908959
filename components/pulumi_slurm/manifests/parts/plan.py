"""The plan of a cluster that slurm-operator runs: its parts, and what each comes after.

`pulumi_slurm.slinky.SlurmCluster` creates a component of each part, and `render` its objects, in this order.
"""

from collections.abc import Iterator, Sequence

from pulumi_slurm.configuration.accounts import accounts_script, qos_script, undo_file
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.derived.bridge_nodes import partitions_of_bridge_nodes
from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.manifests.alert_rules import alert_rules
from pulumi_slurm.manifests.cluster_volumes import with_cluster_volumes, with_login_volumes
from pulumi_slurm.manifests.dashboards import dashboard_files
from pulumi_slurm.manifests.directory import sssd_revision, sssd_secret
from pulumi_slurm.manifests.network_policies import network_policies
from pulumi_slurm.manifests.parts.accounting import AccountingPart
from pulumi_slurm.manifests.parts.alert_rules import AlertRulesPart
from pulumi_slurm.manifests.parts.bridge import BridgePart
from pulumi_slurm.manifests.parts.controller import ControllerPart
from pulumi_slurm.manifests.parts.dashboards import DashboardsPart
from pulumi_slurm.manifests.parts.database import DatabasePart
from pulumi_slurm.manifests.parts.directory import DirectoryPart
from pulumi_slurm.manifests.parts.drain_job import DrainJobPart
from pulumi_slurm.manifests.parts.login_set import LoginSetPart
from pulumi_slurm.manifests.parts.network_policies import NetworkPoliciesPart
from pulumi_slurm.manifests.parts.node_set import NodeSetPart
from pulumi_slurm.manifests.parts.node_topology import NodeTopologyPart
from pulumi_slurm.manifests.parts.planned_part import PartKey, PlannedPart
from pulumi_slurm.manifests.parts.prometheus import PrometheusPart
from pulumi_slurm.manifests.parts.rest_api import RestApiPart
from pulumi_slurm.manifests.parts.sacctmgr_job import SacctmgrJobPart
from pulumi_slurm.manifests.parts.shared_volume import SharedVolumePart
from pulumi_slurm.manifests.parts.token import TokenPart
from pulumi_slurm.manifests.topology import selectors_of_nodes
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SecretKeyRef, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.slurmconf.conf import render as render_conf

NAMESPACE, KEYS, IDENTITY = "namespace", "keys", "identity"
"""Parts that are no components: the namespace, the Secrets with keys, the Secret with sssd.conf."""

SLURMCTLD: PartKey = (ControllerPart, "")
REST_API: PartKey = (RestApiPart, "")


def cluster_parts(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Iterator[PlannedPart]:
    """Yield the parts of a cluster in the order in which they are made.

    Of each part only what comes right before it is stated, since the engine follows every path of dependencies when a
    step fails; see `child_options`.
    """
    ref = ClusterRef.of(spec)
    namespace: PartKey = (None, NAMESPACE)
    keys: PartKey = (None, KEYS)
    yield PlannedPart(NAMESPACE)
    yield PlannedPart(KEYS, None, (namespace,))
    policies = network_policies(spec)
    if policies:
        yield PlannedPart("network-policies", NetworkPoliciesPart(cluster=ref, policies=policies), (namespace,))
    mounts: list[PartKey] = []
    if spec.identity:
        if spec.identity.directory:
            directory = DirectoryPart(cluster=ref, directory=spec.identity.directory)
            yield PlannedPart("directory", directory, (namespace,))
        yield PlannedPart(IDENTITY, None, (namespace,))
        mounts.append((None, IDENTITY))
    if spec.monitoring.prometheus:
        prometheus = PrometheusPart(cluster=ref, prometheus=spec.monitoring.prometheus)
        yield PlannedPart("prometheus", prometheus, (namespace,))
    if rules := spec.monitoring.rules:
        alerts = AlertRulesPart(
            cluster=ref, alerts=alert_rules(spec), labels=rules.labels, annotations=rules.annotations
        )
        yield PlannedPart("alerts", alerts, (namespace,))
    if spec.monitoring.dashboards:
        dashboards = DashboardsPart(cluster=ref, files=dashboard_files(spec), options=spec.monitoring.dashboards)
        yield PlannedPart("dashboards", dashboards, (namespace,))
    for volume in spec.shared_volumes:
        yield PlannedPart(volume.name, SharedVolumePart(cluster=ref, volume=volume), (namespace,))
        mounts.append((SharedVolumePart, volume.name))
    slurmdbd = [*_slurmdbd(spec, ref, keys)]
    yield from slurmdbd
    slurmctld_after = [slurmdbd[-1].key if slurmdbd else keys]
    if not spec.controller.external:
        drain = [*_drain(spec, pools, ref, keys)]
        yield from drain
        slurmctld_after.append(drain[-1].key)
    controller = ControllerPart(
        cluster=ref,
        controller=spec.controller,
        monitoring=spec.monitoring,
        accounting=spec.accounting is not None,
        extra_conf=render_conf(additions(spec, pools)),
        config_files=config_files(spec, pools),
        hooks=spec.hooks,
    )
    yield PlannedPart("", controller, tuple(slurmctld_after))
    accounts = accounts_script(spec) if spec.accounting else None
    if spec.accounting and accounts:
        job = SacctmgrJobPart(
            cluster=ref, accounting=spec.accounting, role="accounts", script=accounts, undo=undo_file(spec)
        )
        yield PlannedPart("accounts", job, (SLURMCTLD,))
    yield PlannedPart("", RestApiPart(cluster=ref, rest_api=spec.rest_api), (SLURMCTLD,))
    sssd = sssd_secret(ref, spec.identity) if spec.identity else None
    for node_set in spec.node_sets:
        # The operator sees jobs and nodes through slurmrestd.
        yield PlannedPart(node_set.name, _node_set(spec, pools, ref, node_set, sssd), (REST_API, *mounts))
    for login_set in spec.login_sets if sssd else ():
        assert sssd is not None
        login = LoginSetPart(
            cluster=ref, login_set=with_login_volumes(spec, login_set), sssd=sssd, shared_volumes=spec.shared_volumes
        )
        yield PlannedPart(login_set.name, login, (SLURMCTLD, *mounts))
    for token in spec.tokens:
        yield PlannedPart(token.name, TokenPart(cluster=ref, token=token), (SLURMCTLD,))
    yield from _bridge(spec, pools, ref)


def _slurmdbd(spec: SlurmSpec, ref: ClusterRef, after: PartKey) -> Iterator[PlannedPart]:
    """Yield slurmdbd's database, slurmdbd and the QoS, one after another: slurmctld gives up without them."""
    if spec.accounting is None:
        return
    if not spec.accounting.external:
        database = PlannedPart("database", DatabasePart(cluster=ref, database=spec.accounting.database), (after,))
        yield database
        after = database.key
    slurmdbd = PlannedPart("", AccountingPart(cluster=ref, accounting=spec.accounting), (after,))
    yield slurmdbd
    qos = qos_script(spec)
    if qos:
        job = SacctmgrJobPart(cluster=ref, accounting=spec.accounting, role="qos", script=qos)
        yield PlannedPart("qos", job, (slurmdbd.key,))


def _drain(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ref: ClusterRef, after: PartKey) -> Iterator[PlannedPart]:
    """Yield what annotates nodes, and what drains those that go.

    slurmctld comes after the first, since it ends when a block goes in which a node is.
    """
    if spec.topologies:
        topology = NodeTopologyPart(cluster=ref, topologies=spec.topologies, selectors=selectors_of_nodes(spec, pools))
        yield PlannedPart("topology", topology, (after,))
        after = (NodeTopologyPart, "topology")
    drain = DrainJobPart(
        cluster=ref,
        pod=spec.controller.pod,
        partitions={name: options.state for _, name, options in all_partitions(spec)},
        node_sets=[node_set.slurm_name for node_set in spec.node_sets],
        assume_no_jobs=spec.controller.assume_no_jobs,
    )
    yield PlannedPart("drain", drain, (after,))


def _node_set(
    spec: SlurmSpec,
    pools: Sequence[NodePoolSpec],
    ref: ClusterRef,
    node_set: NodeSetSpec,
    sssd: SecretKeyRef | None,
) -> NodeSetPart:
    if spec.controller.external and node_set.wait is None:
        # A slurmctld outside gets its lines from an output of the update that would wait.
        node_set = with_fields(node_set, wait=False)
    return NodeSetPart(
        cluster=ref,
        node_set=with_cluster_volumes(spec, node_set),
        pool=next((pool for pool in pools if pool.name == node_set.pool), None),
        shared_volumes=spec.shared_volumes,
        sssd=sssd,
        sssd_revision=_sssd_revision(spec, ref),
        scaled_by=_scaled_by(spec, node_set),
        bridge_scheduler=spec.bridge.scheduler_name if spec.bridge else None,
    )


def _sssd_revision(spec: SlurmSpec, ref: ClusterRef) -> str | None:
    """Return what workers with SSH note of sssd.conf; those that a chart made note nothing until it changes."""
    if spec.identity is None or (spec.adopted and spec.identity.sssd_conf_secret and spec.identity.generation == 1):
        return None
    return sssd_revision(ref, spec.identity)


def _scaled_by(spec: SlurmSpec, node_set: NodeSetSpec) -> str | None:
    """Return the partition whose pending jobs an autoscaler counts."""
    scaling = node_set.autoscaling
    return (scaling.partition or next(iter(partitions_of(spec, node_set)), None)) if scaling else None


def _bridge(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ref: ClusterRef) -> Iterator[PlannedPart]:
    """Yield the bridge, which comes after workers: it finds slurmrestd and partitions, and its pods end first."""
    if spec.bridge:
        named = {group.pool for group in spec.bridge.external_nodes}
        bridge = BridgePart(
            cluster=ref,
            bridge=spec.bridge,
            pools=[pool for pool in pools if pool.name in named],
            partitions={
                group.name: list(partitions_of_bridge_nodes(spec, group)) for group in spec.bridge.external_nodes
            },
        )
        workers: list[PartKey] = [(NodeSetPart, node_set.name) for node_set in spec.node_sets]
        yield PlannedPart("bridge", bridge, tuple(workers or [REST_API]))
