"""What is warned of beside backups of slurmctld."""

from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster

BACKUPS = {"ha": {}, "state": {"existingClaim": "statesave"}}


def warned(controller: dict[str, Any], replicas: int) -> list[str]:
    spec = {"name": "c", "nodeSets": [], "operatorVersion": "1.3.0", "slurmVersion": "26.05", "controller": controller}
    errors = check_cluster(SlurmSpec.model_validate({**spec, "restApi": {"replicas": replicas}}))
    return [str(error) for error in errors if error.path[0] == "rest_api"]


def test_one_slurmrestd_beside_backups() -> None:
    (warning,) = warned(BACKUPS, 1)
    assert warning == (
        "rest_api.replicas = 1: the operator learns from slurmrestd which slurmctld is active, and clients find none "
        "until then: a node that takes both along leaves a backup that nobody reaches. Write 2 or more, and run two "
        "replicas of the operator too."
    )
    assert warned(BACKUPS, 2) == warned({}, 1) == []
