"""Names and labels of node pools."""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.machines.ack import DRIVER_LABEL

_TAKEN = {
    "system": "the pool of Slurm's daemons has this name",
    "default-nodepool": "ACK gives this name to a pool of its own",
}
_OWN_LABELS = {POOL_LABEL: "it tells the pools apart", DRIVER_LABEL: "driverVersion says it"}


def pool_names_are_unique(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse two node pools of one name in ACK."""
    before: set[str] = set()
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index, "name")
        if pool.name in _TAKEN:
            yield FieldError(at, pool.name, _TAKEN[pool.name], "Choose another name.")
        if pool.name in before:
            yield FieldError(at, pool.name, "this name is used before", "Choose another name.")
        before.add(pool.name)


def labels_are_free(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse labels and taints that are ours to set."""
    for index, pool in enumerate(plan.spec.pools):
        for key, value in pool.node_labels.items():
            if key in _OWN_LABELS:
                yield FieldError(
                    ("pools", index, "node_labels", key),
                    value,
                    f"this label is set already: {_OWN_LABELS[key]}",
                    "Leave it out.",
                )
        for position, taint in enumerate(pool.taints):
            if taint.key == POOL_LABEL:
                yield FieldError(
                    ("pools", index, "taints", position, "key"),
                    taint.key,
                    "this taint is set already on a dedicated pool",
                    "Leave it out.",
                )
