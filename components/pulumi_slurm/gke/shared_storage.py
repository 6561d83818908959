"""GkeSharedStorage: Filestore, Managed Lustre or a bucket, as a volume that login and worker pods share."""

import hashlib
from collections.abc import Iterator
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.gke import volumes
from pulumi_slurm.gke.arguments import GkeArgs, check_part, cluster_name, spec_of, when_known
from pulumi_slurm.gke.dicts import GkeSharedStorageArgsDict
from pulumi_slurm.gke.model import BucketSpec, FilestoreSpec, GkeStorageSpec, LustreSpec, names
from pulumi_slurm.gke.model.storage import FilestoreTier
from pulumi_slurm.kube.component import Component, Options, protection
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim

_SHARE = "share"
"""The name of a Filestore instance's only share; 16 characters at most, without hyphens."""

_DAY_SECONDS = 24 * 3600


class GkeSharedStorageArgs(GkeArgs):
    """Arguments of `GkeSharedStorage`."""

    region: pulumi.Input[str]
    """The region of the storage."""
    zone: pulumi.Input[str] | None = None
    """The zone of Filestore and Lustre, if `storage` sets none; not needed for tier REGIONAL and for a bucket."""
    gke_cluster: pulumi.Input[str]
    """The name of the GKE cluster, which is the prefix of the name of an instance or a bucket."""
    cluster: ClusterRef
    """The Slurm cluster that mounts it."""
    storage: GkeStorageSpec
    """Filestore, Managed Lustre or a bucket, and the path at which pods mount it."""
    network_id: pulumi.Input[str] | None = None
    """The VPC in the form projects/<project>/global/networks/<name>; not needed for a bucket."""
    encryption_key: pulumi.Input[str] | None = None
    """A key of Cloud KMS that encrypts an instance or a new bucket; a change replaces an instance."""
    labels: dict[str, str] = {}
    """Labels of an instance or a bucket, for example for billing."""
    deletion_protection: bool = True
    """Make Pulumi refuse to delete the storage, and for Filestore Google as well."""

    _region = field_validator("region")(when_known(names.region))
    _zone = field_validator("zone")(when_known(names.zone_name))
    _gke_cluster = field_validator("gke_cluster")(when_known(cluster_name))
    _labels = field_validator("labels")(names.resource_labels)

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        zones = [self.zone] if isinstance(self.zone, str) else []
        spec = spec_of(self.region, zones, storage=[self.storage])
        check_part(spec, {("storage", 0): ("storage",), ("zones", 0): ("zone",)})
        raise_errors(self._instances_have_network_and_zone())
        return self

    def _instances_have_network_and_zone(self) -> Iterator[FieldError]:
        if self.network_id is None and not self.storage.bucket:
            yield FieldError(
                ("network_id",),
                FieldError.ABSENT,
                "Filestore and Lustre need the VPC",
                "Pass the network's id, for example GkeNetwork's networkId.",
            )
        instance = self.storage.filestore or self.storage.lustre
        is_regional = self.storage.filestore and self.storage.filestore.tier is FilestoreTier.REGIONAL
        if self.zone is None and instance and not instance.zone and not is_regional:
            yield FieldError(
                ("zone",),
                FieldError.ABSENT,
                "nothing says in which zone the instance is",
                "Write one of the cluster's.",
            )


