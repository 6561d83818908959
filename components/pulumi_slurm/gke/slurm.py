"""GkeSlurm: a Slurm cluster on Google Cloud, with everything under it."""

from dataclasses import dataclass
from typing import Any, ClassVar, Unpack, overload

import pulumi

from pulumi_slurm.cloud_slurm.component import CloudSlurm, CloudSlurmArgs
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.gke import slurm_parts as parts
from pulumi_slurm.gke.cloud import CLOUD
from pulumi_slurm.gke.cluster import GkeCluster
from pulumi_slurm.gke.database import GkeDatabase
from pulumi_slurm.gke.dicts import GkeSlurmArgsDict
from pulumi_slurm.gke.encryption_key import GkeKeyUsers
from pulumi_slurm.gke.existing.look import look_at_project, with_what_exists
from pulumi_slurm.gke.existing_cluster import GkeExistingCluster
from pulumi_slurm.gke.grants import needed_grants
from pulumi_slurm.gke.model import GkeOperator, GkeSpec
from pulumi_slurm.gke.nccl_plugins import GkeNcclPlugins
from pulumi_slurm.gke.network import GkeNetwork
from pulumi_slurm.gke.new_project import GkeNewProject
from pulumi_slurm.gke.node_account import GkeNodeAccount, GkeNodeAccountArgs
from pulumi_slurm.gke.node_pool import GkeNodePool
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.metrics import pod_monitorings
from pulumi_slurm.gke.pod_networks import GkePodNetworks
from pulumi_slurm.gke.registry import GkeRegistry
from pulumi_slurm.gke.services import GkeServices
from pulumi_slurm.gke.shared_storage import GkeSharedStorage
from pulumi_slurm.gke.system_pool import GkeSystemPool, GkeSystemPoolArgs
from pulumi_slurm.gke.workload_identity import GkeWorkloadIdentity
from pulumi_slurm.kube.component import Options, after_all
from pulumi_slurm.kube.resources import create
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slinky.cluster import SlurmCluster


class GkeSlurmArgs(CloudSlurmArgs):
    """Arguments of `GkeSlurm`: what `Pulumi.<stack>.yaml` has below `slurm:` for a stack of kind "gke"."""

    _cloud: ClassVar[Cloud[Any, Any]] = CLOUD

    gke: GkeSpec
    """The GKE cluster, its network, node pools, storage and database."""


@dataclass(frozen=True)
class _Account:
    """The service account of nodes."""

    email: pulumi.Input[str]
    resources: tuple[pulumi.Resource, ...] = ()
    """What comes before the nodes; nothing if it exists already."""


