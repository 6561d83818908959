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
    renamed = before[0].slurm_name.lower() != after[0].slurm_name.lower()
    return renamed and state_claim(*before) is not None and _volume(*before) == _volume(*after)


def _volume(cluster: ClusterSettings, controller: ControllerSpec) -> tuple[str, str | None, bool]:
    return cluster.namespace, state_claim(cluster, controller), bool(controller.state.existing_claim)


def state_claim(cluster: ClusterSettings, controller: ControllerSpec) -> str | None:
    """Return the claim with slurmctld's state, such as "statesave-c-controller-0"; None where it is on no volume."""
    if controller.external or not controller.state.enabled:
        return None
    # The operator's template of claims is called statesave, and its StatefulSet <name>-controller.
    return controller.state.existing_claim or f"statesave-{cluster.name}-controller-0"
