"""Accounting in a database that a cloud runs."""

from pulumi_slurm.model.accounting import AccountingSpec, DatabaseKind, DatabaseSpec
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.model.with_fields import with_fields

PASSWORD_KEY = "password"
"""The key of the database's Secret."""
DATABASE_USER = "slurm"
"""The user that slurmdbd connects as."""


def in_cloud_database(accounting: AccountingSpec, service: str) -> AccountingSpec:
    """Return accounting in a cloud's database, whose Service and whose Secret with the password are both ``service``.

    The host is a Service of ours, so slurmdbd.conf stays if the address changes.
    """
    database = DatabaseSpec(
        kind=DatabaseKind.EXTERNAL,
        host=service,
        user=DATABASE_USER,
        password_secret=SecretKeyRef(name=service, key=PASSWORD_KEY),
    )
    return with_fields(accounting, database=database)
