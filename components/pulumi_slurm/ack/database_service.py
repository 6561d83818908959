"""How slurmdbd finds RDS: a Service in its namespace that is another name of the instance's.

So slurmdbd.conf names a host that stays the same, also when an instance is restored under another name.
"""

from typing import Any

from pulumi_slurm.ack.plan.slurm_spec import database_service
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT


def service(ref: ClusterRef, host: Any) -> Manifest:
    """Return the Service; ``host`` is the instance's private name, and may be an Output."""
    name = database_service(ref.name)
    service = manifest("v1", "Service", ref, name, spec={"type": "ExternalName", "externalName": host})
    # There are no pods to wait for.
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    return service
