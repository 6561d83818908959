"""Operating systems of nodes, which have to support the machine's architecture."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack.model.pool import AckImageType
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.machines.ack import Architecture

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
    for planned in plan.pools:
        image_type, machine_type = planned.pool.image_type, planned.machine_type
        if machine_type.architecture is Architecture.ARM64 and image_type not in ARM_BUILDS:
            yield FieldError(
                (*planned.at, "image_type"),
                image_type,
                f"an {machine_type.name} is an Arm machine, and ACK has no such image for Arm",
                f"Write one of: {', '.join(ARM_BUILDS)}.",
                depends_on_fields=((*planned.at, "instance_types"),),
            )
