"""AckSharedStorage: a NAS file system, as a volume that login and worker pods share."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pulumi_alicloud import nas
from pydantic import model_validator

from pulumi_slurm.ack import volumes
from pulumi_slurm.ack.model import AckStorageSpec
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection
from pulumi_slurm.kube.resources import create
from pulumi_slurm.kube.stated_parts import stated_storage
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim


class AckSharedStorageArgs(Args):
    """Arguments of `AckSharedStorage`."""

    spec: CheckedAckSpec
    """The ACK cluster."""
    storage: str
    """Which item of `spec.storage` to make, by its name."""
    cluster: ClusterRef
    """The Slurm cluster that mounts it."""
    vpc_id: pulumi.Input[str] | None = None
    """The VPC's id; not needed for a file system that exists already."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]] | None = None
    """By zone: the id of the vSwitch of nodes: `AckNetwork.node_vswitches`; likewise."""

    @model_validator(mode="after")
    def _it_is_stated(self) -> Self:
        item = stated_storage(self.spec.storage, self.storage)
        if not item.nas.existing:
            absent = [field for field in ("vpc_id", "node_vswitches") if getattr(self, field) is None]
            if absent:
                raise field_errors(
                    [
                        FieldError(
                            (field,),
                            FieldError.ABSENT,
                            "NAS has to know where nodes are",
                            f"Pass AckNetwork's {field}.",
                        )
                        for field in absent
                    ]
                )
        return self


class AckSharedStorage(Component[AckSharedStorageArgs]):
    """One item of an ACK cluster's storage, and a claim for it in the Slurm cluster's namespace.

    ``opts`` takes both providers, ``ResourceOptions(providers=[alicloud, kubernetes])``: the first makes the storage,
    the second its volume and its claim, which come after the namespace: give it as `depends_on`.

    Only nodes may mount it, and root stays root there, since Slurm's daemons and home folders need it. With
    `deletionProtection` Pulumi refuses to delete or to replace it before it has touched anything else. Without it, a
    destroy deletes the data. A file system that existed already is never deleted.

    The volume and its claim keep the size that they were made with; nothing reads the figure. Not checked on a real
    account: mounts, and that the zone offers the storage type.
    """

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""
    server: pulumi.Output[str]
    """The domain of the mount target."""

    def __init__(
        self, name: str, args: AckSharedStorageArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckSharedStorageArgs, args)
        item = stated_storage(args.spec.storage, args.storage)
        # Only its own part of the specification: no other change is to show as a change of this.
        inputs = {"storage": item.model_dump(mode="json", by_alias=True, exclude_none=True)}
        super().__init__(name, args, opts, inputs=inputs)
        self._name, self._args, self._opts = name, args, opts
        existing = item.nas.existing
        self.server = pulumi.Output.from_input(existing) if existing else self._file_system(item)
        made: list[pulumi.Resource] = []
        for manifest in volumes.volume_and_claim(args.cluster, item, self.server):
            claim = manifest["kind"] == "PersistentVolumeClaim"
            options = child_options(
                self, opts, made[-1:], ignore_changes=["spec.resources" if claim else "spec.capacity"]
            )
            made.append(create(f"{name}-{'claim' if claim else 'volume'}", manifest, options))
        self._last = made[-1:]
        self.claim_name = pulumi.Output.from_input(shared_volume_claim(args.cluster.name, item.name))
        self.finish(*self._last)

    def _file_system(self, item: AckStorageSpec) -> pulumi.Output[str]:
        spec, what = self._args.spec, item.nas
        physical_name = f"{spec.cluster_name}-{item.name}"
        zone = what.zone or spec.zones[0]
        system = nas.FileSystem(
            f"{self._name}-nas",
            protocol_type="NFS",
            file_system_type=what.file_system_type.value,
            storage_type=what.kind,
            zone_id=zone,
            capacity=what.capacity_gib,
            encrypt_type=1 if what.encrypted else 0,
            description=physical_name,
            tags=spec.tags or None,
            opts=child_options(self, self._opts, protect=protection(spec.deletion_protection)),
        )
        group = nas.AccessGroup(
            f"{self._name}-access",
            access_group_name=physical_name,
            access_group_type="Vpc",
            file_system_type=what.file_system_type.value,
            opts=child_options(self, self._opts),
        )
        rules: list[pulumi.Resource] = [
            nas.AccessRule(
                f"{self._name}-access-{place}",
                access_group_name=group.access_group_name,
                file_system_type=what.file_system_type.value,
                source_cidr_ip=cidr,
                rw_access_type="RDWR",
                user_access_type="no_squash",
                priority=1,
                opts=child_options(self, self._opts),
            )
            for place, cidr in plan_addresses(spec).nodes.items()
        ]
        assert self._args.node_vswitches is not None, "the arguments are refused without it"
        target = nas.MountTarget(
            f"{self._name}-target",
            file_system_id=system.id,
            access_group_name=group.access_group_name,
            network_type="Vpc",
            vpc_id=self._args.vpc_id,
            vswitch_id=pulumi.Output.from_input(self._args.node_vswitches).apply(
                # A zone without nodes has no vSwitch; NAS is reached from the others too.
                lambda ids: ids.get(zone) or ids[spec.zones[0]]
            ),
            # Without rules nobody could mount it, and pods come right after it.
            opts=child_options(self, self._opts, rules),
        )
        return target.mount_target_domain
