"""AckSharedStorage: a NAS file system as a volume that login and worker pods share."""

from collections.abc import Iterator, Mapping
from typing import Any, Self, Unpack, overload

import pulumi
from pulumi_alicloud import nas
from pydantic import model_validator

from pulumi_slurm.ack import volumes
from pulumi_slurm.ack.dicts import AckSharedStorageArgsDict
from pulumi_slurm.ack.model import AckStorageSpec
from pulumi_slurm.ack.node_vswitches import missing_vswitches, vswitch_of
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.ack.storage_classes import nas_class
from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.kube.component import Args, Component, Options, protection
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim


class AckSharedStorageArgs(Args):
    """Arguments of `AckSharedStorage`."""

    cluster: ClusterRef
    """The Slurm cluster that mounts it."""
    storage: AckStorageSpec
    """The storage. The default of its `nas.zone` is the argument `zone`."""
    ack_cluster: str = "slurm"
    """The name of the ACK cluster, the prefix of the names of the file system and its access group."""
    zone: str | None = None
    """A zone with nodes: the default zone of the file system, and the zone of its mount target if the file system is in
    a zone without nodes."""
    vpc_id: pulumi.Input[str] | None = None
    """The VPC's id, for example `AckNetwork.vpc_id`."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]] | None = None
    """By zone: the id of the vSwitch of nodes, for example `AckNetwork.node_vswitches`."""
    node_ranges: dict[str, pulumi.Input[str]] = {}
    """By zone: the range of the vSwitch of nodes. Only these ranges may mount it."""
    tags: dict[str, str] = {}
    """Tags of the file system."""
    deletion_protection: bool = True
    """Make Pulumi refuse to delete or replace the file system."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        if not self.storage.nas.existing:
            raise_errors(self._missing_arguments())
        check_part(
            {
                "name": self.ack_cluster,
                "zones": [self.zone] if self.zone else [],
                "storage": [self.storage],
                "tags": self.tags,
            },
            {
                ("name",): ("ack_cluster",),
                ("zones", 0): ("zone",),
                ("storage", 0): ("storage",),
                ("tags",): ("tags",),
            },
        )
        return self

    def _missing_arguments(self) -> Iterator[FieldError]:
        """Yield the errors of missing arguments that only an existing file system doesn't need."""
        fixes = {
            "zone": 'Write one of the zones of nodes, for example "cn-hangzhou-i".',
            "vpc_id": "Pass AckNetwork's vpcId.",
            "node_vswitches": "Pass AckNetwork's nodeVswitches.",
            "node_ranges": "Write the range of the nodes' vSwitch by zone.",
        }
        for field, fix in fixes.items():
            if getattr(self, field) in (None, {}):
                yield FieldError((field,), FieldError.ABSENT, "NAS needs the network of the nodes", fix)
        # A file system in a zone without nodes has its mount target in the other zone.
        vswitches = self.node_vswitches
        if self.zone and isinstance(vswitches, Mapping) and vswitches and self.storage.nas.zone not in vswitches:
            yield from missing_vswitches([self.zone], vswitches)


class AckSharedStorage(Component[AckSharedStorageArgs]):
    """A NAS file system, and a claim for it in the Slurm cluster's namespace.

    ``opts`` takes both providers, ``ResourceOptions(providers=[alicloud, kubernetes])``: the first creates the file
    system, the second its volume and its claim. These need the namespace: pass it as `depends_on`.

    Only nodes may mount it, and root isn't squashed, because Slurm's daemons and home folders need root. With
    `deletion_protection` Pulumi refuses to delete or replace it before it changes any other resource. Without it, a
    destroy deletes the data. An existing file system is never deleted.

    The volume and its claim keep the size with which they were created, which nothing reads.

    Example::

        args = AckSharedStorageArgs(
            cluster=ClusterRef(name="hpc"),
            storage=AckStorageSpec(name="home", mount_path="/home"),
            zone="cn-hangzhou-i",
            vpc_id=network.vpc_id,
            node_vswitches=network.node_vswitches,
            node_ranges={"cn-hangzhou-i": "10.1.0.0/18"},
        )
        AckSharedStorage("home", args, pulumi.ResourceOptions(providers=[alibaba, kubernetes], depends_on=[namespace]))
    """

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""
    server: pulumi.Output[str]
    """The domain of the mount target."""

    @overload
    def __init__(
        self, resource_name: str, args: AckSharedStorageArgs | AckSharedStorageArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckSharedStorageArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster, storage = self._args.cluster, self._args.storage
        existing = storage.nas.existing
        self.server = pulumi.Output.from_input(existing) if existing else self._file_system()
        volume, claim = volumes.volume_and_claim(cluster, storage, self.server)
        persistent_volume = self.create("volume", volume, ignore_changes=["spec.capacity"])
        persistent_volume_claim = self.create("claim", claim, persistent_volume, ignore_changes=["spec.resources"])
        self.claim_name = pulumi.Output.from_input(shared_volume_claim(cluster.name, storage.name))
        self.finish(persistent_volume_claim, *self._storage_class())

    def _storage_class(self) -> list[pulumi.Resource]:
        storage = self._args.storage
        if storage.storage_class is None:
            return []
        folder = pulumi.Output.concat(self.server, ":", storage.nas.root.rstrip("/"), "/")
        return [self.create("class", nas_class(storage.storage_class, storage.nas, folder))]

    def _file_system(self) -> pulumi.Output[str]:
        """Create the file system; return the domain of its mount target."""
        args, nas_spec = self._args, self._args.storage.nas
        assert args.zone is not None, "the arguments are refused without it"
        physical_name = f"{args.ack_cluster}-{args.storage.name}"
        file_system_type = str(nas_spec.file_system_type)
        zone_of_nodes = args.zone
        zone = nas_spec.zone or zone_of_nodes
        system = nas.FileSystem(
            f"{self._name}-nas",
            protocol_type="NFS",
            file_system_type=file_system_type,
            storage_type=nas_spec.kind,
            zone_id=zone,
            capacity=nas_spec.capacity_gib,
            encrypt_type=1 if nas_spec.encrypted else 0,
            description=physical_name,
            tags=args.tags or None,
            opts=self.child(protect=protection(args.deletion_protection)),
        )
        group = nas.AccessGroup(
            f"{self._name}-access",
            access_group_name=physical_name,
            access_group_type="Vpc",
            file_system_type=file_system_type,
            opts=self.child(),
        )
        rules = [
            nas.AccessRule(
                f"{self._name}-access-{node_zone}",
                access_group_name=group.access_group_name,
                file_system_type=file_system_type,
                source_cidr_ip=cidr,
                rw_access_type="RDWR",
                user_access_type="no_squash",
                priority=1,
                opts=self.child(),
            )
            for node_zone, cidr in args.node_ranges.items()
        ]
        vswitches: pulumi.Output[Any] = pulumi.Output.from_input(args.node_vswitches)
        target = nas.MountTarget(
            f"{self._name}-target",
            file_system_id=system.id,
            access_group_name=group.access_group_name,
            network_type="Vpc",
            vpc_id=args.vpc_id,
            # A zone without nodes has no vSwitch; nodes in other zones can mount NAS too.
            vswitch_id=vswitches.apply(lambda ids: vswitch_of(zone if zone in ids else zone_of_nodes, ids)),
            # Pods are created right after the mount target, and can't mount it without access rules.
            opts=self.child(*rules),
        )
        return target.mount_target_domain
