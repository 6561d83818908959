"""What exists at Google in tests: a cluster with pools, and a subnetwork of a Shared VPC, as Google keeps them."""

from typing import Any

State = dict[str, Any]

CLUSTER: State = {
    "name": "shared",
    "network": "projects/network-team/global/networks/shared",
    "subnetwork": "projects/network-team/regions/us-central1/subnetworks/batch",
    "ipAllocationPolicy": {"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "services"},
    "datapathProvider": "ADVANCED_DATAPATH",
    "releaseChannel": {"channel": "REGULAR"},
    "masterVersion": "1.35.3-gke.1389000",
    "workloadIdentityConfig": {"workloadPool": "my-project.svc.id.goog"},
    "endpoint": "172.16.0.2",
    "masterAuth": {"clusterCaCertificate": "Q0E="},
    "privateClusterConfig": {"masterIpv4CidrBlock": "172.16.0.0/28", "enablePrivateNodes": True},
}
GENERAL: State = {"name": "general", "nodeConfig": {"machineType": "e2-standard-8"}, "nodeCount": 1}
SUBNETWORK: State = {
    "name": "batch",
    "network": "https://www.googleapis.com/compute/v1/projects/network-team/global/networks/shared",
    "ipCidrRange": "10.0.0.0/22",
    "secondaryIpRanges": [
        {"rangeName": "batch-pods", "ipCidrRange": "10.64.0.0/14"},
        {"rangeName": "batch-services", "ipCidrRange": "10.8.0.0/20"},
    ],
    "privateIpGoogleAccess": True,
}
L4: State = {
    "name": "l4",
    "nodeLocations": ["us-central1-b"],
    "autoscaling": {"totalMinNodeCount": 0, "totalMaxNodeCount": 4},
    "maxPodsPerNode": 32,
    "nodeConfig": {
        "machineType": "g2-standard-4",
        "guestAccelerators": [{"type": "nvidia-l4", "count": 1}],
        "effectiveTaints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
        "workloadMetadataConfig": {"mode": "GKE_METADATA"},
    },
}
