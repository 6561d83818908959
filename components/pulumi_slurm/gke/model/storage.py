"""Storage that pods share: Filestore for /home, Lustre for scratch, buckets for data.

Sources: of sizes, the Filestore API's description of capacityGb and
https://cloud.google.com/managed-lustre/docs/performance-tiers; of rates,
https://cloud.google.com/filestore/docs/performance and https://docs.cloud.google.com/filestore/docs/service-tiers-zonal;
of the names of buckets, https://cloud.google.com/storage/docs/buckets#naming.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from ipaddress import ip_network
from itertools import combinations
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, optional, raise_errors
from pulumi_slurm.gke.model.names import zone_name
from pulumi_slurm.gke.model.storage_sizes import Sizes, size_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label_of
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.storage import check_mount_path

_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
_MIN_SOFT_DELETE_DAYS = 7
_HOMES = ("/home/", "/root/", "/var/spool/")


class FilestoreTier(StrEnum):
    """Filestore's service tiers."""

    BASIC_HDD = "BASIC_HDD"
    BASIC_SSD = "BASIC_SSD"
    ZONAL = "ZONAL"
    REGIONAL = "REGIONAL"


_FILESTORE: Mapping[str, Sizes] = MappingProxyType(
    {
        FilestoreTier.BASIC_HDD: Sizes(1024, 65433),
        FilestoreTier.BASIC_SSD: Sizes(2560, 65433),
        FilestoreTier.ZONAL: Sizes(100, 102400, 1, 10240, 2560),
        FilestoreTier.REGIONAL: Sizes(100, 102400, 1, 10240, 2560),
    }
)
_LUSTRE = MappingProxyType(
    {
        1000: Sizes(9000, 10_008_000, 9000, 1_530_001, 72_000),
        500: Sizes(18_000, 20_016_000, 18_000, 3_060_001, 144_000),
        250: Sizes(36_000, 40_032_000, 36_000, 6_120_001, 288_000),
        125: Sizes(72_000, 12_240_000, 72_000),
    }
)


_GIB = 1024
_LARGE_GIB = 10 * _GIB


class FilestoreSpec(Model):
    """A Filestore instance, which pods mount by NFS."""

    tier: OneOf[FilestoreTier] = FilestoreTier.ZONAL
    """The service tier; ZONAL and REGIONAL use NFS 4.1. A change replaces the instance, which is empty then."""
    capacity_gib: int = Field(default=1024, ge=1)
    """Its size in GiB: ZONAL and REGIONAL from 100 to 102,400, from 10,240 on in steps of 2,560; BASIC_HDD from 1,024
    and BASIC_SSD from 2,560 to 65,433. In some regions REGIONAL starts at 1,024."""
    zone: str | None = None
    """The zone, for all tiers except REGIONAL; the first zone of the cluster by default. A change replaces the
    instance, which is empty then."""
    clients: list[str] = Field(default=[], max_length=64)
    """Networks that may mount it, in CIDR form; pods mount it with the addresses of their nodes, `network.nodesRange`.
    By default all of the VPC may, and whoever is root there is root on it."""

    @field_validator("clients")
    @classmethod
    def _are_networks_apart(cls, value: list[str]) -> list[str]:
        networks = [ip_network(text) for text in kubernetes_names.networks(value)]
        if any(one.version == 4 and two.version == 4 and one.overlaps(two) for one, two in combinations(networks, 2)):
            raise field_error("Filestore takes no networks that overlap", "Leave the smaller one out.")
        return value

    _is_a_zone = field_validator("zone")(optional(zone_name))

    @property
    def written(self) -> float | None:
        """How many MB/s can be written on it, as Google says; None where it says nothing."""
        mib: dict[str, float] = {
            FilestoreTier.BASIC_HDD: 120 if self.capacity_gib >= _LARGE_GIB else 100,
            FilestoreTier.BASIC_SSD: 350,
            FilestoreTier.ZONAL: 88 * self.capacity_gib / _GIB,
        }
        return mib[self.tier] * 1024**2 / 1e6 if self.tier in mib else None

    @model_validator(mode="after")
    def _tier_offers_it(self) -> Self:
        sizes = size_errors(self, self.capacity_gib, _FILESTORE[self.tier], f"of tier {self.tier}", ("tier",))
        raise_errors([*sizes, *self._zone_of_a_regional_instance()])
        return self

    def _zone_of_a_regional_instance(self) -> Iterator[FieldError]:
        if self.zone and self.tier is FilestoreTier.REGIONAL:
            yield FieldError(
                ("zone",),
                self.zone,
                "an instance of tier REGIONAL is in all zones of the region",
                "Leave it out, or write tier ZONAL.",
                depends_on_fields=(("tier",),),
            )


