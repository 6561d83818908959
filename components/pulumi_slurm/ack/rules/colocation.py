"""Colocation: Slurm jobs and other pods need nodes that they can share.

`pulumi_slurm.ack_slurm.rules` checks what the copilot requires of the Slurm specification.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.control_plane import AckEdition
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule, warns


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


@warns
def scheduler_asks_the_copilot(plan: AckPlan) -> Iterator[FieldError]:
    """Warn of the copilot in a Basic cluster: it works where ACK's scheduler asks it before each pod.

    Neither guide names an edition. What ACK's scheduler can do beyond Kubernetes' own is for Pro editions, for example
    https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/virtual-switch-remaining-ip-state-aware-scheduling.
    """
    spec = plan.spec
    if spec.slurm.copilot and spec.control_plane.edition is AckEdition.STANDARD:
        existing = spec.existing_cluster
        yield FieldError(
            ("existing_cluster", "id") if existing else ("control_plane", "edition"),
            existing.id if existing else spec.control_plane.edition,
            f"the edition is {AckEdition.STANDARD}, whose scheduler may not ask the copilot, so that pods and jobs get "
            "the same CPUs and memory",
            "Migrate it to a Pro edition in ACK's console." if existing else f"Write {AckEdition.PRO}.",
            depends_on_fields=(("slurm", "copilot"),),
        )


RULES: tuple[Rule, ...] = (
    colocation_has_shared_nodes,
    scheduler_asks_the_copilot,
)
