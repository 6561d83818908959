"""Accounting in a managed database of a cloud."""

from pulumi_slurm.model.accounting import AccountingSpec, DatabaseKind, DatabaseSpec
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.model.with_fields import with_fields

PASSWORD_KEY = "password"
"""The key of the password in the database's Secret."""
DATABASE_USER = "slurm"
"""The user that slurmdbd connects as."""


def accounting_in_cloud_database(accounting: AccountingSpec, service: str) -> AccountingSpec:
    """Return the accounting with a cloud's database; its Service and its password's Secret are both named ``service``.

    The host is the name of our Service, so slurmdbd.conf doesn't change when the database's address does.
    """
    database = DatabaseSpec(
        kind=DatabaseKind.EXTERNAL,
        host=service,
        user=DATABASE_USER,
        password_secret=SecretKeyRef(name=service, key=PASSWORD_KEY),
    )
    return with_fields(accounting, database=database)
