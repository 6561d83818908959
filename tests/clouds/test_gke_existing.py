"""A Slurm cluster on what a platform team has already: its VPC, its GKE cluster, its node pools.

What exists is made by hand, by Google's API. Whatever the stack does, it stays as it was.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.clouds.engine import EngineClient
from tests.clouds.gcp.examples import CLUSTER, EXAMPLES, NETWORK, NODE_POOL, PROJECT, REGION, SUBNETWORK, make_apis
from tests.clouds.gcp.package import PACKAGE
from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import Settings, made_up
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.surroundings import CloudProgram
from tests.clouds.whole_life import Made, made_in, untouched
from tests.e2e.objects import Objects, ready
from tests.waiting import eventually

NAME = "guest"
SERVICE = "gcp:projects/service:Service"
HOST = "network-team"
SHARED_VPC = {
    "project": HOST,
    "network": "shared",
    "subnetwork": "batch",
    "podsRange": "batch-pods",
    "servicesRange": "batch-services",
}
RANGES = [
    {"rangeName": "batch-pods", "ipCidrRange": "10.64.0.0/14"},
    {"rangeName": "batch-services", "ipCidrRange": "10.8.0.0/20"},
]


@pytest.fixture(scope="module")
def by_hand(module_google: Google) -> Iterator[EngineClient]:
    """Whoever made what exists: a VPC, a cluster, a pool for all kinds of pods and one with GPUs."""
    with EngineClient(PACKAGE, module_google.cloud, project=PROJECT, region=REGION) as client:
        make_apis(client)
        for api in ("compute", "container"):
            client.create(SERVICE, service=f"{api}.googleapis.com", project=HOST)
        for token, inputs in EXAMPLES.items():
            client.create(token, **inputs)
            if token == NODE_POOL:
                break
        nodes = {"machineType": "e2-standard-8"}
        client.create(NODE_POOL, name="general", cluster="hpc", location=REGION, nodeCount=1, nodeConfig=nodes)
        yield client


def existing(cloud: Cloud) -> Made:
    """Return what there is, but for the APIs that are on: of one the provider keeps what the stack wants of it at a
    destroy, which Google doesn't know.
    """
    return {key: state for key, state in made_in(cloud).items() if key[0] != SERVICE}


def settings(**gke: Any) -> Settings:
    """A stack with a node set on a pool of its own, and one on a pool that exists."""
    made = made_up(
        [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 2}],
        name=NAME,
        namespace=NAME,
        nodeSets=[{"name": "cpu", "pool": "cpu", "replicas": 1}, {"name": "l4", "pool": "l4", "replicas": 1}],
        partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
    )
    made["slurm:gke"] |= {
        "existingCluster": {"name": "hpc", "location": REGION},
        "existingPools": [{"name": "l4"}],
        **gke,
    }
    return made


@pytest.mark.repeats("tests/components/gke/test_existing.py, on the simulated cloud")
def test_a_cluster_with_its_pools_is_used_and_left_alone(
    module_google: Google, by_hand: EngineClient, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cloud = module_google.cloud
    before = existing(cloud)
    program = CloudProgram(module_google, tmp_path_factory.mktemp(NAME), stack=NAME)

    program.up(settings())
    workers = eventually(
        "workers on both pools", lambda: [pod for pod in objects.all("Pod", NAME) if ready(pod)], _on_both_pools
    )
    (gpu,) = [pod for pod in workers if pod["metadata"]["name"] == f"{NAME}-worker-l4-0"]
    container = next(each for each in gpu["spec"]["containers"] if each["name"] == "slurmd")
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert {"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"} in container["env"]
    made = made_in(cloud).keys() - before.keys()
    assert {token.rpartition(":")[2] for token, _ in made} <= {
        "Account",
        "IAMMember",
        "NodePool",
        "Service",
        "Firewall",
    }
    assert [name for token, name in made if token in (CLUSTER, NETWORK, SUBNETWORK)] == []

    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}
    changed = settings()
    changed["slurm:cluster"]["nodeSets"][1]["replicas"] = 2
    changed["slurm:gke"]["pools"][0]["maxNodes"] = 3
    program.up(changed)
    assert cloud.find("NodePool", "cpu").state["autoscaling"]["totalMaxNodeCount"] == 3
    untouched(cloud, before)
    program.destroy()
    untouched(cloud, before)
    assert {token for token, _ in made_in(cloud).keys() - before.keys()} <= {SERVICE}


def _on_both_pools(pods: list[Any]) -> bool:
    return {f"{NAME}-worker-cpu-0", f"{NAME}-worker-l4-0"} <= {pod["metadata"]["name"] for pod in pods}


def test_what_the_existing_lacks_is_told_at_once(
    module_google: Google, by_hand: EngineClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = CloudProgram(module_google, tmp_path_factory.mktemp("lacks"), stack="lacks")
    wrong = settings(
        existingPools=[{"name": "l4"}, {"name": "h100"}],
        storage=[{"name": "data", "mountPath": "/data", "bucket": {}}],
    )
    output = program.preview(wrong, check=False).output
    assert 'slurm:gke.existingPools[1].name = "h100": the cluster has no such pool' in output
    assert "Write one of those that it has: general, l4." in output
    assert 'slurm:gke.existingCluster.name = "hpc": its add-on GcsFuseCsiDriver is off' in output
    assert "its nodes don't run GKE's metadata server" in output
    assert "Traceback" not in output


@pytest.mark.repeats("tests/components/gke/test_existing.py, on the simulated cloud")
def test_a_shared_vpc_is_used_and_left_alone(
    module_google: Google, by_hand: EngineClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cloud = module_google.cloud
    by_hand.create(NETWORK, name="shared", project=HOST, autoCreateSubnetworks=False)
    network = f"projects/{HOST}/global/networks/shared"
    by_hand.create(
        SUBNETWORK,
        name="batch",
        project=HOST,
        region=REGION,
        network=network,
        ipCidrRange="10.0.0.0/20",
        secondaryIpRanges=RANGES,
        privateIpGoogleAccess=True,
    )
    before = existing(cloud)
    wanted = made_up(
        [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 2}],
        name="tenant",
        namespace="tenant",
        nodeSets=[{"name": "cpu", "pool": "cpu", "replicas": 1}],
        partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
    )
    wanted["slurm:gke"] |= {"network": {"existing": SHARED_VPC}, "deletionProtection": False}
    program = CloudProgram(module_google, tmp_path_factory.mktemp("tenant"), stack="tenant")
    refused = copy.deepcopy(wanted)
    refused["slurm:gke"]["network"]["existing"] |= {"podsRange": "pods", "network": "default"}
    output = program.preview(refused, check=False).output
    assert 'network.existing.network = "default": the subnetwork "batch" is in the VPC "shared"' in output
    assert "Write one of those that it has: batch-pods, batch-services." in output

    preview = program.preview(wanted).output
    assert "sharedVpcGrants" in preview
    assert "123456789012@cloudservices.gserviceaccount.com" in preview
    failed = program.up(check=False)
    assert "lacks compute.subnetworks.use" in failed.output, "Google's words, as nobody has granted anything"
    wanted["slurm:gke"]["network"]["existing"] = {**SHARED_VPC, "grantAccess": True}
    program.up(wanted)
    cluster = cloud.find("Cluster", "tenant").state
    assert cluster["network"] == network
    assert cluster["ipAllocationPolicy"]["clusterSecondaryRangeName"] == "batch-pods"
    assert not [
        token for token, _ in made_in(cloud).keys() - before.keys() if "compute/" in token and "IAM" not in token
    ]
    assert program.up(None, "--expect-no-changes").changes == {}
    program.destroy()
    untouched(cloud, before)
