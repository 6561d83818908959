"""Node pools as ACK's API wants them."""

from base64 import b64decode
from typing import Any

import pytest

from pulumi_slurm.ack import AckNodePool, AckNodePoolArgs, AckSystemPool
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.errors import SpecError
from tests.components.ack.requests import inputs_of, requests_of
from tests.components.loosely import loosely

ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
VSWITCHES = {zone: f"vsw-{zone}" for zone in ZONES}
NETWORK: dict[str, Any] = {"cluster_id": "c1", "node_vswitches": VSWITCHES, "security_group_id": "sg-1"}
POOL = "NodePool p-pool"
G8I = {"name": "ecs.g8i.4xlarge", "vcpus": 16, "memoryGib": 64, "enis": {"count": 8, "addresses": 30}}


def spec(pool: dict[str, Any] | None = None, **stated: Any) -> AckSpec:
    pools = [{"name": "p", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 10, **(pool or {})}]
    return AckSpec.model_validate({"region": "cn-hangzhou", "zones": ZONES, "name": "hpc", "pools": pools, **stated})


def arguments(ack: AckSpec) -> dict[str, Any]:
    (pool,) = ack.pools
    return {"pool": pool, "zones": ack.zones, "tags": ack.tags, **NETWORK}


def request(ack: AckSpec) -> Any:
    return requests_of(lambda: loosely(AckNodePool)("p", arguments(ack)))[POOL]


def pool_of(pool: dict[str, Any] | None = None, **stated: Any) -> Any:
    return inputs_of(request(spec(pool, **stated)))


def system(**stated: Any) -> Any:
    arguments = {"pool": stated, "zones": ZONES, **NETWORK}
    return inputs_of(requests_of(lambda: loosely(AckSystemPool)("system", arguments))["NodePool system-pool"])


def test_a_pool_that_ack_scales() -> None:
    inputs = pool_of({"minNodes": 1})
    assert (inputs["nodePoolName"], inputs["clusterId"], inputs["securityGroupIds"]) == ("p", "c1", ["sg-1"])
    assert inputs["vswitchIds"] == ["vsw-cn-hangzhou-h", "vsw-cn-hangzhou-i"]
    assert inputs["instanceTypes"] == ["ecs.g8i.4xlarge"]
    assert inputs["scalingConfig"] == {"enable": True, "minSize": 1, "maxSize": 10, "type": "cpu"}
    assert "desiredSize" not in inputs, "ACK takes one or the other"
    assert (inputs["spotStrategy"], inputs["multiAzPolicy"]) == ("NoSpot", "PRIORITY"), "in the first zone"
    assert inputs["imageType"] == "AliyunLinux3"
    assert (inputs["systemDiskCategory"], inputs["systemDiskPerformanceLevel"], inputs["systemDiskSize"]) == (
        "cloud_essd",
        "PL1",
        120,
    )
    assert inputs["management"] == {
        "enable": True,
        "autoRepair": True,
        # With their jobs, otherwise.
        "autoRepairPolicy": {"restartNode": False},
        "autoUpgrade": False,
        "autoVulFix": False,
        "maxUnavailable": 1,
    }


def test_a_pool_with_a_fixed_number() -> None:
    inputs = pool_of({"nodes": 0, "maxNodes": None})
    assert inputs["desiredSize"] == "0", "as text"
    assert inputs["scalingConfig"] == {"enable": False}


def test_labels_and_taints_are_lists_of_objects() -> None:
    inputs = pool_of(
        {
            "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"],
            "driverVersion": "550.144.03",
            "nodeLabels": {"team": "a"},
            "taints": [{"key": "team", "effect": "PreferNoSchedule"}],
        }
    )
    assert inputs["labels"] == [
        {"key": "ack.aliyun.com/nvidia-driver-version", "value": "550.144.03"},
        {"key": "slurm.pulumi.com/pool", "value": "p"},
        {"key": "team", "value": "a"},
    ]
    assert inputs["taints"] == [
        {"key": "slurm.pulumi.com/pool", "value": "p", "effect": "NoSchedule"},
        {"key": "team", "value": "", "effect": "PreferNoSchedule"},
    ]
    assert inputs["scalingConfig"]["type"] == "gpu"


