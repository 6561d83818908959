"""eRDMA: the machines have to have it, and ACK a component that gives it to pods.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/use-erdma-in-ack-clusters.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.machines.ack import AckFabric
from pulumi_slurm.rules.run import Rule, warns

_CONTROLLER = "ack-erdma-controller"


def machines_have_erdma(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse eRDMA on machines without: their workers would wait for ever."""
    for planned in plan.new_pools:
        without = [one.name for one in planned.machine_types if one.fabric is not AckFabric.ERDMA]
        if planned.pool.erdma and without:
            yield FieldError(
                (*planned.at, "erdma"),
                True,
                f"{' and '.join(without)} has no eRDMA in the catalogue, so no worker would find a node",
                "Leave it out, choose another instance type, or add this one with fabric eRDMA to "
                "catalogue.machineTypes.",
                depends_on_fields=((*planned.at, "instance_types"),),
            )


@warns
def erdma_is_given_to_pods(plan: AckPlan) -> Iterator[FieldError]:
    """Warn where nothing says that ACK's component for eRDMA is there; it can be added without this library."""
    addons = {addon.name: addon.disabled for addon in plan.spec.control_plane.addons}
    if plan.spec.existing_cluster:
        # Its components are in ACK's console, and fields for them are refused.
        return
    for planned in plan.new_pools:
        if planned.pool.erdma and addons.get(_CONTROLLER, True):
            yield FieldError(
                (*planned.at, "erdma"),
                True,
                f"without ACK's component {_CONTROLLER} nodes have no aliyun/erdma, and workers wait for it",
                f"Write {_CONTROLLER} in controlPlane.addons, which counts when the cluster is created; in one that "
                "exists install it in ACK's console as well.",
                depends_on_fields=(("control_plane", "addons"),),
            )


RULES: tuple[Rule, ...] = (
    machines_have_erdma,
    erdma_is_given_to_pods,
)
