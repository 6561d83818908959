"""Names and labels of node pools."""

from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import SYSTEM_POOL
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.machines.ack import DRIVER_LABEL
from pulumi_slurm.rules.run import Rule

_RESERVED_NAMES = MappingProxyType(
    {
        SYSTEM_POOL: "the pool of Slurm's daemons has this name",
        "default-nodepool": "ACK uses this name for its default pool",
    }
)
_RESERVED_LABELS = MappingProxyType({POOL_LABEL: "it has the name of the pool", DRIVER_LABEL: "driverVersion sets it"})


def pool_names_are_unique(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse node pools with the same name, or with a reserved one."""
    names: set[str] = set()
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index, "name")
        if pool.name in _RESERVED_NAMES:
            yield FieldError(at, pool.name, _RESERVED_NAMES[pool.name], "Choose another name.")
        if pool.name in names:
            yield FieldError(at, pool.name, "this name is already used", "Choose another name.")
        names.add(pool.name)


def labels_are_not_reserved(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse labels and taints that are set automatically."""
    for index, pool in enumerate(plan.spec.pools):
        for key, value in pool.node_labels.items():
            if key in _RESERVED_LABELS:
                yield FieldError(
                    ("pools", index, "node_labels", key),
                    value,
                    f"this label is set already: {_RESERVED_LABELS[key]}",
                    "Leave it out.",
                )
        for taint_index, taint in enumerate(pool.taints):
            if taint.key == POOL_LABEL:
                yield FieldError(
                    ("pools", index, "taints", taint_index, "key"),
                    taint.key,
                    "this taint is set already on a dedicated pool",
                    "Leave it out.",
                )


RULES: tuple[Rule, ...] = (
    pool_names_are_unique,
    labels_are_not_reserved,
)