def test_slurms_selector_finds_the_nodes() -> None:
    ack = spec({"nodeLabels": {"team": "a"}})
    labels = {label["key"]: label["value"] for label in inputs_of(request(ack))["labels"]}
    (pool,) = node_pools(AckPlan.of(ack))
    assert pool.node_labels.items() <= labels.items()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"spotStrategy": "SpotAsPriceGo", "spotInstanceRemedy": True, "multiAzPolicy": "PRIORITY"}),
        (
            {"spotPriceLimits": {"ecs.g8i.4xlarge": 1.5}},
            {
                "spotStrategy": "SpotWithPriceLimit",
                "spotPriceLimits": [{"instanceType": "ecs.g8i.4xlarge", "priceLimit": "1.5"}],
            },
        ),
        (
            {"onDemandInstead": True, "nodes": 4, "maxNodes": None},
            {"multiAzPolicy": "COST_OPTIMIZED", "compensateWithOnDemand": True},
        ),
    ],
)
def test_spot(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    inputs = pool_of({"capacity": "spot", **fields})
    assert {key: inputs[key] for key in expected} == expected
    assert inputs["scalingConfig"].get("type") == (None if "nodes" in fields else "spot")


def test_machines_that_are_paid_in_advance() -> None:
    months = {"capacity": "subscription", "subscriptionMonths": 12, "nodes": 2, "maxNodes": None}
    inputs = pool_of(months)
    paid = {"instanceChargeType": "PrePaid", "period": 12, "periodUnit": "Month", "autoRenew": True}
    assert inputs.items() >= {**paid, "autoRenewPeriod": 12, "spotStrategy": "NoSpot"}.items()
    assert pool_of({**months, "subscriptionRenewed": False})["autoRenew"] is False
    for capacity in ("on-demand", "spot"):
        others = pool_of({"capacity": capacity})
        assert others["instanceChargeType"] == "PostPaid"
        assert "period" not in others


def test_machines_that_are_reserved_and_placed() -> None:
    inputs = pool_of({"privatePool": "eap-bp1example", "deploymentSet": "ds-bp1example", "zones": ["cn-hangzhou-h"]})
    assert inputs["privatePoolOptions"] == {
        "privatePoolOptionsMatchCriteria": "Target",
        "privatePoolOptionsId": "eap-bp1example",
    }
    assert inputs["deploymentSetId"] == "ds-bp1example"
    assert not pool_of().keys() & {"privatePoolOptions", "deploymentSetId", "imageId", "userData", "preUserData"}


def test_images_and_scripts_of_ones_own() -> None:
    inputs = pool_of({"imageId": "m-bp1example", "userData": "#!/bin/sh\ntrue\n", "preUserData": "#!/bin/sh\n"})
    assert (inputs["imageId"], inputs["imageType"]) == ("m-bp1example", "AliyunLinux3")
    assert b64decode(inputs["userData"]) == b"#!/bin/sh\ntrue\n"
    assert b64decode(inputs["preUserData"]) == b"#!/bin/sh\n"


def test_workers_get_the_erdma_devices_of_their_nodes() -> None:
    for erdma, resources in ((False, {}), (True, {"aliyun/erdma": "1"})):
        (pool,) = node_pools(AckPlan.of(spec({"instanceTypes": ["ecs.g8i.4xlarge"], "erdma": erdma})))
        assert pool.machine.resources == resources


def test_arm_machines_get_an_image_for_arm() -> None:
    inputs = pool_of({"instanceTypes": ["ecs.g8y.4xlarge"], "imageType": "AliyunLinux4ContainerOptimized"})
    assert inputs["imageType"] == "AliyunLinux4ContainerOptimizedArm64"


def test_additional_disks() -> None:
    inputs = pool_of({"dataDisks": [{"mountPath": "/mnt/scratch", "sizeGib": 500, "performance": "PL2"}]})
    assert inputs["dataDisks"] == [
        {
            "category": "cloud_essd",
            "size": 500,
            "performanceLevel": "PL2",
            "encrypted": "true",
            "autoFormat": "true",
            "fileSystem": "ext4",
            "mountTarget": "/mnt/scratch",
        }
    ]


def test_disks_are_encrypted_unless_kms_is_not_activated() -> None:
    assert pool_of()["systemDiskEncrypted"] is True
    inputs = pool_of({"disk": {"encrypted": False}, "dataDisks": [{"mountPath": "/mnt/scratch", "encrypted": False}]})
    assert not inputs.get("systemDiskEncrypted")
    assert inputs["dataDisks"][0]["encrypted"] == "false"


@pytest.mark.parametrize(
    ("component", "pool"),
    [(AckNodePool, {"name": "p", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 10}), (AckSystemPool, {})],
)
def test_nodes_pull_by_mirrors_of_registries(component: Any, pool: dict[str, Any]) -> None:
    mirrors = {"quay.io": ["https://a.example.com", "https://b.example.com"], "docker.io": ["https://c.example.com"]}
    arguments = {"pool": pool, "zones": ZONES, "registry_mirrors": mirrors, **NETWORK}
    inputs = inputs_of(requests_of(lambda: component("p", arguments))[POOL])
    assert inputs["containerdConfig"] == {
        "registryMirrors": ["docker.io=https://c.example.com", "quay.io=https://a.example.com,https://b.example.com"]
    }


def test_pools_without_mirrors_keep_the_configuration_of_ack() -> None:
    assert "containerdConfig" not in pool_of()


def test_nobody_gets_on_to_nodes_by_a_password() -> None:
    inputs = pool_of({"keyName": "ops"})
    assert inputs["keyName"] == "ops"
    assert not {"password", "kmsEncryptedPassword"} & set(inputs)


def test_nodes_are_restarted_for_repairs_where_that_is_wanted() -> None:
    assert pool_of({"restartToRepair": True})["management"]["autoRepairPolicy"] == {"restartNode": True}
    assert pool_of({"autoRepair": False})["management"]["autoRepairPolicy"] == {"restartNode": False}
    assert system()["management"]["autoRepairPolicy"] == {"restartNode": True}


def test_metadata_of_machines_needs_a_token() -> None:
    required = {"httpTokens": "required"}
    assert (pool_of()["instanceMetadataOptions"], system()["instanceMetadataOptions"]) == (required, required)
    assert "instanceMetadataOptions" not in pool_of({"requireMetadataTokens": False})
    assert pool_of({"ramRole": "SlurmNodes"})["ramRoleName"] == "SlurmNodes"


def test_no_deprecated_field_is_used() -> None:
    old = {"name", "nodeCount", "platform", "securityGroupId", "cisEnabled"}
    assert not old & set(pool_of())


def test_one_zone_of_the_pool() -> None:
    inputs = pool_of({"zones": ["cn-hangzhou-i"]})
    assert (inputs["vswitchIds"], inputs["multiAzPolicy"]) == (["vsw-cn-hangzhou-i"], "PRIORITY")


def test_a_pool_goes_before_another_takes_its_name() -> None:
    assert request(spec()).deleteBeforeReplace is True


def test_another_billing_method_is_another_pool() -> None:
    assert list(request(spec()).replaceOnChanges) == ["instanceChargeType", "spotStrategy"]


@pytest.mark.parametrize(
    ("pool", "fields", "expected"),
    [
        (
            {"name": "system"},
            {},
            ['pool.name = "system": the pool of Slurm\'s daemons has this name. Choose another name.'],
        ),
        (
            {"minNodes": 10},
            {},
            [
                "pool.max_nodes = 10: ACK requires it to be above min_nodes, 10. Write 11 or more, or nodes: 10 for a "
                "fixed number."
            ],
        ),
        (
            {"instanceTypes": ["ecs.g8i.4xlarge", "ecs.g8y.4xlarge"]},
            {},
            [
                'pool.instance_types[1] = "ecs.g8y.4xlarge": its architecture is arm64, that of ecs.g8i.4xlarge '
                "is amd64. Put it into another pool."
            ],
        ),
        (
            {"spotPriceLimits": {"ecs.g8i.4xlarge": 1}},
            {},
            [
                'pool.spot_price_limits = {"ecs.g8i.4xlarge": 1.0}: this is only for spot machines, and capacity '
                'is on-demand. Leave it out, or write capacity "spot".'
            ],
        ),
        ({}, {"zones": []}, ["zones = []: there are too few items. Give at least 1."]),
        (
            {"zones": ["cn-hangzhou-h", "cn-beijing-a"]},
            {"zones": []},
            [
                'pool.zones[1] = "cn-beijing-a": this zone is not in cn-hangzhou, the region of the cluster. Write a '
                'zone such as "cn-hangzhou-a", or another region.'
            ],
        ),
        (
            {},
            {"catalogue": {"machine_types": [{**G8I, "zones": ["cn-hangzhou-h"]}]}},
            [
                "pool.zones: catalogue.zones says that ecs.g8i.4xlarge is offered in cn-hangzhou-h, not in "
                "cn-hangzhou-i, where the cluster's nodes are. Write one of: cn-hangzhou-h."
            ],
        ),
        (
            {},
            {"pods_per_node": 65},
            ["pods_per_node = 65: Flannel hands out addresses in powers of two. Write 128."],
        ),
    ],
)
def test_arguments_are_checked_by_the_rules(pool: dict[str, Any], fields: dict[str, Any], expected: list[str]) -> None:
    with pytest.raises(SpecError) as caught:
        loosely(AckNodePool)("p", {**arguments(spec(pool)), **fields})
    assert [str(error) for error in caught.value.errors] == expected


def test_nodes_without_enough_interfaces_only_join_with_flannel() -> None:
    small = {
        "name": "ecs.small.xlarge",
        "vcpus": 4,
        "memoryGib": 16,
        "enis": {"count": 1, "addresses": 4},
    }
    fields: dict[str, Any] = {"catalogue": {"machine_types": [small]}}
    pool = arguments(spec({"instanceTypes": ["ecs.small.xlarge"]}))
    with pytest.raises(SpecError, match=r"pool\.instance_types\[0\] = \"ecs\.small\.xlarge\": .*Terway"):
        loosely(AckNodePool)("p", {**pool, **fields})
    assert AckNodePoolArgs.model_validate({**pool, **fields, "pods_per_node": 64})


def test_a_system_pool_is_checked_by_the_rules() -> None:
    with pytest.raises(SpecError) as caught:
        system(instanceTypes=["ecs.gn7i-c8g1.2xlarge"], minNodes=5)
    assert [str(error) for error in caught.value.errors] == [
        "pool.instance_types[0] = \"ecs.gn7i-c8g1.2xlarge\": this has GPUs, and Slurm's daemons don't use any. "
        'Write for example "ecs.g8i.xlarge".',
        "pool.min_nodes = 5: it is above max_nodes, 3. Write 3 or less.",
    ]


def test_the_system_pool_has_no_taints() -> None:
    inputs = system()
    assert inputs["nodePoolName"] == "system"
    assert "taints" not in inputs
    assert inputs["labels"] == [{"key": "slurm.pulumi.com/pool", "value": "system"}]


def test_the_system_pool_is_scaled_only_if_that_is_stated() -> None:
    """ACK keeps some of its components off nodes that it scales."""
    inputs = system(zones=["cn-hangzhou-h"])
    assert inputs["desiredSize"] == "3"
    assert inputs["scalingConfig"] == {"enable": False}
    assert inputs["vswitchIds"] == ["vsw-cn-hangzhou-h"]
    scaled = system(minNodes=2, maxNodes=4)
    assert scaled["scalingConfig"] == {"enable": True, "minSize": 2, "maxSize": 4, "type": "cpu"}
