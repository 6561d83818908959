"""AckSlurm: a Slurm cluster on Alibaba Cloud, with everything under it."""

from collections.abc import Iterator
from typing import Any, ClassVar, Unpack, overload

import pulumi
from pydantic import Field

from pulumi_slurm.ack import slurm_parts as parts
from pulumi_slurm.ack.cloud import CLOUD
from pulumi_slurm.ack.cluster import AckCluster
from pulumi_slurm.ack.database import AckDatabase
from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.dicts import AckSlurmArgsDict
from pulumi_slurm.ack.disk_class import AckDiskClass, AckDiskClassArgs
from pulumi_slurm.ack.existing.look import look_at_account, with_what_exists
from pulumi_slurm.ack.existing_cluster import AckExistingCluster, AckExistingClusterArgs
from pulumi_slurm.ack.job_completion_database import AckJobCompletionDatabase, AckJobCompletionDatabaseArgs
from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack.network import AckNetwork
from pulumi_slurm.ack.node_pool import AckNodePool
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.pools import pools_from_zero
from pulumi_slurm.ack.service_roles import AckServiceRoles
from pulumi_slurm.ack.shared_storage import AckSharedStorage
from pulumi_slurm.ack.system_pool import AckSystemPool
from pulumi_slurm.ack_slurm.cluster import AckSlurmCluster, AckSlurmClusterArgs
from pulumi_slurm.ack_slurm.copilot import SlurmCopilot, SlurmCopilotArgs
from pulumi_slurm.ack_slurm.operator import AckSlurmOperator, AckSlurmOperatorArgs
from pulumi_slurm.cloud_slurm.answers import refuse
from pulumi_slurm.cloud_slurm.component import CloudSlurm, CloudSlurmArgs
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import Options, after_all
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slinky.cluster import SlurmCluster


class AckSlurmArgs(CloudSlurmArgs):
    """Arguments of `AckSlurm`: what `Pulumi.<stack>.yaml` has below `slurm:` for a stack of kind "ack"."""

    _cloud: ClassVar[Cloud[Any, Any]] = CLOUD

    ack: AckSpec
    """The ACK cluster, its network, node pools, storage and database, and which operator runs Slurm there."""
    database_password: pulumi.Input[str] | None = Field(default=None, repr=False)
    """The password of `cluster.accounting.database`, if it names a Secret with it: slurmdbd.conf of ack-slurm-operator
    contains it."""
    job_completion_password: pulumi.Input[str] | None = Field(default=None, repr=False)
    """The password of `ack.slurm.jobCompletion.user`."""
    copilot_token: pulumi.Input[str] | None = Field(default=None, repr=False)
    """A token for the copilot, with `ack.slurm.copilot.token`."""