class LustreSpec(Model):
    """A Managed Lustre instance, for scratch and checkpoints."""

    capacity_gib: int = Field(default=9000, ge=1)
    """Its size in GiB, a multiple of 9,000 with 1000 MB/s for each TiB, of 18,000 with 500, of 36,000 with 250, and of
    72,000 with 125; the steps of the largest instances are larger."""
    throughput_per_tib: int = 1000
    """MB/s for each TiB: 125, 250, 500 or 1000. A change replaces the instance, which is empty then."""
    filesystem: str = Field(default="lustrefs", pattern=r"^[a-zA-Z][a-zA-Z0-9]{0,7}$")
    """The file system's name, up to 8 letters and digits. A change replaces the instance, which is empty then."""
    zone: str | None = None
    """The zone; the first zone of the cluster by default. A change replaces the instance, which is empty then."""

    @field_validator("throughput_per_tib")
    @classmethod
    def _is_a_tier(cls, value: int) -> int:
        if value not in _LUSTRE:
            raise field_error("Managed Lustre has no such tier", "Write one of: 125, 250, 500, 1000.")
        return value

    _is_a_zone = field_validator("zone")(optional(zone_name))

    @property
    def written(self) -> float:
        """How many MB/s can be written on it."""
        return self.throughput_per_tib * self.capacity_gib / _GIB

    @model_validator(mode="after")
    def _tier_offers_it(self) -> Self:
        tier, sizes = f"with {self.throughput_per_tib} MB/s for each TiB", _LUSTRE[self.throughput_per_tib]
        raise_errors(size_errors(self, self.capacity_gib, sizes, tier, ("throughput_per_tib",)))
        return self


class BucketProfile(StrEnum):
    """What a bucket is for, by which Cloud Storage FUSE is tuned: https://cloud.google.com/kubernetes-engine/docs/how-to/persistent-volumes/gcsfuse-profiles."""

    TRAINING = "training"
    CHECKPOINTING = "checkpointing"
    SERVING = "serving"


