"""Operating systems of nodes, and Slurm's image, which have to support the machine's architecture."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack.model.pool import AckImageType
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.machines.ack import AckMachineTypeSpec, Architecture
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

ARM_BUILDS: Mapping[str, str] = MappingProxyType(
    {
        AckImageType.ALIYUN_LINUX_3: "AliyunLinux3Arm64",
        AckImageType.ALIYUN_LINUX_4: "AliyunLinux4Arm64",
        AckImageType.ALIYUN_LINUX_4_CONTAINER_OPTIMIZED: "AliyunLinux4ContainerOptimizedArm64",
    }
)
"""ACK's images for Arm, from the provider's description of image_type."""


def images_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse images that don't exist for the machine's architecture."""
    for planned in plan.new_pools:
        image_type, machine_type = planned.pool.image_type, planned.machine_type
        if machine_type.architecture is Architecture.ARM64 and image_type not in ARM_BUILDS:
            yield FieldError(
                (*planned.at, "image_type"),
                image_type,
                f"an {machine_type.name} is an Arm machine, and ACK has no such image for Arm",
                f"Write one of: {', '.join(ARM_BUILDS)}.",
                depends_on_fields=((*planned.at, "instance_types"),),
            )


@warns
def image_of_slurm_fits(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn about workers of Alibaba's image on Arm machines: its Dockerfile and its tags name no image for Arm.

    Source: framework/slurm/building-slurm-image of https://github.com/AliyunContainerService/ai-models-on-ack.
    """
    options = plan.spec.slurm
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR or options.image:
        return
    arm = {planned.name: planned.machine_type.name for planned in plan.pools if _is_arm(planned.machine_type)}
    for index, node_set in enumerate(slurm.node_sets):
        if node_set.pool in arm and not (node_set.image or options.worker(node_set.name).image):
            yield FieldError(
                ("node_sets", index, "pool"),
                node_set.pool,
                f"{arm[node_set.pool]} is an Arm machine, and Alibaba's image of Slurm is for x86",
                "Write an image of yours for Arm in ack.slurm.image (docs/ack-image.md), or choose another pool.",
                depends_on_fields=(("ack", "slurm", "image"),),
            )


def _is_arm(machine_type: AckMachineTypeSpec) -> bool:
    return machine_type.architecture is Architecture.ARM64


RULES: tuple[Rule, ...] = (images_fit,)
RULES_WITH_SLURM: tuple[Rule, ...] = (image_of_slurm_fits,)
