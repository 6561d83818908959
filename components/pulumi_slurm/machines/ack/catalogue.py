"""The instance types that can be used: the built-in ones, and what users add to them or state otherwise."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from pulumi_slurm.machines.ack.cpu_types import cpu_types
from pulumi_slurm.machines.ack.gpu_types import gpu_types
from pulumi_slurm.machines.ack.machine_type import AckMachineTypeSpec, AckPriceSpec
from pulumi_slurm.machines.catalogue import CatalogueSpec


@cache
def _built_in_types() -> dict[str, AckMachineTypeSpec]:
    return {instance_type.name: instance_type for instance_type in (*cpu_types(), *gpu_types())}


class AckCatalogueSpec(CatalogueSpec[AckMachineTypeSpec, AckPriceSpec]):
    """Instance types, prices and zones as the user states them, on top of the built-in types.

    For example, in stack configuration:

        machineTypes:
          - { name: ecs.c9ae.32xlarge, vcpus: 128, memoryGib: 256, enis: { count: 15, addresses: 30 } }
        prices:
          ecs.gn7i-c8g1.2xlarge: { onDemand: 1.26, currency: USD, region: ap-southeast-1, asOf: 2026-11-01 }
        zones:
          ecs.gn7i-c8g1.2xlarge: [ap-southeast-1a, ap-southeast-1c]
    """

    _unknown_type: ClassVar = "the catalogue has no such instance type"
    _example: ClassVar = "ecs.g8i.4xlarge"

    @classmethod
    def built_in_types(cls) -> Mapping[str, AckMachineTypeSpec]:
        """Return Alibaba's types by name, without those that users add."""
        return _built_in_types()
