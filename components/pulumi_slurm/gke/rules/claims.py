"""Volumes that GKE makes for single pods: the disks behind them have to suit the machines of these pods.

GKE's default StorageClass makes Persistent Disks (pd-balanced), which machines with Hyperdisk alone can't attach:
https://docs.cloud.google.com/kubernetes-engine/docs/concepts/hyperdisk.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.boot_disk import HYPERDISK, PERSISTENT, supports
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model import ClaimSpec
from pulumi_slurm.model.accounting import DatabaseKind
from pulumi_slurm.model.slurm import SlurmSpec


def claims_suit_their_machines(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse claims without a StorageClass on machines that can't attach the disks of GKE's default class."""
    system_type = plan.spec.system_pool.machine_type
    if not supports(system_type, PERSISTENT):
        for path, claim in _claims_of_daemons(plan, slurm):
            if claim.storage_class is None:
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


def _claims_of_daemons(plan: GkePlan, slurm: SlurmSpec) -> Iterator[tuple[Path, ClaimSpec]]:
    state, accounting, identity = slurm.controller.state, slurm.accounting, slurm.identity
    if slurm.controller.external is None and state.enabled and not state.existing_claim:
        yield ("controller", "state"), state
    has_database = accounting and not accounting.external and plan.spec.database is None
    if accounting and has_database and accounting.database.kind is not DatabaseKind.EXTERNAL:
        yield ("accounting", "database", "volume"), accounting.database.volume
    if identity and identity.directory:
        yield ("identity", "directory", "volume"), identity.directory.volume


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
