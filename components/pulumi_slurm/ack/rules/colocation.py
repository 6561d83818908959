"""Colocation: Slurm jobs and other pods need nodes that they can share.

`pulumi_slurm.ack_slurm.rules` checks what the copilot requires of the Slurm specification.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule


def colocation_has_shared_nodes(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse colocation if no other pod may use the nodes of any pool."""
    copilot = plan.spec.slurm.copilot
    pools = plan.spec.pools
    if copilot and pools and not plan.spec.existing_pools and all(pool.dedicated for pool in pools):
        yield FieldError(
            ("slurm", "copilot"),
            copilot,
            "all pools are dedicated to Slurm, so it has no nodes to share with other pods",
            "Write dedicated: false in the pools to share, or leave copilot out.",
            depends_on_fields=(("pools",),),
        )


RULES: tuple[Rule, ...] = (colocation_has_shared_nodes,)
