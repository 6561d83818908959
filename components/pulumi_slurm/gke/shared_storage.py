"""GkeSharedStorage: Filestore, Managed Lustre or a bucket, as a volume that login and worker pods share."""

import hashlib
from collections.abc import Mapping
from typing import Any, Self

import pulumi
import pulumi_gcp as gcp
from pydantic import model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.gke import volumes
from pulumi_slurm.gke.inputs import PLACE, inputs
from pulumi_slurm.gke.model import BucketSpec, FilestoreSpec, GkeStorageSpec, LustreSpec
from pulumi_slurm.gke.model.storage import FilestoreTier
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection
from pulumi_slurm.kube.resources import create
from pulumi_slurm.kube.stated_parts import stated_storage
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim

_SHARE = "share"
"""The name of a Filestore instance's only share; 16 characters at most, without hyphens."""


class GkeSharedStorageArgs(Args):
    """Arguments of `GkeSharedStorage`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""
    storage: str
    """Which item of `spec.storage` to make, by its name."""
    cluster: ClusterRef
    """The Slurm cluster that mounts it."""
    network: pulumi.Input[str] | None = None
    """The VPC in the form projects/<project>/global/networks/<name>; not needed for a bucket."""

    @model_validator(mode="after")
    def _it_is_stated(self) -> Self:
        item = stated_storage(self.spec.storage, self.storage)
        if self.network is None and not item.bucket:
            raise field_errors(
                [
                    FieldError(
                        ("network",),
                        FieldError.ABSENT,
                        "Filestore and Lustre have to know the VPC",
                        "Pass the network's id, for example GkeNetwork's network_id.",
                    )
                ]
            )
        return self


class GkeSharedStorage(Component[GkeSharedStorageArgs]):
    """One item of a GKE cluster's storage, and a claim for it in the Slurm cluster's namespace.

    ``opts`` takes both providers, ``ResourceOptions(providers=[google, kubernetes])``: the first makes the storage, the
    second its volume and its claim. Filestore and Lustre come after private services access, and the claim after the
    namespace: give both as `depends_on`.

    With `deletionProtection` Pulumi refuses to delete or to replace the storage before it has touched anything else,
    and Google refuses it for Filestore, whoever asks. Without it, a destroy deletes the data: also all that is in
    a bucket. A bucket that existed already is never deleted. To have other storage behind a mount path, state it under
    another name: a claim can't be replaced while pods mount it, so Pulumi would wait for them in vain.

    It grows in place. The volume and its claim keep the size that they were made with: Kubernetes lets nobody raise
    a claim on a volume that was made by hand, and nothing reads the figure. Not checked against a real project:
    deletion protection of basic tiers, mounts of all three kinds, and growing.
    """

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""
    bucket_name: pulumi.Output[str | None]
    """The bucket's name, for `GkeWorkloadIdentity`; None for Filestore and Lustre."""

    def __init__(
        self, name: str, args: GkeSharedStorageArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeSharedStorageArgs, args)
        item = stated_storage(args.spec.storage, args.storage)
        shown = inputs(
            args.spec, (*PLACE, "labels", "deletion_protection"), storage=inputs(item, GkeStorageSpec.model_fields)
        )
        super().__init__(name, args, opts, inputs=shown)
        self._name, self._args, self._opts = name, args, opts
        self.bucket_name = pulumi.Output.from_input(None)
        self._mounted(item, *self._source(item))
        self.claim_name = pulumi.Output.from_input(shared_volume_claim(args.cluster.name, item.name))
        self.finish(*self._last)

    def _mounted(self, item: GkeStorageSpec, source: volumes.Source, made: list[pulumi.Resource]) -> None:
        """Make the volume and its claim."""
        name, opts = self._name, self._opts
        frame, claim = volumes.volume_and_claim(self._args.cluster, item, source)
        volume = create(f"{name}-volume", frame, child_options(self, opts, made, ignore_changes=["spec.capacity"]))
        # Kubernetes deletes no volume that has a claim. As the claim takes the name from the volume, Pulumi knows that
        # it has to go first when the volume is replaced.
        claim["spec"]["volumeName"] = volume.metadata.apply(lambda metadata: metadata["name"])
        options = child_options(self, opts, [volume], ignore_changes=["spec.resources"])
        self._last = [create(f"{name}-claim", claim, options)]

    def _source(self, item: GkeStorageSpec) -> tuple[volumes.Source, list[pulumi.Resource]]:
        """Make what there isn't yet; return what is mounted, and what was made for it."""
        if item.filestore:
            return self._filestore(item.filestore)
        if item.lustre:
            return self._lustre(item.lustre)
        return self._bucket(item.bucket or BucketSpec())

    def _filestore(self, what: FilestoreSpec) -> tuple[volumes.Source, list[pulumi.Resource]]:
        spec, instance = self._args.spec, self._physical_name()
        assert self._args.network is not None, "the arguments are refused without it"
        location = spec.region if what.tier is FilestoreTier.REGIONAL else what.zone or spec.zones[0]
        modern = what.tier in (FilestoreTier.ZONAL, FilestoreTier.REGIONAL)
        protocol = "NFS_V4_1" if modern else "NFS_V3"
        made = gcp.filestore.Instance(
            f"{self._name}-filestore",
            name=instance,
            project=spec.project,
            location=location,
            tier=what.tier.value,
            protocol=protocol,
            file_shares={"name": _SHARE, "capacity_gb": what.capacity_gib},
            networks=[
                {
                    "network": self._args.network,
                    "modes": ["MODE_IPV4"],
                    # Addresses then come from the range that is set aside for Google's services.
                    "connect_mode": "PRIVATE_SERVICE_ACCESS",
                }
            ],
            deletion_protection_enabled=spec.deletion_protection,
            deletion_protection_reason="It holds a Slurm cluster's files" if spec.deletion_protection else None,
            labels=spec.labels,
            opts=self._protected(),
        )
        address = made.networks.apply(lambda networks: (networks[0].ip_addresses or [""])[0])
        return volumes.filestore(location, instance, _SHARE, protocol, address, what.capacity_gib), [made]

    def _lustre(self, what: LustreSpec) -> tuple[volumes.Source, list[pulumi.Resource]]:
        spec, instance = self._args.spec, self._physical_name()
        zone = what.zone or spec.zones[0]
        # Without gke_support_enabled, which moves the instance to another port: GKE's driver asks for it only before
        # GKE 1.33.2-gke.4780000, in clusters with the legacy port. Not checked.
        made = gcp.lustre.Instance(
            f"{self._name}-lustre",
            instance_id=instance,
            project=spec.project,
            location=zone,
            network=self._args.network,
            filesystem=what.filesystem,
            capacity_gib=str(what.capacity_gib),
            per_unit_storage_throughput=str(what.throughput_per_tib),
            labels=spec.labels,
            opts=self._protected(),
        )
        # The mount point is <address>@tcp:/<file system>.
        address = made.mount_point.apply(lambda mount_point: mount_point.partition("@")[0])
        return volumes.lustre(spec.project, zone, instance, what.filesystem, address, what.capacity_gib), [made]

    def _bucket(self, what: BucketSpec) -> tuple[volumes.Source, list[pulumi.Resource]]:
        if what.name:
            self.bucket_name = pulumi.Output.from_input(what.name)
            return volumes.bucket(what.name, what.read_only), []
        made = self._new_bucket(what)
        self.bucket_name = made.name
        return volumes.bucket(made.name, what.read_only), [made]

    def _new_bucket(self, what: BucketSpec) -> gcp.storage.Bucket:
        spec = self._args.spec
        return gcp.storage.Bucket(
            f"{self._name}-bucket",
            # All of Google's customers share the names of buckets.
            name=f"{self._physical_name()}-{hashlib.sha256(spec.project.encode()).hexdigest()[:8]}",
            project=spec.project,
            # As the API spells it.
            location=(what.location or spec.region).upper(),
            uniform_bucket_level_access=True,
            public_access_prevention="enforced",
            # Folders that are real, so that renaming one is a single step.
            hierarchical_namespace={"enabled": True},
            force_destroy=not spec.deletion_protection,
            labels=spec.labels,
            opts=self._protected(),
        )

    def _physical_name(self) -> str:
        return f"{self._args.spec.cluster_name}-{self._args.storage}"

    def _protected(self) -> pulumi.ResourceOptions:
        return child_options(self, self._opts, protect=protection(self._args.spec.deletion_protection))
