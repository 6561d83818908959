"""Accounting in a database that a cloud runs."""

from pulumi_slurm.model.accounting import Accounting, Database, DatabaseKind
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.model.with_fields import changed

PASSWORD_KEY = "password"
"""The key of the database's Secret."""
DATABASE_USER = "slurm"
"""The user that slurmdbd connects as."""


def in_cloud_database(accounting: Accounting, service: str) -> Accounting:
    """Return accounting in a cloud's database, whose Service and whose Secret with the password are both ``service``.

    The host is a Service of ours, so slurmdbd.conf stays if the address changes.
    """
    database = Database(
        kind=DatabaseKind.EXTERNAL,
        host=service,
        user=DATABASE_USER,
        password_secret=SecretKeyRef(name=service, key=PASSWORD_KEY),
    )
    return changed(accounting, database=database)
