"""eRDMA: the machines have to have it, and ACK a component that gives it to pods.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/use-erdma-in-ack-clusters.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.pool import AckImageType
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.machines.ack import AckFabric
from pulumi_slurm.rules.run import Rule, warns

ERDMA_CONTROLLER = "ack-erdma-controller"


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
        # ACK lists its components, see `cluster_gives_erdma_to_pods`.
        return
    for planned in plan.new_pools:
        if planned.pool.erdma and addons.get(ERDMA_CONTROLLER, True):
            yield FieldError(
                (*planned.at, "erdma"),
                True,
                f"without ACK's component {ERDMA_CONTROLLER} nodes have no aliyun/erdma, and workers wait for it",
                f"Write {ERDMA_CONTROLLER} in controlPlane.addons, which counts when the cluster is created; in one "
                "that exists install it in ACK's console as well.",
                depends_on_fields=(("control_plane", "addons"),),
            )


_SYSTEMS = (AckImageType.ALIYUN_LINUX_3, AckImageType.ALIYUN_LINUX_3_CONTAINER_OPTIMIZED)


@warns
def systems_have_the_driver(plan: AckPlan) -> Iterator[FieldError]:
    """Warn of systems on which ACK's component may not install eRDMA's driver: nodes then have no aliyun/erdma.

    Source: "Prerequisites" in README.md of https://github.com/AliyunContainerService/alibabacloud-erdma-controller.
    """
    for planned in plan.new_pools:
        pool = planned.pool
        if pool.erdma and pool.image_type not in _SYSTEMS and not pool.image_id:
            yield FieldError(
                (*planned.at, "image_type"),
                pool.image_type,
                f"{ERDMA_CONTROLLER} names Alibaba Cloud Linux 3 alone as a system on which it installs the driver of "
                "eRDMA, and workers wait for a node that has it",
                f"Write {_SYSTEMS[0]}, or in imageId an image of yours that has the driver.",
                depends_on_fields=((*planned.at, "erdma"),),
            )


RULES: tuple[Rule, ...] = (
    machines_have_erdma,
    systems_have_the_driver,
    erdma_is_given_to_pods,
)
