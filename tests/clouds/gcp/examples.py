"""A small site at Google, resource by resource, as tests of the simulation make it."""

from typing import Any

from tests.clouds.engine import EngineClient, Made
from tests.clouds.gcp.google import NEW_PROJECT
from tests.clouds.simulator.wire import Values

PROJECT = "some-project"
ANOTHER = "another-project"
REGION = "us-central1"
ZONE = "us-central1-b"
APIS = "artifactregistry cloudkms compute container file iam lustre servicenetworking sqladmin storage"
ACCOUNT = f"nodes-of-hpc@{PROJECT}.iam.gserviceaccount.com"

KEY = f"projects/{PROJECT}/locations/{REGION}/keyRings/ring/cryptoKeys/key"
NETWORK = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"
FILESTORE = "gcp:filestore/instance:Instance"
SQL = "gcp:sql/databaseInstance:DatabaseInstance"

EXAMPLES: dict[str, Values] = {
    NETWORK: {"name": "hpc", "autoCreateSubnetworks": False},
    SUBNETWORK: {
        "name": "hpc",
        "network": f"projects/{PROJECT}/global/networks/hpc",
        "ipCidrRange": "10.0.0.0/24",
        "secondaryIpRanges": [
            {"rangeName": "pods", "ipCidrRange": "10.4.0.0/14"},
            {"rangeName": "services", "ipCidrRange": "10.8.0.0/20"},
        ],
    },
    "gcp:compute/router:Router": {"name": "hpc", "network": "hpc"},
    "gcp:compute/routerNat:RouterNat": {
        "name": "hpc",
        "router": "hpc",
        "sourceSubnetworkIpRangesToNat": "ALL_SUBNETWORKS_ALL_IP_RANGES",
    },
    "gcp:compute/firewall:Firewall": {
        "name": "hpc",
        "network": "hpc",
        "allows": [{"protocol": "tcp", "ports": ["22"]}],
        "sourceRanges": ["35.235.240.0/20", "10.0.0.0/8"],
    },
    "gcp:compute/globalAddress:GlobalAddress": {
        "name": "google",
        "network": "hpc",
        "purpose": "VPC_PEERING",
        "addressType": "INTERNAL",
        "prefixLength": 20,
    },
    "gcp:servicenetworking/connection:Connection": {
        "network": "hpc",
        "service": "servicenetworking.googleapis.com",
        "reservedPeeringRanges": ["google"],
        "deletionPolicy": "REMOVE_PEERING",
    },
    "gcp:compute/resourcePolicy:ResourcePolicy": {"name": "hpc", "groupPlacementPolicy": {"collocation": "COLLOCATED"}},
    "gcp:serviceaccount/account:Account": {"accountId": "nodes-of-hpc"},
    "gcp:projects/iAMMember:IAMMember": {
        "project": PROJECT,
        "role": "roles/logging.logWriter",
        "member": f"serviceAccount:{ACCOUNT}",
    },
    "gcp:projects/serviceIdentity:ServiceIdentity": {"service": "sqladmin.googleapis.com"},
    "gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember": {
        "cryptoKeyId": KEY,
        "role": "roles/cloudkms.cryptoKeyEncrypterDecrypter",
        "member": "serviceAccount:service-123456789012@container-engine-robot.iam.gserviceaccount.com",
    },
    "gcp:compute/subnetworkIAMMember:SubnetworkIAMMember": {
        "subnetwork": "hpc",
        "region": REGION,
        "role": "roles/compute.networkUser",
        "member": "serviceAccount:123456789012@cloudservices.gserviceaccount.com",
    },
    CLUSTER: {
        "name": "hpc",
        "location": REGION,
        "network": "hpc",
        "subnetwork": "hpc",
        "nodeLocations": [ZONE],
        "initialNodeCount": 1,
        "removeDefaultNodePool": True,
        "deletionProtection": False,
        "datapathProvider": "ADVANCED_DATAPATH",
        "workloadIdentityConfig": {"workloadPool": f"{PROJECT}.svc.id.goog"},
        "ipAllocationPolicy": {"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "services"},
        "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"allowExternalTraffic": True}},
        "resourceLabels": {"cost": "research"},
    },
    NODE_POOL: {
        "name": "l4",
        "cluster": "hpc",
        "location": REGION,
        "autoscaling": {"totalMinNodeCount": 0, "totalMaxNodeCount": 3},
        "maxPodsPerNode": 32,
        "nodeConfig": {
            "machineType": "g2-standard-4",
            "serviceAccount": ACCOUNT,
            "oauthScopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "guestAccelerators": [{"type": "nvidia-l4", "count": 1}],
            "labels": {"team": "vision"},
            "taints": [{"key": "slurm.pulumi.com/pool", "value": "l4", "effect": "NO_SCHEDULE"}],
        },
    },
    "gcp:serviceaccount/iAMMember:IAMMember": {
        "serviceAccountId": f"projects/{PROJECT}/serviceAccounts/{ACCOUNT}",
        "role": "roles/iam.workloadIdentityUser",
        "member": f"serviceAccount:{PROJECT}.svc.id.goog[slurm/slurmd]",
    },
    "gcp:artifactregistry/repository:Repository": {"repositoryId": "hpc", "format": "DOCKER", "location": REGION},
    "gcp:artifactregistry/repositoryIamMember:RepositoryIamMember": {
        "repository": "hpc",
        "location": REGION,
        "role": "roles/artifactregistry.reader",
        "member": f"serviceAccount:{ACCOUNT}",
    },
    FILESTORE: {
        "name": "home",
        "tier": "ZONAL",
        "location": ZONE,
        "protocol": "NFS_V4_1",
        "fileShares": {"name": "home", "capacityGb": 1024},
        "networks": [{"network": "hpc", "modes": ["MODE_IPV4"], "connectMode": "PRIVATE_SERVICE_ACCESS"}],
    },
    "gcp:lustre/instance:Instance": {
        "instanceId": "scratch",
        "filesystem": "scratch",
        "location": ZONE,
        "network": f"projects/{PROJECT}/global/networks/hpc",
        "capacityGib": "9000",
        "perUnitStorageThroughput": "1000",
    },
    "gcp:storage/bucket:Bucket": {"name": "some-data", "location": REGION},
    "gcp:storage/bucketIAMMember:BucketIAMMember": {
        "bucket": "some-data",
        "role": "roles/storage.objectUser",
        "member": f"serviceAccount:{ACCOUNT}",
    },
    SQL: {
        "name": "accounting",
        "databaseVersion": "MYSQL_8_4",
        "deletionProtection": False,
        "settings": {
            "tier": "db-custom-2-8192",
            "ipConfiguration": {"ipv4Enabled": False, "privateNetwork": f"projects/{PROJECT}/global/networks/hpc"},
        },
    },
    "gcp:sql/database:Database": {"name": "slurm_acct_db", "instance": "accounting"},
    "gcp:sql/user:User": {"name": "slurm", "instance": "accounting", "password": "secret"},
    NEW_PROJECT: {
        "projectId": ANOTHER,
        "name": "Another project",
        "folderId": "42",
        "billingAccount": "0123AB-CDEF01-234567",
        "autoCreateNetwork": False,
        "deletionPolicy": "DELETE",
    },
    "gcp:compute/sharedVPCServiceProject:SharedVPCServiceProject": {
        "hostProject": PROJECT,
        "serviceProject": ANOTHER,
    },
}
"""Inputs by token, in an order in which they can be made."""


def make_apis(engine: EngineClient) -> None:
    """Switch the APIs on."""
    for api in APIS.split():
        engine.create("gcp:projects/service:Service", service=f"{api}.googleapis.com")


def make_site(engine: EngineClient, until: str | None = None, **changes: Any) -> dict[str, Made]:
    """Make the examples, or those before one of them; ``changes`` are inputs of the last one."""
    made: dict[str, Made] = {}
    for token, inputs in EXAMPLES.items():
        last = token == until
        made[token] = engine.create(token, **{**inputs, **(changes if last else {})})
        if last:
            break
    return made
