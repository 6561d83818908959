"""Boot disks and local SSDs."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import GkeDiskSpec, LocalSsdUse
from pulumi_slurm.gke.plan.boot_disk import disk_type, takes
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.stated_pools import stated_pools


def boot_disks_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse boot disks that the machine can't have."""
    for at, planned in stated_pools(plan):
        yield from _disk_fits(planned.pool.disk, planned.machine_type.name, at)
    yield from _disk_fits(plan.spec.system_pool.disk, plan.spec.system_pool.machine_type, ("system_pool",))


def local_ssds_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse numbers of local SSDs that the machine can't have."""
    for at, planned in stated_pools(plan):
        wanted, kind = planned.pool.local_ssd, planned.machine_type
        choices = kind.local_ssd.counts
        depends_on_fields = ((*at, "machine_type"),)
        if wanted.count is not None and wanted.count not in choices:
            has = " or ".join(map(str, choices))
            yield FieldError(
                (*at, "local_ssd", "count"),
                wanted.count,
                f"{kind.name} has {has} local SSDs",
                f"Write {has}." if len(choices) > 1 else "Leave it out.",
                depends_on_fields=depends_on_fields,
            )
        elif wanted.use is LocalSsdUse.BLOCK and not planned.local_ssds:
            yield FieldError(
                (*at, "local_ssd", "use"),
                wanted.use,
                "the nodes have no local SSDs, so there is nothing to use",
                f"Set count to one of: {', '.join(str(each) for each in choices if each)}."
                if any(choices)
                else "Leave it out, or choose a machine type with local SSDs.",
                depends_on_fields=(*depends_on_fields, (*at, "local_ssd", "count")),
            )


def _disk_fits(disk: GkeDiskSpec, machine_type: str, at: Path) -> Iterator[FieldError]:
    if disk.type and not takes(machine_type, disk.type):
        yield FieldError(
            (*at, "disk", "type"),
            disk.type,
            f"{machine_type} takes no {disk.type}, and GKE would refuse the pool",
            f'Leave it out, or write "{disk_type(GkeDiskSpec(), machine_type)}".',
            depends_on_fields=((*at, "machine_type"),),
        )
