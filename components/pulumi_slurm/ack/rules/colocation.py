"""Colocation: whether there are nodes that Slurm's jobs and other pods can share.

What the copilot needs of the Slurm cluster is checked by `pulumi_slurm.ack.slurm.rules`.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError


def pools_are_shared(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse colocation on nodes that no other pod may use."""
    copilot = plan.spec.slurm.copilot
    if copilot and plan.spec.pools and all(pool.dedicated for pool in plan.spec.pools):
        yield FieldError(
            ("slurm", "copilot"),
            copilot,
            "all pools are dedicated to Slurm, so there is no node that it could share with other pods",
            "Write dedicated: false in the pools to share, or leave copilot out.",
            depends_on_fields=(("pools",),),
        )
