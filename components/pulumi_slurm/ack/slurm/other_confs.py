"""gres.conf and slurmdbd.conf."""

from collections.abc import Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.groups import groups_of
from pulumi_slurm.ack.slurm.slurm_conf import COLOCATION_GRES, jwt_lines, uses_tokens
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.manifests.database import database_host
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry


def gres_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Conf:
    """Return gres.conf; the user's own, in `configFiles`, takes its place."""
    gpus = any(group.machine and group.machine.gpus for group in groups_of(spec, pools, ack))
    # Alibaba's image has NVML built in. Where its library is missing, on nodes without GPUs, slurmd goes on without.
    conf_options = parse_options(File.GRES, {"AutoDetect": "nvml"}) if gpus else {}
    names = COLOCATION_GRES if ack.copilot else ()
    counters = tuple(Entry("Name", name, parse_options(File.GRES, {"Flags": "CountOnly"}, "Name")) for name in names)
    return Conf(File.GRES, conf_options, counters)


def slurmdbd_conf(spec: SlurmSpec, ack: AckSlurmSpec, password: str) -> Conf:
    """Return slurmdbd.conf, which holds the database's password, so it belongs in a Secret.

    Raises ValueError on rendering where no file of Slurm's can hold the password.
    """
    assert spec.accounting is not None
    database = spec.accounting.database
    texts: dict[str, str | int | None] = {
        "AuthType": "auth/munge",
        **(jwt_lines(ack) if uses_tokens(ack) else {}),
        # Any other name would have to be the pod's own, which isn't known.
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
    return Conf(File.SLURMDBD, parse_options(File.SLURMDBD, {**texts, **spec.accounting.extra_conf}))
