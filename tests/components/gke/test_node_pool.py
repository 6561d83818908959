"""Node pools, as requested from GKE: machine types, and ways to get capacity."""

from typing import Any

import pulumi
import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeNodePool, GkeSystemPool, GkeSystemPoolArgs
from pulumi_slurm.gke.model import GkeSpec, GkeSystemPoolSpec
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools
from pulumi_slurm.gke.pool_size import autoscaled
from tests.components.gke.parts import common_pool_args, node_pool_args
from tests.components.gke.requests import requests_of
from tests.components.loosely import loosely


def spec(*pools: dict[str, Any], **fields: Any) -> GkeSpec:
    return GkeSpec.model_validate(
        {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a"],
            "name": "hpc",
            "pools": list(pools),
            **fields,
        }
    )


def request(gke_spec: GkeSpec, pool: str) -> Any:
    return requests_of(lambda: GkeNodePool("p", node_pool_args(gke_spec, pool)))["p-pool"]


def inputs(gke_spec: GkeSpec, pool: str) -> dict[str, Any]:
    return plain(request(gke_spec, pool).object)


def pool(machine_type: str = "n2-standard-8", **fields: Any) -> dict[str, Any]:
    """Return the inputs of the only pool of a specification."""
    size = {} if "nodes" in fields else {"maxNodes": 8}
    return inputs(spec({"name": "p", "machineType": machine_type, **size, **fields}), "p")


def plain(value: Any) -> dict[str, Any]:
    return dict(pulumi.runtime.rpc.deserialize_properties(value))


CPU = {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 8}
GPU_OF = {
    "g2-standard-4": ("nvidia-l4", 1),
    "a3-highgpu-8g": ("nvidia-h100-80gb", 8),
    "a3-megagpu-8g": ("nvidia-h100-mega-80gb", 8),
    "a3-ultragpu-8g": ("nvidia-h200-141gb", 8),
}


