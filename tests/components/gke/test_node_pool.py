"""Node pools, as they are asked for at GKE: each kind of machine, and each way to get it."""

from typing import Any

import pulumi
import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeNodePool, GkeSystemPool, GkeSystemPoolArgs
from pulumi_slurm.gke.model import GkeSpec, GkeSystemPoolSpec
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.pool_size import autoscaled
from tests.components.gke.parts import node_pool_args, pool_place
from tests.components.gke.requests import requests_of


def spec(*pools: dict[str, Any], **stated: Any) -> GkeSpec:
    return GkeSpec.model_validate(
        {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a"],
            "name": "hpc",
            "pools": list(pools),
            **stated,
        }
    )


def request(what: GkeSpec, pool: str) -> Any:
    return requests_of(lambda: GkeNodePool("p", node_pool_args(what, pool)))["p-pool"]


def inputs(what: GkeSpec, pool: str) -> dict[str, Any]:
    return plain(request(what, pool).object)


def pool(machine_type: str = "n2-standard-8", **stated: Any) -> dict[str, Any]:
    """Return the inputs of the only pool of a specification."""
    counted = {} if "nodes" in stated else {"maxNodes": 8}
    return inputs(spec({"name": "p", "machineType": machine_type, **counted, **stated}), "p")


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
    made = pool()
    assert (made["name"], made["cluster"], made["location"]) == ("p", "hpc", "us-central1")
    assert made["nodeLocations"] == ["us-central1-a"]
    assert made["autoscaling"] == {"totalMinNodeCount": 0, "totalMaxNodeCount": 8, "locationPolicy": "BALANCED"}
    assert not {"nodeCount", "initialNodeCount", "placementPolicy", "queuedProvisioning"} & set(made)
    assert made["management"] == {"autoRepair": True, "autoUpgrade": True}
    assert made["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 1, "maxUnavailable": 0}
    assert made["networkConfig"] == {"enablePrivateNodes": True}
    nodes = made["nodeConfig"]
    assert nodes["machineType"] == "n2-standard-8"
    assert nodes["taints"] == [{"key": "slurm.pulumi.com/pool", "value": "p", "effect": "NO_SCHEDULE"}]
    assert not {
        "guestAccelerators",
        "spot",
        "flexStart",
        "maxRunDuration",
        "reservationAffinity",
        "ephemeralStorageLocalSsdConfig",
        "localNvmeSsdBlockConfig",
        "fastSocket",
    } & set(nodes)


def test_nodes_run_as_an_account_of_their_own_and_are_shielded() -> None:
    nodes = pool()["nodeConfig"]
    assert nodes["serviceAccount"] == "nodes@my-project"
    assert nodes["workloadMetadataConfig"] == {"mode": "GKE_METADATA"}, "pods don't get the nodes' identity"
    assert nodes["shieldedInstanceConfig"] == {"enableSecureBoot": True, "enableIntegrityMonitoring": True}
    assert nodes["kubeletConfig"] == {"insecureKubeletReadonlyPortEnabled": "FALSE"}
    assert nodes["metadata"] == {"disable-legacy-endpoints": "true"}


def test_gpus_that_are_attached() -> None:
    made = pool("n1-standard-8", accelerator={"type": "nvidia-tesla-t4", "count": 2}, driver="latest")
    assert made["nodeConfig"]["guestAccelerators"] == [
        {
            "type": "nvidia-tesla-t4",
            "count": 2,
            "gpuDriverInstallationConfig": {"gpuDriverVersion": "LATEST"},
        }
    ]
    assert "fastSocket" not in made["nodeConfig"]


@pytest.mark.parametrize(("machine_type", "gpu"), GPU_OF.items())
def test_gpus_that_come_with_the_machine(machine_type: str, gpu: tuple[str, int]) -> None:
    made = pool(machine_type, capacity="reservation", reservation="ours", driver="disabled")
    (found,) = made["nodeConfig"]["guestAccelerators"]
    assert (found["type"], found["count"]) == gpu
    assert found["gpuDriverInstallationConfig"] == {"gpuDriverVersion": "INSTALLATION_DISABLED"}
    assert made["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 1}, "no spare GPU needed"
    assert not any(taint["key"] == "nvidia.com/gpu" for taint in made["nodeConfig"]["taints"]), "GKE adds it itself"


@pytest.mark.parametrize(
    ("machine_type", "interfaces", "vpcs"),
    [("g2-standard-4", 0, 0), ("a3-highgpu-8g", 4, 4), ("a3-megagpu-8g", 8, 8), ("a3-ultragpu-8g", 9, 2)],
)
def test_fast_networks_are_interfaces(machine_type: str, interfaces: int, vpcs: int) -> None:
    what = spec({"name": "p", "machineType": machine_type, "capacity": "spot", "maxNodes": 4})
    found = inputs(what, "p")["networkConfig"].get("additionalNodeNetworkConfigs", [])
    assert len(found) == interfaces
    assert len({each["network"] for each in found}) == vpcs
    network_of = {subnet.name: each.name for each in plan_addresses(GkePlan.of(what)).fabric for subnet in each.subnets}
    assert all(network_of[each["subnetwork"]] == each["network"] for each in found)


def test_a_fast_network_can_be_left_alone() -> None:
    made = pool("a3-megagpu-8g", capacity="spot", fabric=False)
    assert made["networkConfig"] == {"enablePrivateNodes": True}


def test_nccl_goes_faster_over_ethernet() -> None:
    assert pool("g2-standard-4")["nodeConfig"]["fastSocket"] == {"enabled": True}
    assert "fastSocket" not in pool("a3-megagpu-8g", capacity="spot")["nodeConfig"], "it has a network of its own"


def test_spot() -> None:
    made = pool(capacity="spot")
    assert made["nodeConfig"]["spot"] is True
    assert made["nodeConfig"]["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}
    assert made["autoscaling"]["locationPolicy"] == "ANY"
    assert made["upgradeSettings"]["maxSurge"] == 0


def test_reservation() -> None:
    block = "projects/p/reservations/ours/reservationBlocks/b1"
    made = pool("a3-megagpu-8g", capacity="reservation", reservation=block, compactPlacement=True, nodes=4)
    assert made["nodeConfig"]["reservationAffinity"] == {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [block],
    }
    assert made["placementPolicy"] == {"type": "COMPACT"}
    assert made["nodeCount"] == 4
    assert "autoscaling" not in made


@pytest.mark.parametrize(
    ("stated", "seconds"),
    [({}, "604800s"), ({"maxRunDuration": "1-00:00:00"}, "86400s"), ({"maxRunDuration": 90}, "5400s")],
)
def test_flex_start(stated: dict[str, Any], seconds: str) -> None:
    made = pool("a3-megagpu-8g", capacity="flex-start", **stated)
    assert made["nodeConfig"]["flexStart"] is True
    assert made["nodeConfig"]["maxRunDuration"] == seconds
    assert made["nodeConfig"]["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}
    assert made["management"] == {"autoRepair": False, "autoUpgrade": True}
    assert made["autoscaling"]["locationPolicy"] == "ANY"
    assert "initialNodeCount" not in made
    assert "spot" not in made["nodeConfig"]
    assert "queuedProvisioning" not in made


def test_queued() -> None:
    made = pool("a3-megagpu-8g", capacity="queued")
    assert made["queuedProvisioning"] == {"enabled": True}
    assert made["nodeConfig"]["flexStart"] is True
    assert made["nodeConfig"]["labels"] == {"cloud.google.com/gke-queued": "true"}
    assert made["management"]["autoRepair"] is False


def test_a_fixed_number_counts_all_zones() -> None:
    made = pool(nodes=6, zones=["us-central1-a", "us-central1-b", "us-central1-c"])
    assert made["nodeCount"] == 2, "GKE counts in each zone"
    assert made["ignoreNodeCountChanges"] is False, "who resizes the pool by hand sees it at the next refresh"
    assert not {"autoscaling", "initialNodeCount"} & set(made)


@pytest.mark.parametrize("stated", [{"nodes": 0}, {"maxNodes": 0}])
def test_a_pool_can_have_no_nodes(stated: dict[str, Any]) -> None:
    made = pool(**stated)
    assert made["nodeCount"] == 0
    assert "autoscaling" not in made


def test_each_option_of_a_priorities_is_a_pool() -> None:
    what = spec(
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
    first, second = inputs(what, "h100-reservation"), inputs(what, "h100-spot")
    assert (first["name"], first["nodeCount"]) == ("h100-reservation", 2)
    assert (second["name"], second["autoscaling"]["totalMaxNodeCount"]) == ("h100-spot", 16)
    assert "spot" not in first["nodeConfig"]


@pytest.mark.parametrize(
    ("stated", "field", "count"),
    [
        ({}, "ephemeralStorageLocalSsdConfig", 16),
        ({"localSsd": {"use": "block"}}, "localNvmeSsdBlockConfig", 16),
    ],
)
def test_local_ssds_that_come_with_the_machine(stated: dict[str, Any], field: str, count: int) -> None:
    nodes = pool("a3-megagpu-8g", capacity="spot", **stated)["nodeConfig"]
    found = {key: value for key, value in nodes.items() if "Ssd" in key}
    assert found == {field: {"localSsdCount": count}}


def test_local_ssds_that_are_asked_for() -> None:
    for none in ({}, {"localSsd": {"count": 0}}):
        assert not any("Ssd" in key for key in pool("g2-standard-4", **none)["nodeConfig"])
    nodes = pool("g2-standard-4", localSsd={"count": 1})["nodeConfig"]
    assert nodes["ephemeralStorageLocalSsdConfig"] == {"localSsdCount": 1}


@pytest.mark.parametrize(
    ("machine_type", "disk_type"),
    [
        ("n2-standard-8", "pd-balanced"),
        ("c4-standard-8", "hyperdisk-balanced"),
        ("a3-megagpu-8g", "pd-balanced"),
        ("a3-ultragpu-8g", "hyperdisk-balanced"),
    ],
)
def test_a_pool_gets_a_boot_disk_that_its_machine_takes(machine_type: str, disk_type: str) -> None:
    found = pool(machine_type, capacity="reservation", reservation="ours")
    assert found["nodeConfig"]["diskType"] == disk_type


@pytest.mark.parametrize(
    ("machine_type", "disk_type"), [("e2-standard-4", "pd-balanced"), ("c4-standard-4", "hyperdisk-balanced")]
)
def test_the_system_pool_does_too(machine_type: str, disk_type: str) -> None:
    args = GkeSystemPoolArgs(**pool_place(spec()), pool=GkeSystemPoolSpec(machine_type=machine_type))
    made = plain(requests_of(lambda: GkeSystemPool("s", args))["s-pool"].object)
    assert made["nodeConfig"]["diskType"] == disk_type


def test_disk_image_pods_labels_and_taints() -> None:
    made = pool(
        disk={"type": "pd-ssd", "sizeGib": 200},
        imageType="UBUNTU_CONTAINERD",
        imageStreaming=False,
        maxPodsPerNode=64,
        secureBoot=False,
        nodeLabels={"team": "hpc"},
        taints=[{"key": "maintenance", "effect": "NoExecute"}],
    )
    assert made["maxPodsPerNode"] == 64
    nodes = made["nodeConfig"]
    assert (nodes["diskType"], nodes["diskSizeGb"], nodes["imageType"]) == ("pd-ssd", 200, "UBUNTU_CONTAINERD")
    assert nodes["gcfsConfig"] == {"enabled": False}
    assert nodes["shieldedInstanceConfig"]["enableSecureBoot"] is False
    assert nodes["labels"] == {"team": "hpc"}
    assert nodes["taints"][1:] == [{"key": "maintenance", "value": "", "effect": "NO_EXECUTE"}]


def test_a_pool_is_replaced_under_its_name_and_never_for_its_first_size() -> None:
    made = request(spec({"name": "p", "machineType": "n2-standard-8", "maxNodes": 2}), "p")
    assert made.deleteBeforeReplace
    assert list(made.ignoreChanges) == ["initialNodeCount"]


PRIORITIES = [{"capacity": "reservation", "reservation": "ours", "nodes": 2}, {"capacity": "spot", "maxNodes": 4}]


def errors_of(pool: dict[str, Any], **fields: Any) -> list[str]:
    """Return what is wrong with the arguments of a node pool."""
    whole = {"name": "h100", "machineType": "n2-standard-8", **pool}
    with pytest.raises(SpecError) as raised:
        GkeNodePool("p", {**pool_place(spec()), "pool": whole, **fields})
    return [str(error) for error in raised.value.errors]


def test_a_pool_with_priorities_is_made_for_each_of_them() -> None:
    (without,) = errors_of({"priorities": PRIORITIES})
    assert without.startswith(
        "capacityOption: the pool has priorities, and each of their capacity options is a node pool."
    )
    (other,) = errors_of({"priorities": PRIORITIES}, capacity_option={"capacity": "spot", "maxNodes": 5})
    assert other.endswith("it is none of the pool's priorities. Write one of them.")
    (superfluous,) = errors_of({"maxNodes": 4}, capacity_option=PRIORITIES[1])
    assert "it is none of the pool's priorities. Leave it out" in superfluous


def test_a_fast_network_without_its_vpcs_is_refused() -> None:
    mega = {"machineType": "a3-megagpu-8g", "capacity": "spot", "maxNodes": 2}
    (without,) = errors_of(mega)
    assert without.startswith("interfaces: a3-megagpu-8g has 8 interfaces in additional VPCs, and here are 0.")
    (too_few,) = errors_of(mega, interfaces=[{"network": "v", "subnetwork": "s"}] * 7)
    assert "has 8 interfaces in additional VPCs, and here are 7." in too_few


@pytest.mark.parametrize(
    ("pool", "fields", "expected"),
    [
        ({"machineType": "n2-standard-9", "maxNodes": 1}, {}, 'pool.machineType = "n2-standard-9": '),
        ({}, {}, "pool.maxNodes: nothing says how many nodes there can be."),
        ({"name": "system", "maxNodes": 1}, {}, 'pool.name = "system": the pool of Slurm\'s daemons has this name.'),
        ({"capacity": "reservation", "maxNodes": 1}, {}, "pool.reservation: nothing says which reservation"),
        ({"maxNodes": 1, "localSsd": {"count": 3}}, {}, "pool.localSsd.count = 3: "),
        ({"maxNodes": 1, "reservedCpus": 8}, {}, "pool.reservedCpus = 8: GKE leaves "),
        ({"nodes": 3, "zones": ["us-central1-a", "us-central1-b"]}, {}, "pool.nodes = 3: GKE keeps as many nodes"),
        ({"maxNodes": 1, "zones": ["us-east1-b"]}, {}, 'pool.zones[0] = "us-east1-b": '),
        ({"maxNodes": 15000}, {}, "pool: with the system pool these are up to 15001 nodes"),
        (
            {"priorities": [PRIORITIES[0], {"capacity": "spot"}]},
            {"capacity_option": PRIORITIES[0]},
            "pool.priorities[1].maxNodes: nothing says how many nodes there can be.",
        ),
        ({"maxNodes": 1}, {"zones": []}, "zones: nothing says in which zones the nodes are."),
        ({"maxNodes": 1}, {"zones": ["us-east1-b"]}, 'zones[0] = "us-east1-b": '),
        ({"maxNodes": 1}, {"location": "us-east1-c"}, 'zones[0] = "us-central1-a": '),
        ({"maxNodes": 1}, {"location": "here"}, 'location = "here": this is not a region.'),
        ({"maxNodes": 1}, {"project": "P"}, 'project = "P": this is not the id of a project.'),
        ({"maxNodes": 1}, {"cluster": 42}, "cluster = 42: this is not text."),
    ],
)
def test_rules_about_a_pool_hold_for_its_arguments(pool: dict[str, Any], fields: dict[str, Any], expected: str) -> None:
    (error,) = errors_of(pool, **fields)
    assert error.startswith(expected)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"pool": {"machineType": "g2-standard-4"}}, 'pool.machineType = "g2-standard-4": this has GPUs'),
        ({"pool": {"minNodes": 5}}, "pool.minNodes = 5: it is above maxNodes, 4."),
        ({"pool": {"disk": {"type": "hyperdisk-balanced"}}}, 'pool.disk.type = "hyperdisk-balanced": e2-standard-4'),
        ({"zones": []}, "zones: nothing says in which zones the nodes are."),
        ({"zones": ["us-east1-b"]}, 'zones[0] = "us-east1-b": '),
    ],
)
def test_rules_about_the_system_pool_hold_for_its_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        GkeSystemPool("s", {**pool_place(spec()), **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)


def test_a_zonal_cluster_has_pools_in_its_region() -> None:
    args = {**pool_place(spec()), "location": "us-central1-a", "pool": {**CPU, "zones": ["us-central1-b"]}}
    made = plain(requests_of(lambda: GkeNodePool("p", args))["p-pool"].object)
    assert (made["location"], made["nodeLocations"]) == ("us-central1-a", ["us-central1-b"])


def test_the_system_pool_takes_every_pod() -> None:
    what = spec(systemPool={"minNodes": 3, "maxNodes": 6}, zones=["us-central1-a", "us-central1-b"])
    args = GkeSystemPoolArgs(**pool_place(what), pool=what.system_pool)
    made = plain(requests_of(lambda: GkeSystemPool("s", args))["s-pool"].object)
    assert made["name"] == "system"
    assert made["nodeLocations"] == ["us-central1-a", "us-central1-b"]
    assert made["autoscaling"]["totalMinNodeCount"] == 3
    assert made["initialNodeCount"] == 2, "in each zone"
    assert made["nodeConfig"]["serviceAccount"] == "nodes@my-project"
    assert "taints" not in made["nodeConfig"]
    assert made["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 1, "maxUnavailable": 0}


@given(least=st.integers(0, 50), more=st.integers(0, 50), zones=st.integers(1, 4))
def test_a_pool_begins_within_its_limits(least: int, more: int, zones: int) -> None:
    first = (autoscaled(least, least + more, zones, any_zone=False).initial_node_count or 0) * zones
    assert first <= least + more
    assert first >= least or first + zones > least + more, "fewer only where a node more in each zone is too many"
