"""Boot disks and local SSDs."""

from collections.abc import Iterator

from pulumi_slurm.errors import Mistake, Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.pool import Disk, LocalSsdUse
from pulumi_slurm.gke.plan.boot_disk import disk_type, takes
from pulumi_slurm.gke.rules.stated_pools import stated_pools


def boot_disks_fit(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse boot disks that the machine can't have."""
    for at, planned in stated_pools(spec):
        yield from _disk_fits(planned.pool.disk, planned.machine_type.name, at)
    yield from _disk_fits(spec.system_pool.disk, spec.system_pool.machine_type, ("system_pool",))


def local_ssds_fit(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse numbers of local SSDs that the machine can't have."""
    for at, planned in stated_pools(spec):
        wanted, kind = planned.pool.local_ssd, planned.machine_type
        choices = kind.local_ssd.counts
        rests_on = ((*at, "machine_type"),)
        if wanted.count is not None and wanted.count not in choices:
            has = " or ".join(map(str, choices))
            yield Mistake(
                (*at, "local_ssd", "count"),
                wanted.count,
                f"{kind.name} has {has} local SSDs",
                f"Write {has}." if len(choices) > 1 else "Leave it out.",
                rests_on=rests_on,
            )
        elif wanted.use is LocalSsdUse.BLOCK and not planned.local_ssds:
            yield Mistake(
                (*at, "local_ssd", "use"),
                wanted.use,
                "the nodes have no local SSDs, so there is nothing to use",
                f"Set count to one of: {', '.join(str(each) for each in choices if each)}."
                if any(choices)
                else "Leave it out, or choose a machine type with local SSDs.",
                rests_on=(*rests_on, (*at, "local_ssd", "count")),
            )


def _disk_fits(disk: Disk, machine_type: str, at: Path) -> Iterator[Mistake]:
    if disk.type and not takes(machine_type, disk.type):
        yield Mistake(
            (*at, "disk", "type"),
            disk.type,
            f"{machine_type} takes no {disk.type}, and GKE would refuse the pool",
            f'Leave it out, or write "{disk_type(Disk(), machine_type)}".',
            rests_on=((*at, "machine_type"),),
        )
