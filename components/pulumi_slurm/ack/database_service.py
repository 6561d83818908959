"""The Service by which slurmdbd reaches RDS: an alias of the instance's host name in slurmdbd's namespace.

The host in slurmdbd.conf therefore stays the same when an instance is restored under another name.
"""

from typing import Any

from pulumi_slurm.ack.plan.slurm_spec import database_service
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model.cluster_ref import ClusterRef


def service(ref: ClusterRef, host: Any) -> Manifest:
    """Return the Service; ``host`` is the instance's private host name, and may be an Output."""
    name = database_service(ref.name)
    service = manifest("v1", "Service", ref, name, spec={"type": "ExternalName", "externalName": host})
    # Otherwise Pulumi would wait for pods.
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    return service
