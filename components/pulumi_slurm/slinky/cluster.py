"""SlurmCluster: a whole Slurm cluster from one specification."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import field_validator, model_validator

from pulumi_slurm.dicts import SlurmClusterArgsDict
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.keys import Purpose
from pulumi_slurm.kube import (
    AlertRules,
    Dashboards,
    Database,
    Directory,
    NetworkPolicies,
    NodeTopology,
    Prometheus,
    SharedVolume,
)
from pulumi_slurm.kube.component import Args, Component, Options, after_all, are_checked, checked_before
from pulumi_slurm.kube.other_clusters import check_with_others
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_cluster import bind_password, derived_key, make_namespace, make_parts, partition_names
from pulumi_slurm.kube.slurm_outputs import SlurmOutputs
from pulumi_slurm.manifests.directory import sssd_conf, sssd_secret
from pulumi_slurm.manifests.objects import SSSD_CONF, manifest
from pulumi_slurm.manifests.outside import outside
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
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.parts.plan import IDENTITY, KEYS, NAMESPACE, REST_API, cluster_parts
from pulumi_slurm.manifests.parts.planned_part import PartKey, PlannedPart
from pulumi_slurm.manifests.parts.prometheus import PrometheusPart
from pulumi_slurm.manifests.parts.rest_api import RestApiPart
from pulumi_slurm.manifests.parts.sacctmgr_job import SacctmgrJobPart
from pulumi_slurm.manifests.parts.shared_volume import SharedVolumePart
from pulumi_slurm.manifests.parts.token import TokenPart
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import JWT_KEY, SLURM_KEY, ClusterRef
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.rules import check_cluster, check_clusters, check_pool_list, check_pools
from pulumi_slurm.slinky.accounting import Accounting
from pulumi_slurm.slinky.bridge import SlurmBridge
from pulumi_slurm.slinky.controller import Controller
from pulumi_slurm.slinky.drain_job import DrainJob
from pulumi_slurm.slinky.login_set import LoginSet
from pulumi_slurm.slinky.node_set import NodeSet
from pulumi_slurm.slinky.rest_api import RestApi
from pulumi_slurm.slinky.sacctmgr_job import SacctmgrJob
from pulumi_slurm.slinky.token import Token
from pulumi_slurm.slinky.worker_wait import worker_wait

_COMPONENTS: Mapping[type[Part], type[Component[Any]]] = MappingProxyType(
    {
        AccountingPart: Accounting,
        AlertRulesPart: AlertRules,
        BridgePart: SlurmBridge,
        ControllerPart: Controller,
        DashboardsPart: Dashboards,
        DatabasePart: Database,
        DirectoryPart: Directory,
        DrainJobPart: DrainJob,
        LoginSetPart: LoginSet,
        NetworkPoliciesPart: NetworkPolicies,
        NodeSetPart: NodeSet,
        NodeTopologyPart: NodeTopology,
        PrometheusPart: Prometheus,
        RestApiPart: RestApi,
        SacctmgrJobPart: SacctmgrJob,
        SharedVolumePart: SharedVolume,
        TokenPart: Token,
    }
)
_DERIVE_PASSWORDS = (DatabasePart, DirectoryPart)
"""Parts whose components take the root key."""


class SlurmClusterArgs(Args):
    """Arguments of `SlurmCluster`."""

    spec: SlurmSpec
    """The specification."""
    pools: list[NodePoolSpec] = []
    """The node pools that its node sets refer to."""
    root_key: pulumi.Input[str] | None = None
    """The root key that keys are derived from; the stack secret `slurm:rootKey` by default."""
    ldap_bind_password: pulumi.Input[str] | None = None
    """The password of `identity.ldap.bindDn`; the stack secret `slurm:ldapBindPassword` by default."""
    create_namespace: bool = True
    """Create the namespace. Write false if it exists already, for example with the volumes of an earlier cluster."""

    _root_key = field_validator("root_key")(check_root_key)

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        if are_checked():
            return self
        errors = [*check_cluster(self.spec), *check_pools(self.spec, self.pools)]
        raise_errors(
            [
                *(error.below("spec") for error in errors),
                *(error.below("pools") for error in check_pool_list(self.pools)),
            ]
        )
        return self


class SlurmCluster(SlurmOutputs, Component[SlurmClusterArgs]):
    """A Slurm cluster: keys, volumes, database, slurmdbd, slurmctld, slurmrestd, workers, login nodes, tokens, bridge.

    Everything comes after what it needs and goes before it, so that the operator can end workers while slurmctld is
    still there. The provider comes from ``opts``; give it ``enable_secret_mutable=True``, so that a rotated key updates
    its Secret in place.

    Example::

        pool = NodePoolSpec(name="cpu", machine=MachineSpec(cpus=15, memory="57Gi"), node_labels={"pool": "cpu"})
        workers = NodeSetSpec(name="cpu", pool="cpu", replicas=4)
        main = PartitionSpec(name="main", node_sets=["ALL"], default=True, def_mem_per_cpu="3800M")
        spec = SlurmSpec(name="hpc", node_sets=[workers], partitions=[main])
        cluster = SlurmCluster("hpc", SlurmClusterArgs(spec=spec, pools=[pool]), opts)
    """

    rest_url: pulumi.Output[str]
    """Where slurmrestd is found from inside the Kubernetes cluster."""

    @overload
    def __init__(
        self, resource_name: str, args: SlurmClusterArgs | SlurmClusterArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[SlurmClusterArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        spec = self._args.spec
        check_with_others(self, resource_name, spec, ("Cluster", check_clusters))
        self._cluster = ClusterRef.of(spec)
        self._root_key = root_key(self._args.root_key)
        self._components: dict[PartKey, Any] = {}
        parts = [*cluster_parts(spec, self._args.pools)]
        last = make_parts(parts, self._make)
        if pulumi.runtime.is_dry_run() and (waits := [*_waits(parts)]):
            pulumi.log.info(f"`pulumi up` waits for {', '.join(waits)}.", self)
        self._set_outputs()
        self.finish(*last)

    def _make(self, planned: PlannedPart, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create a part of the cluster; return what comes last of it."""
        if planned.part is None:
            creators = {NAMESPACE: lambda _: self._namespace(), KEYS: self._keys, IDENTITY: self._sssd}
            return creators[planned.name](after)
        component = self._component(planned.name, planned.part, after)
        self._components[planned.key] = component
        # Of a database elsewhere nothing is made that could be waited for.
        return component.last_children() or (after if isinstance(planned.part, DatabasePart) else [])

    def _component(self, name: str, part: Part, after: list[pulumi.Resource]) -> Component[Any]:
        secrets = {"root_key": self._root_key} if isinstance(part, _DERIVE_PASSWORDS) else {}
        args = {**dict(part), **secrets}
        with checked_before():
            return _COMPONENTS[type(part)](f"{self._name}-{name}".removesuffix("-"), args, self.child(*after))

    def _namespace(self) -> list[pulumi.Resource]:
        args = self._args
        return make_namespace(self._name, self.child, args.spec, self._root_key, create=args.create_namespace)

    def _keys(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create the Secrets one after another; return what comes last."""
        last = after
        keys = self._args.spec.keys
        for purpose, key, field in ((Purpose.SLURM, keys.slurm, SLURM_KEY), (Purpose.JWT, keys.jwt, JWT_KEY)):
            if not key.existing:
                secret = manifest("v1", "Secret", self._cluster, key_secret(self._cluster.name, purpose))
                value = derived_key(self._root_key, self._cluster.name, purpose, key.generation)
                last = [self.create_secret(f"{purpose}-key", secret, {field: value}, *last)]
        return last

    def _sssd(self, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create the Secret with sssd.conf, unless the user has one; return what login and worker pods come after."""
        identity = self._args.spec.identity
        assert identity is not None
        if identity.sssd_conf_secret:
            return []
        directory = self._components.get((DirectoryPart, "directory"))
        password: pulumi.Output[Any] = (
            directory.password if directory else bind_password(identity, self._args.ldap_bind_password)
        )
        text = password.apply(lambda value: sssd_conf(self._cluster, identity, value))
        secret = manifest("v1", "Secret", self._cluster, sssd_secret(self._cluster, identity).name)
        sssd = self.create_secret("sssd", secret, {SSSD_CONF: text}, *after)
        return [*(after_all(directory) if directory else []), sssd]

    def _set_outputs(self) -> None:
        spec = self._args.spec
        self.namespace = pulumi.Output.from_input(spec.namespace)
        self.rest_url = self._components[REST_API].url
        self.ssh_commands = self._by_name(LoginSetPart, lambda login_set: login_set.ssh_command)
        self.partitions = pulumi.Output.from_input(partition_names(spec))
        self.token_secrets = self._by_name(TokenPart, lambda token: token.secret_name)
        self.key_secrets = pulumi.Output.from_input(
            {"slurm": self._cluster.slurm_key()["name"], "jwt": self._cluster.jwt_key()["name"]}
        )
        self.outside = pulumi.Output.from_input(outside(spec, self._args.pools))

        bridge = self._components.get((BridgePart, "bridge"))
        self.bridge = bridge.bridge if bridge else pulumi.Output.from_input({})
        self.first_job = bridge.first_job if bridge else pulumi.Output.from_input("")

    def _by_name(
        self, part: type[Part], output_of: Callable[[Any], pulumi.Output[str]]
    ) -> pulumi.Output[dict[str, str]]:
        outputs = {name: output_of(component) for (kind, name), component in self._components.items() if kind is part}
        # Of nothing, `Output.all` makes a list.
        return pulumi.Output.all(**outputs) if outputs else pulumi.Output.from_input({})


def _waits(parts: Sequence[PlannedPart]) -> Iterator[str]:
    """Yield in words what the update waits for of each node set."""
    for planned in parts:
        if isinstance(planned.part, NodeSetPart):
            wait = worker_wait(planned.part.node_set, planned.part.pool)
            if wait:
                yield f"{wait.workers} ({wait.time} at most)"