class AckSlurm(CloudSlurm[AckSlurmArgs]):
    """A Slurm cluster on Alibaba Cloud: network, ACK cluster, node pools, operator, storage, database, Slurm.

    It has the arguments of a stack of kind "ack", under the same names; `ack.slurmOperator` says whose operator turns
    the Slurm specification into pods. Alibaba Cloud's provider, which is of the same region, comes from ``opts``, or
    is the default one of `alicloud:region`; that of the ACK cluster is `provider`, for what else is to run there.
    Whatever Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in
    order.

    Example::

        hpc = AckSlurm(
            "hpc",
            ack={
                "region": "cn-hangzhou",
                "zones": ["cn-hangzhou-h"],
                "pools": [{"name": "cpu", "instance_types": ["ecs.c8i.4xlarge"], "max_nodes": 4}],
            },
            cluster={
                "name": "hpc",
                "node_sets": [{"name": "cpu", "pool": "cpu", "replicas": 2}],
                "partitions": [{"name": "main", "node_sets": ["ALL"], "default": True, "def_mem_per_cpu": "1500M"}],
            },
        )
    """

    cluster_id: pulumi.Output[str]
    """The id of the ACK cluster."""

    @overload
    def __init__(self, resource_name: str, args: AckSlurmArgs | AckSlurmArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckSlurmArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)

    @property
    def slurm(self) -> SlurmCluster | AckSlurmCluster:
        """The Slurm cluster in it."""
        slurm: SlurmCluster | AckSlurmCluster = self._slurm
        return slurm

    def _build(self) -> SlurmCluster | AckSlurmCluster:
        self._alibaba = self.get_provider("alicloud::")
        refuse(_region_errors(self._args.ack.region, self._alibaba))
        self._clusters = with_what_exists(self._args, self._args.ack, self._alibaba)
        clusters, self._ack, self._plan = self._clusters, self._clusters.ack, self._clusters.plan
        look_at_account(self._plan, self._alibaba)
        self._addresses = plan_addresses(self._plan)
        self._network = self._vpc()
        roles = self._service_roles()
        # Nodes and pods pull their images from the Internet, so the way there is part of the network.
        self._cluster = self._kubernetes(*self._network.resources, *roles)
        self._provider_of_objects = self._cluster.provider
        nodes = self._nodes(roles)
        slinky = self._ack.slurm_operator is AckOperator.SLINKY
        operator = self._slinky_operator(clusters, nodes) if slinky else self._ack_slurm_operator(nodes)
        namespace = self._namespace(clusters, nodes)
        # Alibaba Cloud's provider is inherited.
        on_both = self.child(*namespace, providers=[self.provider])
        disks = AckDiskClass(
            f"{self._name}-disks", AckDiskClassArgs(disk_class=self._ack.disk_class), self._on_kubernetes(*nodes)
        )
        storage = self._storage(on_both)
        database = self._database(on_both)
        completions = self._job_completion(database)
        keda = self._keda(clusters, nodes)
        before = [*operator, *keda, *namespace, disks, *storage, *database, *completions]
        self.kubernetes_cluster, self.kubeconfig = self._cluster.name, self._cluster.kubeconfig
        self.cluster_id = pulumi.Output.from_input(self._cluster.cluster_id)
        return self._slurm_cluster(clusters, before) if slinky else self._ack_slurm_cluster(before)

    def _on_alibaba(self, *after: pulumi.Resource) -> pulumi.ResourceOptions:
        return self.child(*after, provider=self._alibaba)

    def _on_kubernetes(self, *after: pulumi.Resource) -> pulumi.ResourceOptions:
        return self.child(*after, provider=self.provider)

    def _vpc(self) -> parts.Network:
        """Create the VPC, unless it exists."""
        existing = parts.existing_network(self._plan)
        if existing:
            return existing
        network = AckNetwork(self._name, parts.network(self._plan, self._addresses), self._on_alibaba())
        return parts.Network(
            network.vpc_id, network.node_vswitches, network.pod_vswitches, network.security_group_id, (network,)
        )

    def _service_roles(self) -> list[pulumi.Resource]:
        args = parts.service_roles(self._ack)
        return [AckServiceRoles(f"{self._name}-roles", args, self._on_alibaba())] if args else []

    def _kubernetes(self, *after: pulumi.Resource) -> AckCluster | AckExistingCluster:
        if there := self._ack.existing_cluster:
            existing = AckExistingClusterArgs(cluster_id=there.id)
            return AckExistingCluster(self._name, existing, self._on_alibaba(*after))
        args = parts.cluster(self._plan, self._addresses, self._network)
        return AckCluster(self._name, args, self._on_alibaba(*after))

    def _nodes(self, roles: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create the nodes of Slurm's daemons, and then those of node sets; return what comes before pods.

        The first are left out where the cluster exists and none are asked for.
        """
        plan = self._plan
        before_pools: list[pulumi.Resource] = after_all(self._cluster, *roles)
        if plan.makes_system_pool:
            args = parts.system_pool(plan, self._cluster.cluster_id, self._network)
            before_pools = [AckSystemPool(f"{self._name}-system", args, self._on_alibaba(self._cluster))]
        pools = [
            AckNodePool(
                f"{self._name}-{planned.name}",
                parts.node_pool(plan, planned, self._cluster.cluster_id, self._network),
                self._on_alibaba(*before_pools),
            )
            for planned in plan.new_pools
        ]
        return after_all(*pools, *(() if pools else before_pools))

    def _ack_slurm_operator(self, nodes: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Install ack-slurm-operator unless it is there already, and with colocation the Secret of its copilot."""
        options, slurm = self._ack.slurm, self._clusters.cluster
        before = nodes
        if options.operator.install:
            chart = AckSlurmOperatorArgs(
                operator=options.operator,
                install_copilot=options.copilot is not None,
                watch_namespace=slurm.namespace,
                # A Secret that is there before has its namespace.
                create_namespace=options.copilot is None or options.copilot.create_token_secret,
            )
            before = after_all(AckSlurmOperator(f"{self._name}-operator", chart, self._on_kubernetes(*nodes)))
        if options.copilot:
            token = self._args.copilot_token if options.copilot.token else None
            copilot = SlurmCopilotArgs(
                operator_namespace=options.operator.namespace,
                tokens={slurm.name: token} if token else None,
                create_token_secret=options.copilot.create_token_secret,
            )
            before = after_all(SlurmCopilot(f"{self._name}-copilot", copilot, self._on_kubernetes(*before)))
        return [] if before is nodes else before

    def _storage(self, opts: pulumi.ResourceOptions) -> list[AckSharedStorage]:
        return [
            AckSharedStorage(
                f"{self._name}-{storage.name}",
                parts.shared_storage(self._ack, self._slurm_ref, storage, self._network, self._addresses),
                opts,
            )
            for storage in self._ack.storage
        ]

    def _database(self, opts: pulumi.ResourceOptions) -> list[AckDatabase]:
        args = parts.database(self._ack, self._slurm_ref, self._network, self._addresses, self._root_key)
        return [AckDatabase(f"{self._name}-rds", args, opts)] if args else []

    def _job_completion(self, databases: list[AckDatabase]) -> list[AckJobCompletionDatabase]:
        """Create the database of finished jobs, if it isn't on a host of the user's."""
        completion, password = self._ack.slurm.job_completion, self._args.job_completion_password
        if completion is None or completion.host or not password:
            return []
        return [
            AckJobCompletionDatabase(
                f"{self._name}-job-completion",
                AckJobCompletionDatabaseArgs(
                    instance_id=database.instance_id, job_completion=completion, password=password
                ),
                self._on_alibaba(),
            )
            for database in databases
        ]

    @property
    def _slurm_ref(self) -> ClusterRef:
        """The name and namespace of the Slurm cluster; its images and keys are no matter of storage."""
        return ClusterRef(name=self._clusters.cluster.name, namespace=self._clusters.cluster.namespace)

    def _ack_slurm_cluster(self, after: list[pulumi.Resource]) -> AckSlurmCluster:
        """Create the Slurm cluster that ack-slurm-operator runs, and take over its outputs."""
        ack, slurm, secrets = self._ack, self._clusters.slurm, self._args
        password = secrets.database_password
        if ack.database:
            # slurmdbd.conf holds it, and a Secret in the cluster can't be read here.
            password = self._root_key.apply(lambda root: database_password(root, ClusterRef.of(slurm).name))
        args = AckSlurmClusterArgs(
            spec=slurm,
            pools=self._clusters.pools,
            ack=ack.slurm,
            region=ack.region,
            kubernetes_version=ack.control_plane.version,
            cluster_domain=ack.control_plane.cluster_domain,
            pools_from_zero=pools_from_zero(self._plan),
            root_key=self._root_key,
            database_password=password,
            job_completion_password=secrets.job_completion_password,
            ldap_bind_password=secrets.ldap_bind_password,
            create_namespace=False,
        )
        cluster = AckSlurmCluster(self._name, args, self._on_kubernetes(*after))
        self._take_over(cluster)
        self.token_secrets = pulumi.Output.from_input({})
        self.bridge, self.outside = pulumi.Output.from_input({}), pulumi.Output.from_input({})
        self.first_job = pulumi.Output.from_input("")
        return cluster


def _region_errors(region: str, provider: pulumi.ProviderResource | None) -> Iterator[FieldError]:
    """Yield an error if the default provider would make everything in another region."""
    default = pulumi.Config("alicloud").get("region")
    if provider is None and default not in (None, region):
        problem = f'Alibaba Cloud\'s default provider has the region "{default}"'
        fix = f'Write "{default}", set alicloud:region, or pass a provider of this region in opts.'
        yield FieldError(("ack", "region"), region, problem, fix)
