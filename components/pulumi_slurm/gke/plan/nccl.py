"""Which pools get a plugin for NCCL."""

from pulumi_slurm.gke.model.pool import GkeDriver
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke import GkeFabric

_WITH_A_PLUGIN = frozenset({GkeFabric.TCPX, GkeFabric.TCPXO, GkeFabric.ROCE})


def plugin_fabric(plan: GkePlan, planned: GkePlannedPool) -> GkeFabric:
    """Return the fast network for which a pool's nodes get a plugin, or NONE.

    Arm machines (A4X) get none, because they need another plugin, other drivers and NVLink domains. Pools whose driver
    the user installs get none either: the plugins are installed next to the driver that GKE installs.
    """
    machine_type = planned.machine_type
    has_plugin = machine_type.fabric in _WITH_A_PLUGIN and machine_type.architecture is Architecture.AMD64
    is_wanted = plan.spec.nccl.install and uses_fabric(planned) and planned.pool.driver is not GkeDriver.DISABLED
    return machine_type.fabric if has_plugin and is_wanted else GkeFabric.NONE
