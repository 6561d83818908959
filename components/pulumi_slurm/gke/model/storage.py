"""Storage that pods share: Filestore for /home, Lustre for scratch, buckets for data.

Sources of sizes: the Filestore API's description of capacityGb;
https://cloud.google.com/managed-lustre/docs/performance-tiers; of buckets' names:
https://cloud.google.com/storage/docs/buckets#naming.
"""

import re
from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.gke.model.names import zone_name
from pulumi_slurm.gke.model.storage_sizes import Sizes, size_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.storage import check_mount_path

_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")


class FilestoreTier(StrEnum):
    """Filestore's service tiers."""

    BASIC_HDD = "BASIC_HDD"
    BASIC_SSD = "BASIC_SSD"
    ZONAL = "ZONAL"
    REGIONAL = "REGIONAL"


_FILESTORE = {
    FilestoreTier.BASIC_HDD: Sizes(1024, 65433),
    FilestoreTier.BASIC_SSD: Sizes(2560, 65433),
    FilestoreTier.ZONAL: Sizes(100, 102400, 1, 10240, 2560),
    FilestoreTier.REGIONAL: Sizes(100, 102400, 1, 10240, 2560),
}
_LUSTRE = {
    1000: Sizes(9000, 10_008_000, 9000, 1_530_001, 72_000),
    500: Sizes(18_000, 20_016_000, 18_000, 3_060_001, 144_000),
    250: Sizes(36_000, 40_032_000, 36_000, 6_120_001, 288_000),
    125: Sizes(72_000, 12_240_000, 72_000),
}


class FilestoreSpec(Model):
    """A Filestore instance, by NFS."""

    tier: FilestoreTier = FilestoreTier.ZONAL
    """The service tier; ZONAL and REGIONAL speak NFS 4.1."""
    capacity_gib: int = Field(default=1024, ge=1)
    """Its size in GiB: ZONAL and REGIONAL from 100 to 102,400, from 10,240 on in steps of 2,560; BASIC_HDD from 1,024
    and BASIC_SSD from 2,560 to 65,433. Some regions have REGIONAL from 1,024 only."""
    zone: str | None = None
    """The zone of all tiers but REGIONAL; the first zone of the cluster by default."""

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        return value if value is None else zone_name(value)

    @model_validator(mode="after")
    def _tier_has_it(self) -> Self:
        found = size_errors(self, self.capacity_gib, _FILESTORE[self.tier], f"of tier {self.tier}", ("tier",))
        if self.zone and self.tier is FilestoreTier.REGIONAL:
            found.append(
                FieldError(
                    ("zone",),
                    self.zone,
                    "an instance of tier REGIONAL lies in all zones of the region",
                    "Leave it out, or write tier ZONAL.",
                    depends_on_fields=(("tier",),),
                )
            )
        if found:
            raise field_errors(found)
        return self


class LustreSpec(Model):
    """A Managed Lustre instance, for scratch and checkpoints."""

    capacity_gib: int = Field(default=9000, ge=1)
    """Its size in GiB, in steps: 9,000 with 1000 MB/s for each TiB, 18,000 with 500, 36,000 with 250, 72,000 with
    125; the largest instances have larger steps."""
    throughput_per_tib: int = 1000
    """MB/s for each TiB: 125, 250, 500 or 1000."""
    filesystem: str = Field(default="lustrefs", pattern=r"^[a-zA-Z][a-zA-Z0-9]{0,7}$")
    """The file system's name, up to 8 letters and digits."""
    zone: str | None = None
    """Its zone; the first zone of the cluster by default."""

    @field_validator("throughput_per_tib")
    @classmethod
    def _is_a_tier(cls, value: int) -> int:
        if value not in _LUSTRE:
            raise field_error("Managed Lustre has no such tier", "Write one of: 125, 250, 500, 1000.")
        return value

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, value: str | None) -> str | None:
        return value if value is None else zone_name(value)

    @model_validator(mode="after")
    def _tier_has_it(self) -> Self:
        tier = f"with {self.throughput_per_tib} MB/s for each TiB"
        found = size_errors(self, self.capacity_gib, _LUSTRE[self.throughput_per_tib], tier, ("throughput_per_tib",))
        if found:
            raise field_errors(found)
        return self


class BucketSpec(Model):
    """A Cloud Storage bucket, mounted by Cloud Storage FUSE: for data and models, not for /home."""

    name: str | None = None
    """A bucket that exists already; without it one is made."""
    location: str | None = None
    """Where a new bucket lies; the cluster's region by default."""
    read_only: bool = False
    """Mount it for reading alone."""

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
    def _an_existing_one_lies_where_it_lies(self) -> Self:
        if self.name and self.location:
            raise field_errors(
                [
                    FieldError(
                        ("location",),
                        self.location,
                        f'the bucket "{self.name}" exists already, and its location is fixed',
                        "Leave it out; or leave name out, and a bucket is made there.",
                        depends_on_fields=(("name",),),
                    )
                ]
            )
        return self


class GkeStorageSpec(Model):
    """Storage that every login and worker pod mounts; exactly one of filestore, lustre and bucket says what it is."""

    name: str
    """Its name; also that of the shared volume."""
    mount_path: str = Field(pattern=r"^/.+")
    """Where pods see it."""
    filestore: FilestoreSpec | None = None
    """A Filestore instance."""
    lustre: LustreSpec | None = None
    """A Managed Lustre instance."""
    bucket: BucketSpec | None = None
    """A bucket."""

    _mount_path = field_validator("mount_path")(check_mount_path)

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return dns_label(value, 16)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        kinds = {"filestore": self.filestore, "lustre": self.lustre, "bucket": self.bucket}
        given = [kind for kind, value in kinds.items() if value is not None]
        found: list[FieldError] = []
        if len(given) != 1:
            found.append(
                FieldError(
                    (),
                    FieldError.ABSENT,
                    f"it is {len(given)} things, {' and '.join(given)}" if given else "nothing says what it is",
                    "Give exactly one of filestore, lustre and bucket; {} takes all defaults.",
                    depends_on_fields=(("filestore",), ("lustre",), ("bucket",)),
                )
            )
        elif self.bucket is not None and f"{self.mount_path}/".startswith(_HOMES):
            found.append(
                FieldError(
                    ("mount_path",),
                    self.mount_path,
                    "a bucket has no file locks, no atomic renames and no owners, which shells and SSH need of homes",
                    'Mount it elsewhere, for example at "/data", and give /home a filestore.',
                    depends_on_fields=(("bucket",),),
                )
            )
        if found:
            raise field_errors(found)
        return self


_HOMES = ("/home/", "/root/", "/var/spool/")
