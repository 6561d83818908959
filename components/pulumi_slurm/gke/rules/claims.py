"""Volumes that GKE makes for single pods: the disks behind them have to suit the machines of these pods.

GKE's default StorageClass makes Persistent Disks (pd-balanced), which machines with Hyperdisk alone can't attach:
https://docs.cloud.google.com/kubernetes-engine/docs/concepts/hyperdisk.
"""

from collections.abc import Iterator

from pulumi_slurm.derived.claims import claims_of_daemons
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.boot_disk import HYPERDISK, PERSISTENT, supports
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def claims_suit_their_machines(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse claims without a StorageClass on machines that can't attach the disks of GKE's default class."""
    system_type = plan.spec.system_pool.machine_type
    if not supports(system_type, PERSISTENT):
        for path, claim in claims_of_daemons(slurm):
            is_elsewhere = plan.spec.database is not None and path[0] == "accounting"
            if claim.storage_class is None and not is_elsewhere:
                yield _error(path, system_type, "systemPool.machineType")
    pools = {planned.pool.name: planned.machine_type.name for planned in plan.pools}
    pools |= {planned.name: planned.machine_type.name for planned in plan.pools}
    for index, node_set in enumerate(slurm.node_sets):
        machine_type = pools.get(node_set.pool or "")
        if machine_type is None or supports(machine_type, PERSISTENT):
            continue
        for position, claim in enumerate(node_set.volume_claims):
            if claim.storage_class is None:
                yield _error(("node_sets", index, "volume_claims", position), machine_type, "machineType of its pool")


def _error(path: Path, machine_type: str, field: str) -> FieldError:
    return FieldError(
        (*path, "storage_class"),
        FieldError.ABSENT,
        f"GKE's default class makes {PERSISTENT} disks, which {machine_type} can't attach",
        f"Write a StorageClass of type {HYPERDISK} that you have made, or another {field} in the GKE specification, "
        'for example "e2-standard-4".'
        if field.startswith("system")
        else f"Write a StorageClass of type {HYPERDISK} that you have made, or another {field}.",
    )


RULES_WITH_SLURM: tuple[Rule, ...] = (claims_suit_their_machines,)
