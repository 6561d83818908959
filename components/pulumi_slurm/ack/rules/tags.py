"""Tags of nodes, of which ACK takes a part for itself.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/ecs-label.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.names import MAX_TAGS
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.taints import node_labels, taints_to_set
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule

_TAGS_OF_ACK = 3
_TAGS_OF_AUTOSCALING = 2


def nodes_have_room_for_tags(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse more tags than fit on a node in addition to those of ACK, which also makes one of each label and taint."""
    tags = plan.spec.tags
    for planned in plan.new_pools:
        labels_and_taints = len(node_labels(planned)) + len(taints_to_set(planned))
        used = _TAGS_OF_ACK + labels_and_taints + (_TAGS_OF_AUTOSCALING if planned.pool.is_scaled else 0)
        if used + len(tags) <= MAX_TAGS:
            continue
        field: Path = (*planned.at, "node_labels")
        yield FieldError(
            ("tags",) if tags else field,
            tags or planned.pool.node_labels,
            f'ACK gives nodes of "{planned.name}" {used} tags for itself and for their labels and taints, and with '
            f"{len(tags)} of yours that is more than {MAX_TAGS}, the most that a node can have",
            "Leave some out, or labels or taints of the pool.",
            depends_on_fields=(planned.at,),
        )


RULES: tuple[Rule, ...] = (nodes_have_room_for_tags,)