def test_a_cpu_pool() -> None:
    pool_inputs = pool()
    assert (pool_inputs["name"], pool_inputs["cluster"], pool_inputs["location"]) == ("p", "hpc", "us-central1")
    assert pool_inputs["nodeLocations"] == ["us-central1-a"]
    assert pool_inputs["autoscaling"] == {"totalMinNodeCount": 0, "totalMaxNodeCount": 8, "locationPolicy": "BALANCED"}
    assert not {"nodeCount", "initialNodeCount", "placementPolicy", "queuedProvisioning"} & set(pool_inputs)
    assert pool_inputs["management"] == {"autoRepair": True, "autoUpgrade": True}
    assert pool_inputs["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 1, "maxUnavailable": 0}
    assert pool_inputs["networkConfig"] == {"enablePrivateNodes": True}
    nodes = pool_inputs["nodeConfig"]
    assert nodes["machineType"] == "n2-standard-8"
    assert nodes["taints"] == [{"key": "slurm.pulumi.com/pool", "value": "p", "effect": "NO_SCHEDULE"}]
    assert not {
        "guestAccelerators",
        "spot",
        "flexStart",
        "maxRunDuration",
        "ephemeralStorageLocalSsdConfig",
        "localNvmeSsdBlockConfig",
        "fastSocket",
    } & set(nodes)


def test_nodes_have_their_own_account_and_are_shielded() -> None:
    nodes = pool()["nodeConfig"]
    assert nodes["serviceAccount"] == "nodes@my-project"
    assert nodes["workloadMetadataConfig"] == {"mode": "GKE_METADATA"}, "pods don't get the nodes' identity"
    assert nodes["shieldedInstanceConfig"] == {"enableSecureBoot": True, "enableIntegrityMonitoring": True}
    assert nodes["kubeletConfig"] == {"insecureKubeletReadonlyPortEnabled": "FALSE", "cpuCfsQuota": True}
    assert nodes["metadata"] == {"disable-legacy-endpoints": "true"}


def test_on_demand_machines_use_open_reservations() -> None:
    """Without an affinity GKE's nodes pass by machines that are reserved and paid for."""
    assert pool()["nodeConfig"]["reservationAffinity"] == {"consumeReservationType": "ANY_RESERVATION"}


def test_scarce_machines_may_all_be_in_one_zone() -> None:
    assert pool()["autoscaling"]["locationPolicy"] == "BALANCED"
    assert pool("g2-standard-8")["autoscaling"]["locationPolicy"] == "ANY"


def test_gpus_that_are_attached() -> None:
    pool_inputs = pool("n1-standard-8", accelerator={"type": "nvidia-tesla-t4", "count": 2}, driver="latest")
    assert pool_inputs["nodeConfig"]["guestAccelerators"] == [
        {
            "type": "nvidia-tesla-t4",
            "count": 2,
            "gpuDriverInstallationConfig": {"gpuDriverVersion": "LATEST"},
        }
    ]
    assert "fastSocket" not in pool_inputs["nodeConfig"]


@pytest.mark.parametrize(("machine_type", "gpu"), GPU_OF.items())
def test_gpus_that_come_with_the_machine(machine_type: str, gpu: tuple[str, int]) -> None:
    pool_inputs = pool(machine_type, capacity="reservation", reservation="ours", driver="disabled")
    (accelerator,) = pool_inputs["nodeConfig"]["guestAccelerators"]
    assert (accelerator["type"], accelerator["count"]) == gpu
    assert accelerator["gpuDriverInstallationConfig"] == {"gpuDriverVersion": "INSTALLATION_DISABLED"}
    upgrades = {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 1}
    assert pool_inputs["upgradeSettings"] == upgrades, "no spare GPU needed"
    taints = {taint["key"] for taint in pool_inputs["nodeConfig"]["taints"]}
    assert "nvidia.com/gpu" not in taints, "GKE adds it by itself"


@pytest.mark.parametrize(
    ("machine_type", "interfaces", "vpcs"),
    [("g2-standard-4", 0, 0), ("a3-highgpu-8g", 4, 4), ("a3-megagpu-8g", 8, 8), ("a3-ultragpu-8g", 9, 2)],
)
def test_fast_networks_are_interfaces(machine_type: str, interfaces: int, vpcs: int) -> None:
    gke_spec = spec({"name": "p", "machineType": machine_type, "capacity": "spot", "maxNodes": 4})
    configs = inputs(gke_spec, "p")["networkConfig"].get("additionalNodeNetworkConfigs", [])
    assert len(configs) == interfaces
    assert len({config["network"] for config in configs}) == vpcs
    fabric = plan_addresses(GkePlan.of(gke_spec)).fabric
    network_of = {subnet.name: network.name for network in fabric for subnet in network.subnets}
    assert all(network_of[config["subnetwork"]] == config["network"] for config in configs)


def test_a_fast_network_can_be_switched_off() -> None:
    pool_inputs = pool("a3-megagpu-8g", capacity="spot", fabric=False)
    assert pool_inputs["networkConfig"] == {"enablePrivateNodes": True}


def test_nccl_has_fast_socket_on_ethernet() -> None:
    assert pool("g2-standard-4")["nodeConfig"]["fastSocket"] == {"enabled": True}
    ubuntu = pool("g2-standard-4", imageType="UBUNTU_CONTAINERD", imageStreaming=False)
    assert "fastSocket" not in ubuntu["nodeConfig"], "only Container-Optimized OS has it"
    assert "fastSocket" not in pool("a3-megagpu-8g", capacity="spot")["nodeConfig"], "it has a network of its own"


def test_spot() -> None:
    pool_inputs = pool(capacity="spot")
    assert pool_inputs["nodeConfig"]["spot"] is True
    assert pool_inputs["nodeConfig"]["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}
    assert pool_inputs["autoscaling"]["locationPolicy"] == "ANY"
    assert pool_inputs["upgradeSettings"]["maxSurge"] == 0


def test_reservation() -> None:
    block = "projects/p/reservations/ours/reservationBlocks/b1"
    properties = {"placementPolicy": "near", "hostMaintenance": "periodic"}
    pool_inputs = pool("a3-megagpu-8g", capacity="reservation", reservation=block, nodes=4, **properties)
    assert pool_inputs["nodeConfig"]["reservationAffinity"] == {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [block],
    }
    assert pool_inputs["placementPolicy"] == {"type": "COMPACT", "policyName": "near"}
    assert pool_inputs["nodeConfig"]["hostMaintenancePolicy"] == {"maintenanceInterval": "PERIODIC"}
    assert pool_inputs["nodeCount"] == 4
    assert "autoscaling" not in pool_inputs


def test_a_block_of_a_reservation_has_the_project() -> None:
    for reservation, path in (
        ("ours", "ours"),
        ("ours/reservationBlocks/b1", "projects/my-project/reservations/ours/reservationBlocks/b1"),
    ):
        nodes = pool(capacity="reservation", reservation=reservation, nodes=4)["nodeConfig"]
        assert nodes["reservationAffinity"]["values"] == [path]
        assert "hostMaintenancePolicy" not in nodes


def test_flex_start_that_is_compact_has_a_workload_policy() -> None:
    gke_spec = spec(
        {"name": "p", "machineType": "h4d-standard-192", "maxNodes": 4}
        | {"capacity": "flex-start", "compactPlacement": True, "fabric": False}
    )
    requests = requests_of(lambda: GkeNodePool("p", node_pool_args(gke_spec, "p")))
    policy = plain(requests["p-placement"].object)
    assert (policy["name"], policy["region"]) == ("hpc-p", "us-central1")
    assert policy["workloadPolicy"] == {"type": "HIGH_THROUGHPUT", "maxTopologyDistance": "CLUSTER"}
    assert plain(requests["p-pool"].object)["placementPolicy"] == {"type": "COMPACT", "policyName": "hpc-p"}


def test_compact_placement_on_demand_is_left_to_gke() -> None:
    gke_spec = spec({"name": "p", "machineType": "c2-standard-60", "maxNodes": 4, "compactPlacement": True})
    requests = requests_of(lambda: GkeNodePool("p", node_pool_args(gke_spec, "p")))
    assert "p-placement" not in requests
    assert plain(requests["p-pool"].object)["placementPolicy"] == {"type": "COMPACT"}


def test_nodes_are_only_upgraded_at_their_end_of_support() -> None:
    exclusion = [{"exclusionUntilEndOfSupports": [{"enabled": True}]}]
    assert pool()["maintenancePolicies"] == exclusion
    assert pool("g2-standard-4", capacity="flex-start")["maintenancePolicies"] == exclusion
    assert "maintenancePolicies" not in pool(autoUpgrade=True)


def test_nodes_without_simultaneous_multithreading_have_half_the_cpus() -> None:
    gke_spec = spec({"name": "p", "machineType": "c3-standard-22", "maxNodes": 4, "threadsPerCore": 1})
    assert inputs(gke_spec, "p")["nodeConfig"]["advancedMachineFeatures"] == {"threadsPerCore": 1}
    (slurm_pool,) = node_pools(GkePlan.of(gke_spec))
    assert slurm_pool.machine.cpus == 10


@pytest.mark.parametrize("machine_type", ["t2a-standard-8", "c4a-standard-8", "t2d-standard-8", "h3-standard-88"])
def test_nothing_is_switched_off_where_cores_have_one_thread(machine_type: str) -> None:
    assert "advancedMachineFeatures" not in pool(machineType=machine_type, threadsPerCore=1)["nodeConfig"]


def test_settings_of_the_nodes_system() -> None:
    image = "projects/p/global/images/slurmd-cuda"
    nodes = pool(sysctls={"net.core.rmem_max": 134217728}, preloadedImages=[image])["nodeConfig"]
    assert nodes["linuxNodeConfig"] == {"sysctls": {"net.core.rmem_max": "134217728"}}
    assert nodes["secondaryBootDisks"] == [{"diskImage": image, "mode": "CONTAINER_IMAGE_CACHE"}]
    assert not {"linuxNodeConfig", "secondaryBootDisks", "advancedMachineFeatures"} & pool()["nodeConfig"].keys()


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [({}, "604800s"), ({"maxRunDuration": "1-00:00:00"}, "86400s"), ({"maxRunDuration": 90}, "5400s")],
)
def test_flex_start(fields: dict[str, Any], seconds: str) -> None:
    pool_inputs = pool("a3-megagpu-8g", capacity="flex-start", **fields)
    assert pool_inputs["nodeConfig"]["flexStart"] is True
    assert pool_inputs["nodeConfig"]["maxRunDuration"] == seconds
    assert pool_inputs["nodeConfig"]["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}
    assert pool_inputs["management"] == {"autoRepair": False, "autoUpgrade": True}
    assert pool_inputs["autoscaling"]["locationPolicy"] == "ANY"
    assert "initialNodeCount" not in pool_inputs
    assert "spot" not in pool_inputs["nodeConfig"]
    assert "queuedProvisioning" not in pool_inputs


def test_network_tags_and_confidential_vms() -> None:
    plain_nodes = pool()["nodeConfig"]
    assert not {"tags", "confidentialNodes"} & plain_nodes.keys()
    nodes = pool("n2d-standard-8", networkTags=["batch", "no-egress"], confidential="SEV_SNP")["nodeConfig"]
    assert nodes["tags"] == ["batch", "no-egress"]
    assert nodes["confidentialNodes"] == {"enabled": True, "confidentialInstanceType": "SEV_SNP"}


def test_network_tags_of_the_system_pool() -> None:
    gke_spec = spec(systemPool={"networkTags": ["daemons"]})
    args = GkeSystemPoolArgs(**common_pool_args(gke_spec), pool=gke_spec.system_pool)
    request = requests_of(lambda: GkeSystemPool("system", args))["system-pool"]
    assert plain(request.object)["nodeConfig"]["tags"] == ["daemons"]


def test_queued() -> None:
    pool_inputs = pool("a3-megagpu-8g", capacity="queued")
    assert pool_inputs["queuedProvisioning"] == {"enabled": True}
    assert pool_inputs["nodeConfig"]["flexStart"] is True
    assert pool_inputs["nodeConfig"]["labels"] == {"cloud.google.com/gke-queued": "true"}
    assert pool_inputs["management"]["autoRepair"] is False


def test_a_fixed_number_counts_all_zones() -> None:
    pool_inputs = pool(nodes=6, zones=["us-central1-a", "us-central1-b", "us-central1-c"])
    assert pool_inputs["nodeCount"] == 2, "GKE counts in each zone"
    assert pool_inputs["ignoreNodeCountChanges"] is False, "who resizes the pool by hand sees it at the next refresh"
    assert not {"autoscaling", "initialNodeCount"} & set(pool_inputs)


@pytest.mark.parametrize("fields", [{"nodes": 0}, {"maxNodes": 0}])
def test_a_pool_can_have_no_nodes(fields: dict[str, Any]) -> None:
    pool_inputs = pool(**fields)
    assert pool_inputs["nodeCount"] == 0
    assert "autoscaling" not in pool_inputs


def test_every_capacity_option_is_a_pool() -> None:
    gke_spec = spec(
        {
            "name": "h100",
            "machineType": "a3-highgpu-8g",
            "fabric": False,
            "priorities": [
                {"capacity": "reservation", "reservation": "ours", "nodes": 2},
                {"capacity": "spot", "maxNodes": 16},
            ],
        }
    )
    first, second = inputs(gke_spec, "h100-reservation"), inputs(gke_spec, "h100-spot")
    assert (first["name"], first["nodeCount"]) == ("h100-reservation", 2)
    assert (second["name"], second["autoscaling"]["totalMaxNodeCount"]) == ("h100-spot", 16)
    assert "spot" not in first["nodeConfig"]


@pytest.mark.parametrize(
    ("fields", "field", "count"),
    [
        ({}, "ephemeralStorageLocalSsdConfig", 16),
        ({"localSsd": {"use": "block"}}, "localNvmeSsdBlockConfig", 16),
    ],
)
def test_local_ssds_that_come_with_the_machine(fields: dict[str, Any], field: str, count: int) -> None:
    nodes = pool("a3-megagpu-8g", capacity="spot", **fields)["nodeConfig"]
    local_ssds = {key: value for key, value in nodes.items() if "Ssd" in key}
    assert local_ssds == {field: {"localSsdCount": count}}


def test_local_ssds_with_a_count() -> None:
    for none in ({}, {"localSsd": {"count": 0}}):
        assert not any("Ssd" in key for key in pool("g2-standard-4", **none)["nodeConfig"])
    nodes = pool("g2-standard-4", localSsd={"count": 1})["nodeConfig"]
    assert nodes["ephemeralStorageLocalSsdConfig"] == {"localSsdCount": 1}


@pytest.mark.parametrize(
    ("machine_type", "disk_type"),
    [
        ("n2-standard-8", "pd-balanced"),
        ("c4-standard-8", "hyperdisk-balanced"),
        ("c4n-standard-8", "hyperdisk-balanced"),
        ("a3-megagpu-8g", "pd-balanced"),
        ("a3-ultragpu-8g", "hyperdisk-balanced"),
    ],
)
def test_a_pool_gets_a_boot_disk_that_its_machine_type_supports(machine_type: str, disk_type: str) -> None:
    pool_inputs = pool(machine_type, capacity="reservation", reservation="ours")
    assert pool_inputs["nodeConfig"]["diskType"] == disk_type


@pytest.mark.parametrize(
    ("machine_type", "disk_type"), [("e2-standard-4", "pd-balanced"), ("c4-standard-4", "hyperdisk-balanced")]
)
def test_the_system_pool_does_too(machine_type: str, disk_type: str) -> None:
    args = GkeSystemPoolArgs(**common_pool_args(spec()), pool=GkeSystemPoolSpec(machine_type=machine_type))
    pool_inputs = plain(requests_of(lambda: GkeSystemPool("s", args))["s-pool"].object)
    assert pool_inputs["nodeConfig"]["diskType"] == disk_type
    assert pool_inputs["nodeConfig"]["diskSizeGb"] == 50, "the quota of a new project is small"


def test_disk_image_pods_labels_and_taints() -> None:
    pool_inputs = pool(
        disk={"type": "pd-ssd", "sizeGib": 200},
        imageType="UBUNTU_CONTAINERD",
        imageStreaming=False,
        maxPodsPerNode=64,
        secureBoot=False,
        nodeLabels={"team": "hpc"},
        taints=[{"key": "maintenance", "effect": "NoExecute"}],
    )
    assert pool_inputs["maxPodsPerNode"] == 64
    nodes = pool_inputs["nodeConfig"]
    assert (nodes["diskType"], nodes["diskSizeGb"], nodes["imageType"]) == ("pd-ssd", 200, "UBUNTU_CONTAINERD")
    assert nodes["gcfsConfig"] == {"enabled": False}
    assert nodes["shieldedInstanceConfig"]["enableSecureBoot"] is False
    assert nodes["labels"] == {"team": "hpc"}
    assert nodes["taints"][1:] == [{"key": "maintenance", "value": "", "effect": "NO_EXECUTE"}]


def test_a_pool_is_replaced_under_its_name_and_never_for_its_first_size() -> None:
    pool_request = request(spec({"name": "p", "machineType": "n2-standard-8", "maxNodes": 2}), "p")
    assert pool_request.deleteBeforeReplace
    assert list(pool_request.ignoreChanges) == ["initialNodeCount", "nodeConfig.reservationAffinity"]


PRIORITIES = [{"capacity": "reservation", "reservation": "ours", "nodes": 2}, {"capacity": "spot", "maxNodes": 4}]


def errors_of(pool: dict[str, Any], **fields: Any) -> list[str]:
    """Return the errors of the arguments of a node pool."""
    pool = {"name": "h100", "machineType": "n2-standard-8", **pool}
    with pytest.raises(SpecError) as raised:
        loosely(GkeNodePool)("p", {**common_pool_args(spec()), "pool": pool, **fields})
    return [str(error) for error in raised.value.errors]


def test_a_pool_with_priorities_needs_one_of_them() -> None:
    (without,) = errors_of({"priorities": PRIORITIES})
    assert without.startswith(
        "capacity_option: the pool has priorities, and each of their capacity options is a node pool."
    )
    (other,) = errors_of({"priorities": PRIORITIES}, capacity_option={"capacity": "spot", "maxNodes": 5})
    assert other.endswith("it is none of the pool's priorities. Write one of them.")
    (superfluous,) = errors_of({"maxNodes": 4}, capacity_option=PRIORITIES[1])
    assert "it is none of the pool's priorities. Leave it out" in superfluous


def test_a_fast_network_without_its_vpcs_is_refused() -> None:
    mega = {"machineType": "a3-megagpu-8g", "capacity": "spot", "maxNodes": 2}
    (without,) = errors_of(mega)
    assert without.startswith("interfaces: a3-megagpu-8g has 8 interfaces in additional VPCs, and here are 0.")
    (too_few,) = errors_of(mega, interfaces=[{"network_name": "v", "subnetwork_name": "s"}] * 7)
    assert "has 8 interfaces in additional VPCs, and here are 7." in too_few


@pytest.mark.parametrize(
    ("pool", "fields", "expected"),
    [
        ({"machineType": "n2-standard-9", "maxNodes": 1}, {}, 'pool.machine_type = "n2-standard-9": '),
        ({}, {}, "pool.max_nodes: nothing says how many nodes there can be."),
        ({"name": "system", "maxNodes": 1}, {}, 'pool.name = "system": the pool of Slurm\'s daemons has this name.'),
        ({"capacity": "reservation", "maxNodes": 1}, {}, "pool.reservation: nothing says which reservation"),
        ({"maxNodes": 1, "localSsd": {"count": 3}}, {}, "pool.local_ssd.count = 3: "),
        ({"maxNodes": 1, "reservedCpus": 8}, {}, "pool.reserved_cpus = 8: GKE leaves "),
        (
            {"nodes": 3, "zones": ["us-central1-a", "us-central1-b"]},
            {},
            "pool.nodes = 3: GKE keeps the same number",
        ),
        ({"maxNodes": 1, "zones": ["us-east1-b"]}, {}, 'pool.zones[0] = "us-east1-b": '),
        ({"maxNodes": 15000}, {}, "pool: with the system pool these are up to 15001 nodes"),
        (
            {"priorities": [PRIORITIES[0], {"capacity": "spot"}]},
            {"capacity_option": PRIORITIES[0]},
            "pool.priorities[1].max_nodes: nothing says how many nodes there can be.",
        ),
        ({"maxNodes": 1}, {"zones": []}, "zones: nothing says in which zones the nodes are."),
        ({"maxNodes": 1}, {"zones": ["us-east1-b"]}, 'zones[0] = "us-east1-b": '),
        ({"maxNodes": 1}, {"location": "us-east1-c"}, 'zones[0] = "us-central1-a": '),
        ({"maxNodes": 1}, {"location": "here"}, 'location = "here": this is not a region.'),
        ({"maxNodes": 1}, {"project": "P"}, 'project = "P": this is not the id of a project.'),
        ({"maxNodes": 1}, {"gke_cluster": 42}, "gke_cluster = 42: this is not text."),
    ],
)
def test_rules_about_a_pool_hold_for_its_arguments(pool: dict[str, Any], fields: dict[str, Any], expected: str) -> None:
    (error,) = errors_of(pool, **fields)
    assert error.startswith(expected)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"pool": {"machineType": "g2-standard-4"}}, 'pool.machine_type = "g2-standard-4": this has GPUs'),
        ({"pool": {"minNodes": 5}}, "pool.min_nodes = 5: it is above max_nodes, 4."),
        ({"pool": {"disk": {"type": "hyperdisk-balanced"}}}, 'pool.disk.type = "hyperdisk-balanced": e2-standard-4'),
        ({"zones": []}, "zones: nothing says in which zones the nodes are."),
        ({"zones": ["us-east1-b"]}, 'zones[0] = "us-east1-b": '),
    ],
)
def test_rules_about_the_system_pool_hold_for_its_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeSystemPool)("s", {**common_pool_args(spec()), **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)


def test_a_zonal_cluster_has_pools_in_its_region() -> None:
    args = {**common_pool_args(spec()), "location": "us-central1-a", "pool": {**CPU, "zones": ["us-central1-b"]}}
    pool_inputs = plain(requests_of(lambda: loosely(GkeNodePool)("p", args))["p-pool"].object)
    assert (pool_inputs["location"], pool_inputs["nodeLocations"]) == ("us-central1-a", ["us-central1-b"])


def test_the_system_pool_takes_every_pod() -> None:
    gke_spec = spec(systemPool={"minNodes": 3, "maxNodes": 6}, zones=["us-central1-a", "us-central1-b"])
    args = GkeSystemPoolArgs(**common_pool_args(gke_spec), pool=gke_spec.system_pool)
    pool_inputs = plain(requests_of(lambda: GkeSystemPool("s", args))["s-pool"].object)
    assert pool_inputs["name"] == "system"
    assert pool_inputs["nodeLocations"] == ["us-central1-a", "us-central1-b"]
    assert pool_inputs["autoscaling"]["totalMinNodeCount"] == 3
    assert pool_inputs["initialNodeCount"] == 2, "in each zone"
    assert pool_inputs["nodeConfig"]["serviceAccount"] == "nodes@my-project"
    assert "taints" not in pool_inputs["nodeConfig"]
    assert pool_inputs["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 1, "maxUnavailable": 0}


@given(min_nodes=st.integers(0, 50), difference=st.integers(0, 50), zones=st.integers(1, 4))
def test_a_pool_starts_within_its_limits(min_nodes: int, difference: int, zones: int) -> None:
    max_nodes = min_nodes + difference
    initial = (autoscaled(min_nodes, max_nodes, zones, any_zone=False).initial_node_count or 0) * zones
    assert initial <= max_nodes
    assert initial >= min_nodes or initial + zones > max_nodes, "fewer only if another node per zone is too many"
