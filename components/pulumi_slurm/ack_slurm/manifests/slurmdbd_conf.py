"""slurmdbd.conf."""

from pulumi_slurm.ack_slurm.manifests.slurm_conf import jwt_lines, uses_tokens
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.manifests.database import database_host
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf


def slurmdbd_conf(spec: SlurmSpec, ack: AckSlurmSpec, password: str) -> Conf:
    """Return slurmdbd.conf. It contains the database's password, so it belongs in a Secret.

    Rendering it raises ValueError if the password can't be written in Slurm's configuration files.
    """
    assert spec.accounting is not None
    database = spec.accounting.database
    options: dict[str, str | int | None] = {
        "AuthType": "auth/munge",
        **(jwt_lines(ack) if uses_tokens(ack) else {}),
        # Any other name would have to be that of the pod, which can't be predicted.
        "DbdHost": "localhost",
        "DbdPort": SLURMDBD_PORT,
        "SlurmUser": "slurm",
        "LogFile": "/var/log/slurmdbd.log",
        "StorageType": "accounting_storage/mysql",
        "StorageHost": database_host(ClusterRef.of(spec), database),
        "StoragePort": database.port,
        "StorageLoc": database.name,
        "StorageUser": database.user,
        "StoragePass": password,
    }
    return Conf(File.SLURMDBD, parse_options(File.SLURMDBD, {**options, **spec.accounting.extra_conf}))
