"""Boot disks and local SSDs."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import GkeDiskSpec, LocalSsdUse
from pulumi_slurm.gke.plan.boot_disk import supported
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.rules.run import Rule


def boot_disks_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse boot disks that the machine can't have."""
    for at, planned in configured_pools(plan):
        yield from _disk_fits(planned.pool.disk, planned.machine_type.name, at)
    yield from _disk_fits(plan.spec.system_pool.disk, plan.spec.system_pool.machine_type, ("system_pool",))


def local_ssds_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse numbers of local SSDs that the machine can't have."""
    for at, planned in configured_pools(plan):
        local_ssd, machine_type = planned.pool.local_ssd, planned.machine_type
        choices = machine_type.local_ssd.counts
        depends_on_fields = ((*at, "machine_type"),)
        if local_ssd.count is not None and local_ssd.count not in choices:
            counts = " or ".join(map(str, choices))
            yield FieldError(
                (*at, "local_ssd", "count"),
                local_ssd.count,
                f"{machine_type.name} has {counts} local SSDs",
                f"Write {counts}." if len(choices) > 1 else "Leave it out.",
                depends_on_fields=depends_on_fields,
            )
        elif local_ssd.use is LocalSsdUse.BLOCK and not planned.local_ssds:
            yield FieldError(
                (*at, "local_ssd", "use"),
                local_ssd.use,
                "the nodes have no local SSDs, so there is nothing to use",
                f"Set count to one of: {', '.join(str(count) for count in choices if count)}."
                if any(choices)
                else "Leave it out, or choose a machine type with local SSDs.",
                depends_on_fields=(*depends_on_fields, (*at, "local_ssd", "count")),
            )


def _disk_fits(disk: GkeDiskSpec, machine_type: str, at: Path) -> Iterator[FieldError]:
    types = supported(machine_type)
    if disk.type and disk.type not in types:
        choice = f'"{types[0]}"' if len(types) == 1 else f"one of: {', '.join(types)}"
        yield FieldError(
            (*at, "disk", "type"),
            disk.type,
            f"{machine_type} doesn't support {disk.type}, and GKE would refuse the pool",
            f"Leave it out, or write {choice}.",
            depends_on_fields=((*at, "machine_type"),),
        )


RULES: tuple[Rule, ...] = (
    local_ssds_fit,
    boot_disks_fit,
)
