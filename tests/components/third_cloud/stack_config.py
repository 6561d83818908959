"""The configuration of its stack."""

from typing import Any, ClassVar

from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm_stacks.cloud_config import CloudConfig
from tests.components.third_cloud.cloud import CLOUD as TOY, ToySpec


class ToyConfig(CloudConfig):
    """The configuration of a stack of toy machines."""

    _cloud: ClassVar[Cloud[Any, Any]] = TOY

    toy: ToySpec
    """The cluster of toy machines."""


CONFIG = ToyConfig
