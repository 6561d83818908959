"""Disks, which have to be of a type that the instance type takes.

Source: the disks of each family on https://www.alibabacloud.com/help/en/ecs/user-guide/overview-of-instance-families;
from the 7th generation on these are ESSDs and ESSD AutoPL disks.
"""

import re
from collections.abc import Iterator, Sequence

from pulumi_slurm.ack.model.disk import ESSD, AckDataDiskSpec, AckDiskSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule

_OLD_DISKS = ("cloud_ssd", "cloud_efficiency")
_LAST_GENERATION_WITH_OLD_DISKS = 6
_GENERATION = re.compile(r"ecs\.[a-z]+(\d+)")


def disks_fit_the_machines(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse disk types that instance types of the 7th and later generations don't take."""
    system = plan.spec.system_pool
    yield from _errors(("system_pool",), system.instance_types, [(("disk",), system.disk)])
    for index, pool in enumerate(plan.spec.pools):
        disks: list[tuple[Path, AckDiskSpec | AckDataDiskSpec]] = [(("disk",), pool.disk)]
        disks += [(("data_disks", number), disk) for number, disk in enumerate(pool.data_disks)]
        yield from _errors(("pools", index), pool.instance_types, disks)


def _errors(
    at: Path, instance_types: Sequence[str], disks: Sequence[tuple[Path, AckDiskSpec | AckDataDiskSpec]]
) -> Iterator[FieldError]:
    newer_type = next(filter(_takes_essds_only, instance_types), None)
    for path, disk in disks:
        if newer_type and disk.type in _OLD_DISKS:
            yield FieldError(
                (*at, *path, "type"),
                disk.type,
                f"{newer_type} takes ESSDs only",
                f'Write "{ESSD}" or "cloud_auto", or choose instance types of the 6th generation.',
                depends_on_fields=((*at, "instance_types"),),
            )


def _takes_essds_only(instance_type: str) -> bool:
    match = _GENERATION.match(instance_type)
    return match is not None and int(match[1]) > _LAST_GENERATION_WITH_OLD_DISKS


RULES: tuple[Rule, ...] = (disks_fit_the_machines,)
