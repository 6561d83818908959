"""What a Slurm cluster gets from Alibaba Cloud: shared volumes, the database, and time for nodes to start.

Everything here ends up in the Slurm specification, so that its rules see the whole. What a user states of the same
wins. Not made here: what eRDMA needs, which is ACK's component ack-erdma-controller and the resource aliyun/erdma; add
them by `cluster.addons` and by `pod` and `overrides` of the node set.
"""

from typing import Any

from pulumi_slurm.ack.model import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.database import accounting_in_cloud_database
from pulumi_slurm.clouds.resume_timeout import resume_timeout_fields
from pulumi_slurm.clouds.storage import cloud_volume
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.storage import AccessMode
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked


def database_service(cluster: str) -> str:
    """Return the name of the Service, and of the Secret with the password, that lead to RDS."""
    return f"{cluster}-rds"


def with_alibaba_services(plan: AckPlan, slurm: SlurmSpec, name: str) -> SlurmSpec:
    """Return the cluster with what Alibaba Cloud runs for it.

    ``name`` is what the names of claims, Services and Secrets in the cluster's namespace begin with. Raises SpecError
    where the result breaks a rule of the Slurm specification, for example when a volume of the same name is stated.
    """
    changes: dict[str, Any] = {}
    if plan.spec.storage:
        changes["shared_volumes"] = [
            *slurm.shared_volumes,
            *(cloud_volume(name, storage, AccessMode.READ_WRITE_MANY) for storage in plan.spec.storage),
        ]
    if plan.spec.database and slurm.accounting and not slurm.accounting.external:
        changes["accounting"] = accounting_in_cloud_database(slurm.accounting, database_service(name))
    # The other runtime has settings of its own for nodes that come and go.
    waits = plan.spec.slurm_operator is AckOperator.SLINKY and any(
        planned.pool.starts_from_nothing for planned in plan.pools
    )
    if waits:
        changes |= resume_timeout_fields(slurm.slurm_conf)
    return checked(with_fields(slurm, **changes)) if changes else slurm
