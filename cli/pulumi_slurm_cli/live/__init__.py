"""How the command line looks at a living cluster: jobs, nodes, partitions and reservations in slurmctld's memory.

Nothing is changed: all requests are GETs. A look that fails is an error, and never looks like a cluster without jobs.
"""

from pulumi_slurm_cli.live.database import DatabaseLook, LiveAssociation, LiveQos, take_database_look
from pulumi_slurm_cli.live.error import LiveClusterError
from pulumi_slurm_cli.live.jobs import LiveJob, job_of
from pulumi_slurm_cli.live.look import Look, take_look
from pulumi_slurm_cli.live.nodes import LiveNode, node_of
from pulumi_slurm_cli.live.partitions import LivePartition, partition_of
from pulumi_slurm_cli.live.proxy import Answer, ServiceAddress, service_proxy
from pulumi_slurm_cli.live.reservations import LiveReservation, reservation_of
from pulumi_slurm_cli.live.rest import Slurmrestd
from pulumi_slurm_cli.live.token import token_of_environment, token_of_file, token_of_secret

__all__ = [
    "Answer",
    "DatabaseLook",
    "LiveAssociation",
    "LiveClusterError",
    "LiveJob",
    "LiveNode",
    "LivePartition",
    "LiveQos",
    "LiveReservation",
    "Look",
    "ServiceAddress",
    "Slurmrestd",
    "job_of",
    "node_of",
    "partition_of",
    "reservation_of",
    "service_proxy",
    "take_database_look",
    "take_look",
    "token_of_environment",
    "token_of_file",
    "token_of_secret",
]
