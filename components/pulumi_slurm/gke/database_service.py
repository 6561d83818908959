"""How slurmdbd reaches Cloud SQL: a Service in its namespace with the instance's address as its endpoint.

So the host name in slurmdbd.conf stays the same, even if an instance is restored with another address.
"""

import pulumi

from pulumi_slurm.gke.plan.slurm_spec import cloud_sql_name
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model.cluster_ref import ClusterRef

PORT = 3306
_PORT_NAME = "mysql"


def service(ref: ClusterRef) -> Manifest:
    """Return the Service. It selects no pods, so its only endpoint is the one of `endpoints`."""
    service = manifest(
        "v1",
        "Service",
        ref,
        cloud_sql_name(ref.name),
        spec={"type": "ClusterIP", "ports": [{"name": _PORT_NAME, "port": PORT, "protocol": "TCP"}]},
    )
    # Pulumi would wait for pods.
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    return service


def endpoints(ref: ClusterRef, address: pulumi.Input[str]) -> Manifest:
    """Return the EndpointSlice of the Service, with the address of the instance.

    For its labels see https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#ownership.
    """
    endpoint_slice = manifest(
        "discovery.k8s.io/v1",
        "EndpointSlice",
        ref,
        cloud_sql_name(ref.name),
        addressType="IPv4",
        endpoints=[{"addresses": [address], "conditions": {"ready": True}}],
        ports=[{"name": _PORT_NAME, "port": PORT, "protocol": "TCP"}],
    )
    endpoint_slice["metadata"]["labels"] |= {
        "kubernetes.io/service-name": cloud_sql_name(ref.name),
        "endpointslice.kubernetes.io/managed-by": "pulumi-slurm",
    }
    return endpoint_slice