class GkeSlurm(CloudSlurm[GkeSlurmArgs]):
    """A Slurm cluster on Google Cloud: network, GKE cluster, node pools, slurm-operator, storage, database, Slurm.

    It has the arguments of a stack of kind "gke", under the same names. Google's provider comes from ``opts``, or is
    the default one of `gcp:project`; that of the GKE cluster is `provider`, for what else is to run there. Whatever
    Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in order.

    Example::

        hpc = GkeSlurm(
            "hpc",
            gke={
                "project": "my-project",
                "region": "us-central1",
                "zones": ["us-central1-a"],
                "pools": [{"name": "cpu", "machine_type": "c3-standard-22", "max_nodes": 4}],
            },
            cluster={
                "name": "hpc",
                "node_sets": [{"name": "cpu", "pool": "cpu", "replicas": 2}],
                "partitions": [{"name": "main", "node_sets": ["ALL"], "default": True, "def_mem_per_cpu": "3G"}],
            },
        )
    """

    get_credentials: pulumi.Output[str]
    """The command after which kubectl talks to the cluster."""
    registry_url: pulumi.Output[str]
    """Where images are pushed; empty without `gke.registry`."""
    shared_vpc_grants: pulumi.Output[list[dict[str, str]]]
    """What a host project has to grant for a Shared VPC; empty otherwise."""
    needed_grants: pulumi.Output[list[dict[str, str]]]
    """Who needs which role on what, as far as `gke.manage.iam` leaves that to others."""

    @overload
    def __init__(self, resource_name: str, args: GkeSlurmArgs | GkeSlurmArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeSlurmArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)

    @property
    def slurm(self) -> SlurmCluster:
        """The Slurm cluster in it."""
        slurm: SlurmCluster = self._slurm
        return slurm

    def _build(self) -> SlurmCluster:
        self._google = self.get_provider("gcp::")
        clusters, cluster_facts = with_what_exists(self._args, self._args.gke, self._google)
        self._clusters, self._gke, self._plan = clusters, clusters.gke, clusters.plan
        self._addresses = plan_addresses(self._plan)
        look_at_project(self._plan, self._google)
        project = self._new_project()
        self._number = project.number if project else None
        services = GkeServices(self._name, parts.services(self._plan), self._on_google(*([project] if project else [])))
        keys = self._key_users(services)
        registry = self._registry(*(keys or [services]))
        attached = parts.network(self._plan, self._addresses, cluster_facts, self._number)
        self._network = GkeNetwork(self._name, attached, self._on_google(services))
        self.shared_vpc_grants = self._network.shared_vpc_grants
        self._account = self._node_account(services)
        self._cluster = self._kubernetes(self._network, *self._account.resources, *keys)
        self._provider_of_objects = self._cluster.provider
        nodes = self._nodes()
        operator: list[pulumi.Resource] = []
        if self._gke.slurm_operator is GkeOperator.SLINKY:
            operator = self._slinky_operator(clusters, nodes)
        keda = self._keda(clusters, nodes)
        namespace = self._namespace(clusters, nodes)
        # Google's provider is inherited.
        on_both = self.child(*self._network.private_services(), *namespace, providers=[self.provider])
        storage = self._storage(on_both)
        database = self._database(on_both)
        on_namespace = self.child(*namespace, provider=self.provider)
        for manifest in pod_monitorings(clusters.slurm):
            role = manifest["metadata"]["name"].removeprefix(clusters.slurm.name)
            self._beside.append(create(f"{self._name}{role}", manifest, on_namespace))
        before = [*operator, *keda, *namespace, *registry, *storage, *database]
        self.kubernetes_cluster, self.kubeconfig = self._cluster.name, self._cluster.kubeconfig
        by_name = cluster_facts is None or cluster_facts.by_name
        self.get_credentials = pulumi.Output.from_input(parts.get_credentials(self._gke, by_name=by_name))
        return self._slurm_cluster(clusters, before)

    def _on_google(self, *after: pulumi.Resource) -> pulumi.ResourceOptions:
        return self.child(*after, provider=self._google)

    def _new_project(self) -> GkeNewProject | None:
        """Create the project, unless it exists."""
        args = parts.new_project(self._gke)
        return GkeNewProject(self._name, args, self._on_google()) if args else None

    def _key_users(self, services: pulumi.Resource) -> list[pulumi.Resource]:
        """Let Google's services use the key of all that is made; return what comes before that."""
        args = parts.key_users(self._plan, self._number)
        return after_all(GkeKeyUsers(self._name, args, self._on_google(services))) if args else []

    def _registry(self, *after: pulumi.Resource) -> list[pulumi.Resource]:
        self.registry_url = pulumi.Output.from_input("")
        args = parts.registry(self._plan)
        if args is None:
            return []
        registry = GkeRegistry(self._name, args, self._on_google(*after))
        self.registry_url = registry.url
        return after_all(registry)

    def _node_account(self, services: pulumi.Resource) -> _Account:
        gke, plan = self._gke, self._plan
        if gke.node_account or not (plan.new_pools or plan.makes_system_pool):
            return _Account(gke.node_account or "")
        args = GkeNodeAccountArgs(project=gke.project, gke_cluster=self._clusters.name)
        account = GkeNodeAccount(self._name, args, self._on_google(services))
        return _Account(account.email, (account,))

    def _kubernetes(self, *after: pulumi.Resource) -> GkeCluster | GkeExistingCluster:
        there = parts.existing_cluster(self._gke)
        if there:
            return GkeExistingCluster(self._name, there, self._on_google(*after))
        args = parts.cluster(self._plan, self._network, self._account.email, self._number)
        return GkeCluster(self._name, args, self._on_google(*after))

    def _nodes(self) -> list[pulumi.Resource]:
        """Create the node pools, with what pods need to use their fast networks; return what comes before pods."""
        system_pool = self._system_pool()
        before_pools = [*system_pool, *self._fast_networks()]
        shared = parts.of_all_pools(self._gke, self._cluster.name, self._account.email)
        pools = [
            GkeNodePool(
                f"{self._name}-{planned.name}",
                parts.node_pool(planned, self._network, self._addresses, shared),
                self._on_google(*before_pools),
            )
            for planned in self._plan.new_pools
        ]
        return after_all(*pools) or before_pools

    def _system_pool(self) -> list[pulumi.Resource]:
        """Create the system pool, unless the cluster exists and none is asked for; return what comes before others."""
        # A cluster that is made comes after the account itself.
        before = [self._cluster, *(self._account.resources if self._gke.existing_cluster else ())]
        if not self._plan.makes_system_pool:
            return after_all(*before)
        shared = parts.of_all_pools(self._gke, self._cluster.name, self._account.email)
        args = GkeSystemPoolArgs(**shared, pool=self._gke.system_pool)
        return after_all(GkeSystemPool(f"{self._name}-system", args, self._on_google(*before)))

    def _fast_networks(self) -> list[pulumi.Resource]:
        """Create what pods and NCCL need to use the fast networks of pools, before there are nodes.

        What the cluster's own provider makes comes after the cluster anyway, as a provider is a dependency too.
        """
        resources: list[pulumi.Resource] = []
        options = pulumi.ResourceOptions(parent=self, provider=self.provider)
        if self._addresses.fabric:
            resources.append(GkePodNetworks(self._name, parts.pod_networks(self._network, self._addresses), options))
        if plugins := parts.nccl_plugins(self._plan):
            resources.append(GkeNcclPlugins(self._name, plugins, options))
        return after_all(*resources)

    def _storage(self, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
        """Create the shared storage, and what its pods may do with buckets."""
        gke, ref = self._gke, ClusterRef.of(self._clusters.slurm)
        storages = {
            storage.name: GkeSharedStorage(
                f"{self._name}-{storage.name}", parts.shared_storage(gke, ref, storage, self._network), opts
            )
            for storage in gke.storage
        }
        buckets: dict[bool, dict[str, pulumi.Input[str]]] = {True: {}, False: {}}
        for storage in gke.storage:
            if storage.bucket:
                buckets[storage.bucket.read_only][storage.name] = storages[storage.name].bucket_name.apply(str)
        grants = needed_grants(self._plan, ref, buckets, self._number, pulumi.InvokeOutputOptions(parent=self))
        self.needed_grants = pulumi.Output.all(*map(pulumi.Output.from_input, grants))
        identity: list[pulumi.Resource] = []
        if any(buckets.values()):
            args = parts.workload_identity(gke, ref, buckets)
            identity.append(GkeWorkloadIdentity(f"{self._name}-storage", args, opts))
        return after_all(*storages.values(), *identity)

    def _database(self, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
        args = parts.database(self._gke, ClusterRef.of(self._clusters.slurm), self._network, self._root_key)
        return after_all(GkeDatabase(f"{self._name}-cloudsql", args, opts)) if args else []
