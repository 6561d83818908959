"""Backups of the accounting database, which mariadb-operator takes.

Source: docs/BACKUP.md of https://github.com/mariadb-operator/mariadb-operator, and its CRD of Backup.
"""

import re
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.model.storage import ClaimSpec
from pulumi_slurm.model.units import duration

_CRON_FIELD = r"[0-9*/,A-Za-z-]+"


class S3Spec(Model):
    """A bucket in S3, or in a service with its API."""

    bucket: str = Field(min_length=3)
    """The bucket's name."""
    endpoint: str
    """The host of the API, with a port if it isn't 443: for example "s3.eu-central-1.amazonaws.com"."""
    region: str | None = None
    """The region."""
    prefix: str | None = None
    """The folder in the bucket."""
    access_key_id: SecretKeyRef
    """The Secret with the access key's id."""
    secret_access_key: SecretKeyRef
    """The Secret with the access key."""
    tls: bool = True
    """Whether to use HTTPS."""

    @field_validator("endpoint")
    @classmethod
    def _endpoint_is_a_host(cls, value: str) -> str:
        if "/" in value or not value:
            raise field_error("this is not a host", 'Write it without scheme and path, for example "minio:9000".')
        return value


class BackupSpec(Model):
    """Regular backups: all tables, by mariadb-dump."""

    schedule: str = "0 3 * * *"
    """When they are taken, in the form of cron, in the time zone of the Kubernetes control plane."""
    retention: str = "720h"
    """How long they are kept, as a duration."""
    volume: ClaimSpec = ClaimSpec()
    """The volume for them, unless `s3` is set. It is deleted with the database."""
    s3: S3Spec | None = None
    """A bucket for them, where they stay when the cluster is deleted."""

    @field_validator("schedule")
    @classmethod
    def _schedule_has_five_fields(cls, value: str) -> str:
        if not re.fullmatch(rf"{_CRON_FIELD}( {_CRON_FIELD}){{4}}", value):
            raise field_error("this is not a schedule", 'Write five fields, for example "0 3 * * *".')
        return value

    @field_validator("retention", mode="before")
    @classmethod
    def _retention_is_a_duration(cls, value: Any) -> str:
        return duration(str(value))
