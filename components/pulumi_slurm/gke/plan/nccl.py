"""Which pools get a plugin for NCCL."""

from pulumi_slurm.gke.model.pool import GkeDriver
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke import GkeFabric

_WITH_A_PLUGIN = {GkeFabric.TCPX, GkeFabric.TCPXO, GkeFabric.ROCE}


def plugin_fabric(plan: GkePlan, planned: GkePlannedPool) -> GkeFabric:
    """Return the fast network for which a pool's nodes get a plugin, or NONE.

    Not for Arm (A4X), whose plugin, drivers and NVLink domains are a set of their own, and not where the driver is the
    user's: the plugins go beside the one that GKE installs.
    """
    kind = planned.machine_type
    fits = kind.fabric in _WITH_A_PLUGIN and kind.architecture is Architecture.AMD64
    wanted = plan.spec.nccl.install and uses_fabric(planned) and planned.pool.driver is not GkeDriver.DISABLED
    return kind.fabric if fits and wanted else GkeFabric.NONE