class BucketSpec(Model):
    """A Cloud Storage bucket, mounted by Cloud Storage FUSE: for data and models, not for /home."""

    name: str | None = None
    """The name of an existing bucket; without it, a new one is created."""
    location: str | None = None
    """The location of a new bucket; the cluster's region by default. A change replaces the bucket, which is empty
    then."""
    read_only: bool = False
    """Mount it read-only."""
    profile: OneOf[BucketProfile] | None = None
    """What it is for: "training" reads many files again and again, "checkpointing" writes large files and renames
    folders, "serving" loads models. With each of them a node goes on with what it once saw of a file, though another
    one replaces it; new files are seen, with "serving" not in folders that were listed before."""
    file_cache_gib: int | None = Field(default=None, ge=1)
    """Keep files that were read on the disk of every node that mounts the bucket, this much of them in GiB: on local
    SSDs whose `use` is "ephemeral" if a pool has some, else on the boot disk."""
    soft_delete_days: int | None = Field(default=None, ge=0, le=90)
    """For how many days a new bucket keeps deleted and overwritten objects, which are paid for meanwhile: 0, or 7 to
    90. Google's default is 7. Taken out again, it stays as it was."""

    @field_validator("soft_delete_days")
    @classmethod
    def _is_a_period(cls, value: int | None) -> int | None:
        if value is not None and 0 < value < _MIN_SOFT_DELETE_DAYS:
            raise field_error("Google keeps deleted objects for 7 days at least, or not at all", "Write 0, or 7 to 90.")
        return value

    @field_validator("name")
    @classmethod
    def _is_a_bucket(cls, value: str | None) -> str | None:
        if value is not None and (
            not _BUCKET.fullmatch(value)
            or any(len(part) > 63 for part in value.split("."))
            or value.startswith("goog")
            or "google" in value
        ):
            raise field_error(
                "no bucket has such a name", 'Write 3 to 63 lower-case letters, digits, "-" and "_", without gs://.'
            )
        return value

    @model_validator(mode="after")
    def _existing_buckets_have_no_location(self) -> Self:
        raise_errors([*self._location_of_an_existing_bucket(), *self._soft_delete_of_an_existing_bucket()])
        return self

    def _soft_delete_of_an_existing_bucket(self) -> Iterator[FieldError]:
        if self.name and self.soft_delete_days is not None:
            yield FieldError(
                ("soft_delete_days",),
                self.soft_delete_days,
                f'the bucket "{self.name}" exists already, and nothing about it is changed',
                "Leave it out, and change the bucket where it is managed.",
                depends_on_fields=(("name",),),
            )

    def _location_of_an_existing_bucket(self) -> Iterator[FieldError]:
        if self.name and self.location:
            yield FieldError(
                ("location",),
                self.location,
                f'the bucket "{self.name}" exists already, and its location is fixed',
                "Leave it out; or leave name out, and a bucket is created there.",
                depends_on_fields=(("name",),),
            )


class GkeStorageSpec(Model):
    """Storage that every login and worker pod mounts; exactly one of filestore, lustre and bucket is set."""

    name: str
    """Its name; also that of the shared volume."""
    mount_path: str = Field(pattern=r"^/.+")
    """The path at which pods mount it."""
    filestore: FilestoreSpec | None = None
    """A Filestore instance."""
    lustre: LustreSpec | None = None
    """A Managed Lustre instance."""
    bucket: BucketSpec | None = None
    """A bucket."""

    _mount_path = field_validator("mount_path")(check_mount_path)

    _name_is_a_label = field_validator("name")(dns_label_of(16))

    @model_validator(mode="after")
    def _is_one_service(self) -> Self:
        raise_errors([*self._none_or_several_services(), *self._bucket_for_home_directories()])
        return self

    @property
    def written(self) -> float | None:
        """How many MB/s can be written on it, as Google says; None where it says nothing."""
        service = self.filestore or self.lustre
        return service.written if service else None

    @property
    def _services(self) -> list[str]:
        services = {"filestore": self.filestore, "lustre": self.lustre, "bucket": self.bucket}
        return [name for name, value in services.items() if value is not None]

    def _none_or_several_services(self) -> Iterator[FieldError]:
        services = self._services
        if len(services) != 1:
            yield FieldError(
                (),
                FieldError.ABSENT,
                f"it is {len(services)} things, {' and '.join(services)}" if services else "nothing says what it is",
                "Write exactly one of filestore, lustre and bucket; {} takes all defaults.",
                depends_on_fields=(("filestore",), ("lustre",), ("bucket",)),
            )

    def _bucket_for_home_directories(self) -> Iterator[FieldError]:
        if self._services == ["bucket"] and f"{self.mount_path}/".startswith(_HOMES):
            yield FieldError(
                ("mount_path",),
                self.mount_path,
                "a bucket has no file locks, no atomic renames and no owners, which shells and SSH need of homes",
                'Mount it elsewhere, for example at "/data", and use a filestore for /home.',
                depends_on_fields=(("bucket",),),
            )
