"""What a Slurm cluster gets from Alibaba Cloud: shared volumes, the database, and time for nodes to start.

Everything here ends up in the Slurm specification, so that its rules see the whole. What a user states of the same
wins. Not made here: what eRDMA needs, which is ACK's component ack-erdma-controller and the resource aliyun/erdma; add
them by `cluster.addons` and by `pod` and `overrides` of the node set.
"""

from typing import Any

from ..spec import Accounting, Database, DatabaseKind, SecretKeyRef, SharedVolume, SlurmSpec
from ..spec.storage import AccessMode
from .changed import changed
from .spec import AckSpec, Runtime, Storage, planned_pools

PASSWORD_KEY = "password"
"""The key of the database's Secret."""
DATABASE_USER = "slurm"
"""The user that slurmdbd connects as."""
RESUME_TIMEOUT = "1800"
"""Seconds in which a GPU node that doesn't exist yet is made, gets its driver and pulls slurmd's image."""


def storage_claim(cluster: str, storage: str) -> str:
    """Return the name of the claim behind one of the shared storages."""
    return f"{cluster}-{storage}"


def database_service(cluster: str) -> str:
    """Return the name of the Service, and of the Secret with the password, that lead to RDS."""
    return f"{cluster}-rds"


def with_alibaba_services(ack: AckSpec, slurm: SlurmSpec, name: str) -> SlurmSpec:
    """Return the cluster with what Alibaba Cloud runs for it.

    ``name`` is what the names of claims, Services and Secrets in the cluster's namespace begin with. Raises SpecError
    where the result breaks a rule of the Slurm specification, for example when a volume of the same name is stated.
    """
    changes: dict[str, Any] = {}
    if ack.storage:
        changes["shared_volumes"] = [*slurm.shared_volumes, *(_volume(name, storage) for storage in ack.storage)]
    if ack.database and slurm.accounting and not slurm.accounting.external:
        changes["accounting"] = _in_rds(slurm.accounting, name)
    extra = slurm.slurm_conf.extra
    # The other runtime has settings of its own for nodes that come and go.
    waits = ack.runtime is Runtime.SLINKY and any(planned.pool.starts_from_nothing for planned in planned_pools(ack))
    if waits and "resumetimeout" not in {key.lower() for key in extra}:
        changes["slurm_conf"] = changed(slurm.slurm_conf, extra={**extra, "ResumeTimeout": RESUME_TIMEOUT})
    return changed(slurm, **changes) if changes else slurm


def _volume(name: str, storage: Storage) -> SharedVolume:
    return SharedVolume(
        name=storage.name,
        mount_path=storage.mount_path,
        existing_claim=storage_claim(name, storage.name),
        access_mode=AccessMode.READ_WRITE_MANY,
    )


def _in_rds(accounting: Accounting, name: str) -> Accounting:
    """Return accounting in RDS. The host is a Service of ours, so slurmdbd.conf stays if the address changes."""
    service = database_service(name)
    database = Database(
        kind=DatabaseKind.EXTERNAL,
        host=service,
        user=DATABASE_USER,
        password_secret=SecretKeyRef(name=service, key=PASSWORD_KEY),
    )
    return changed(accounting, database=database)
