"""The volume with the controllers' state."""

from pulumi_slurm.ack_slurm.manifests.names import state_claim
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def state_volume(spec: SlurmSpec) -> list[Manifest]:
    """Return the claim for the controllers' state; empty if state is disabled or has an existing claim."""
    state = spec.controller.state
    if not state.enabled or state.existing_claim:
        return []
    claim = manifest("v1", "PersistentVolumeClaim", ClusterRef.of(spec), state_claim(spec.name))
    # A class that binds late leaves the claim Pending until a pod uses it, and pods come after claims.
    claim["metadata"]["annotations"] = dict(SKIP_WAIT)
    claim["spec"] = {
        "accessModes": [str(state.access_mode)],
        "resources": {"requests": {"storage": state.size}},
        **({"storageClassName": state.storage_class} if state.storage_class else {}),
    }
    return [claim]