class GkeSharedStorage(Component[GkeSharedStorageArgs]):
    """A storage service of Google, and a claim for it in the Slurm cluster's namespace.

    ``opts`` needs both providers, ``ResourceOptions(providers=[google, kubernetes])``: the first creates the storage,
    the second its volume and its claim. Filestore and Lustre depend on private services access, and the claim on the
    namespace: pass both as `depends_on`.

    With `deletionProtection`, Pulumi refuses to delete or to replace the storage before it changes anything else, and
    Google refuses it for Filestore, from all clients. Without it, a destroy deletes the data, including everything in a
    bucket. An existing bucket that is only referred to is never deleted. To use other storage at a mount path, write it
    with another name: a claim can't be replaced while pods mount it, so Pulumi would wait for them in vain.

    The storage grows in place. Its volume and claim keep their first size: Kubernetes refuses to enlarge a claim whose
    volume wasn't provisioned dynamically, and nothing depends on that size.

    Example::

        GkeSharedStorage(
            "hpc-home",
            GkeSharedStorageArgs(
                project="my-project",
                region="us-central1",
                zone="us-central1-b",
                gke_cluster="hpc",
                cluster=ClusterRef(name="hpc"),
                storage=GkeStorageSpec(name="home", mount_path="/home", filestore=FilestoreSpec()),
                network_id=network.network_id,
            ),
            pulumi.ResourceOptions(providers=[google, kubernetes], depends_on=network.private_services()),
        )
    """

    claim_name: pulumi.Output[str]
    """The claim that pods mount."""
    bucket_name: pulumi.Output[str | None]
    """The bucket's name, for `GkeWorkloadIdentity`; None for Filestore and Lustre."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeSharedStorageArgs | GkeSharedStorageArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeSharedStorageArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        storage = self._args.storage
        self.bucket_name = pulumi.Output.from_input(None)
        self.claim_name = pulumi.Output.from_input(shared_volume_claim(self._args.cluster.name, storage.name))
        self.finish(self._claim(*self._source()))

    def _claim(self, source: volumes.Source, *storage: pulumi.Resource) -> pulumi.Resource:
        """Create the volume and its claim after their storage; return the claim."""
        volume_manifest, claim = volumes.volume_and_claim(self._args.cluster, self._args.storage, source)
        volume = self.create("volume", volume_manifest, *storage, ignore_changes=["spec.capacity"])
        # Kubernetes doesn't delete a volume that has a claim. Since the claim's input is the volume's name, Pulumi
        # deletes the claim first when the volume is replaced.
        claim["spec"]["volumeName"] = volume.metadata.apply(lambda metadata: metadata["name"])
        return self.create("claim", claim, volume, ignore_changes=["spec.resources"])

    def _source(self) -> tuple[volumes.Source, *tuple[pulumi.Resource, ...]]:
        """Create the storage unless it exists; return what pods mount, and the resources behind it."""
        storage = self._args.storage
        if storage.filestore:
            return self._filestore(storage.filestore)
        if storage.lustre:
            return self._lustre(storage.lustre)
        return self._bucket(storage.bucket or BucketSpec())

    def _filestore(self, filestore: FilestoreSpec) -> tuple[volumes.Source, pulumi.Resource]:
        args, instance_name = self._args, self._physical_name()
        assert args.network_id is not None, "the arguments are refused without it"
        location = args.region if filestore.tier is FilestoreTier.REGIONAL else self._zone(filestore.zone)
        modern = filestore.tier in (FilestoreTier.ZONAL, FilestoreTier.REGIONAL)
        protocol = "NFS_V4_1" if modern else "NFS_V3"
        instance = gcp.filestore.Instance(
            f"{self._name}-filestore",
            name=instance_name,
            project=args.project,
            location=location,
            tier=str(filestore.tier),
            protocol=protocol,
            file_shares=gcp.filestore.InstanceFileSharesArgs(
                name=_SHARE,
                capacity_gb=filestore.capacity_gib,
                # Slurm's login and worker pods need root on it, to make homes.
                nfs_export_options=(
                    [gcp.filestore.InstanceFileSharesNfsExportOptionArgs(ip_ranges=filestore.clients)]
                    if filestore.clients
                    else None
                ),
            ),
            networks=[
                {
                    "network": args.network_id,
                    "modes": ["MODE_IPV4"],
                    # With this, addresses come from the range that is reserved for Google's services.
                    "connect_mode": "PRIVATE_SERVICE_ACCESS",
                }
            ],
            deletion_protection_enabled=args.deletion_protection,
            deletion_protection_reason="It holds a Slurm cluster's files" if args.deletion_protection else None,
            kms_key_name=args.encryption_key,
            labels=args.labels,
            opts=self._protected(),
        )
        address = instance.networks.apply(lambda networks: (networks[0].ip_addresses or [""])[0])
        return (
            volumes.filestore(location, instance_name, _SHARE, protocol, address, filestore.capacity_gib),
            instance,
        )

    def _lustre(self, lustre: LustreSpec) -> tuple[volumes.Source, pulumi.Resource]:
        args, instance_name = self._args, self._physical_name()
        zone = self._zone(lustre.zone)
        # Without gke_support_enabled, which moves the instance to another port: GKE's driver only needs that before GKE
        # 1.33.2-gke.4780000, in clusters with the legacy port.
        instance = gcp.lustre.Instance(
            f"{self._name}-lustre",
            instance_id=instance_name,
            project=args.project,
            location=zone,
            network=args.network_id,
            filesystem=lustre.filesystem,
            capacity_gib=str(lustre.capacity_gib),
            per_unit_storage_throughput=str(lustre.throughput_per_tib),
            kms_key=args.encryption_key,
            labels=args.labels,
            # Its id is in the program, so Google would refuse the new one beside the old one.
            opts=self._protected(delete_before_replace=True),
        )
        # The mount point is <address>@tcp:/<file system>.
        address = instance.mount_point.apply(lambda mount_point: mount_point.partition("@")[0])
        return (
            volumes.lustre(args.project, zone, instance_name, lustre.filesystem, address, lustre.capacity_gib),
            instance,
        )

    def _bucket(self, bucket: BucketSpec) -> tuple[volumes.Source, *tuple[pulumi.Resource, ...]]:
        if bucket.name:
            self.bucket_name = pulumi.Output.from_input(bucket.name)
            return (volumes.bucket(bucket.name, bucket),)
        new = self._new_bucket(bucket)
        self.bucket_name = new.name
        return volumes.bucket(new.name, bucket), new

    def _new_bucket(self, bucket: BucketSpec) -> gcp.storage.Bucket:
        args = self._args
        digest = pulumi.Output.from_input(args.project).apply(_digest)
        # The API returns it in upper case.
        location: pulumi.Output[str] = pulumi.Output.from_input(bucket.location or args.region).apply(str.upper)
        return gcp.storage.Bucket(
            f"{self._name}-bucket",
            # Names of buckets are unique across all of Google Cloud.
            name=pulumi.Output.concat(self._physical_name(), "-", digest),
            project=args.project,
            location=location,
            uniform_bucket_level_access=True,
            public_access_prevention="enforced",
            # Real folders, so that renaming one is a single operation.
            hierarchical_namespace={"enabled": True},
            soft_delete_policy=(
                None
                if bucket.soft_delete_days is None
                else {"retention_duration_seconds": bucket.soft_delete_days * _DAY_SECONDS}
            ),
            encryption={"default_kms_key_name": args.encryption_key} if args.encryption_key else None,
            force_destroy=not args.deletion_protection,
            labels=args.labels,
            opts=self._protected(),
        )

    def _physical_name(self) -> pulumi.Output[str]:
        return pulumi.Output.concat(self._args.gke_cluster, "-", self._args.storage.name)

    def _zone(self, storage_zone: str | None) -> pulumi.Input[str]:
        zone = storage_zone or self._args.zone
        assert zone is not None, "the arguments are refused without it"
        return zone

    def _protected(self, **options: Any) -> pulumi.ResourceOptions:
        return self.child(protect=protection(self._args.deletion_protection), **options)


def _digest(project: str) -> str:
    return hashlib.sha256(project.encode()).hexdigest()[:8]
