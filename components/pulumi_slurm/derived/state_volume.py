"""The volume with slurmctld's state, and whose state is on it.

slurmctld ends at each start whose ClusterName isn't the one in the file `clustername` of its state:
`_verify_clustername` in src/slurmctld/controller.c of SchedMD/slurm, branches slurm-22.05 to slurm-26.05. The claim
outlives slurmctld's StatefulSet, so a Controller that is replaced finds the file again.
"""

from pulumi_slurm.model import ControllerSpec
from pulumi_slurm.model.cluster_settings import ClusterSettings

Side = tuple[ClusterSettings, ControllerSpec]
"""A cluster before or after a change."""


def finds_state_of_another(before: Side, after: Side) -> bool:
    """Return whether slurmctld would find a state under whose ClusterName it doesn't start.

    It doesn't where the state is on another volume: an `existingClaim` that wasn't there before says whose it is.
    """
    volume = state_volume(*before)
    renamed = before[0].slurm_name.lower() != after[0].slurm_name.lower()
    return renamed and volume is not None and volume == state_volume(*after)


def state_volume(cluster: ClusterSettings, controller: ControllerSpec) -> tuple[str, ...] | None:
    """Return what tells the volume of a state from others, its claim last, and None where there is none."""
    if controller.external or not controller.state.enabled:
        return None
    claim = controller.state.existing_claim
    return (cluster.namespace, claim) if claim else (cluster.namespace, cluster.name, "its own claim")
