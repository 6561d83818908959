"""Node pools as ACK's API wants them."""

from typing import Any

import pytest

from pulumi_slurm.ack import AckNodePool, AckNodePoolArgs, AckSystemPool, AckSystemPoolArgs
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.errors import SpecError
from tests.components.ack.requests import inputs_of, requests_of

ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
VSWITCHES = {zone: f"vsw-{zone}" for zone in ZONES}
POOL = "NodePool p-pool"


def spec(pool: dict[str, Any] | None = None, **stated: Any) -> AckSpec:
    pools = [{"name": "p", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 10, **(pool or {})}]
    return AckSpec.model_validate({"region": "cn-hangzhou", "zones": ZONES, "name": "hpc", "pools": pools, **stated})


def request(what: AckSpec) -> Any:
    args = AckNodePoolArgs(spec=what, pool="p", cluster_id="c1", node_vswitches=VSWITCHES, security_group_id="sg-1")
    return requests_of(lambda: AckNodePool("p", args))[POOL]


def pool_of(pool: dict[str, Any] | None = None, **stated: Any) -> Any:
    return inputs_of(request(spec(pool, **stated)))


def system(**stated: Any) -> Any:
    args = AckSystemPoolArgs(
        spec=spec(systemPool=stated), cluster_id="c1", node_vswitches=VSWITCHES, security_group_id="sg-1"
    )
    return inputs_of(requests_of(lambda: AckSystemPool("system", args))["NodePool system-pool"])


def test_a_pool_that_ack_scales() -> None:
    made = pool_of({"minNodes": 1})
    assert (made["nodePoolName"], made["clusterId"], made["securityGroupIds"]) == ("p", "c1", ["sg-1"])
    assert made["vswitchIds"] == ["vsw-cn-hangzhou-h", "vsw-cn-hangzhou-i"]
    assert made["instanceTypes"] == ["ecs.g8i.4xlarge"]
    assert made["scalingConfig"] == {"enable": True, "minSize": 1, "maxSize": 10, "type": "cpu"}
    assert "desiredSize" not in made, "ACK takes one or the other"
    assert (made["spotStrategy"], made["multiAzPolicy"]) == ("NoSpot", "BALANCE")
    assert made["imageType"] == "AliyunLinux3"
    assert (made["systemDiskCategory"], made["systemDiskPerformanceLevel"], made["systemDiskSize"]) == (
        "cloud_essd",
        "PL1",
        120,
    )
    assert made["management"] == {
        "enable": True,
        "autoRepair": True,
        "autoUpgrade": False,
        "autoVulFix": False,
        "maxUnavailable": 1,
    }


def test_a_pool_with_a_fixed_number() -> None:
    made = pool_of({"nodes": 0, "maxNodes": None})
    assert made["desiredSize"] == "0", "as text"
    assert made["scalingConfig"] == {"enable": False}


def test_labels_and_taints_are_lists_of_objects() -> None:
    made = pool_of(
        {
            "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"],
            "driverVersion": "550.144.03",
            "nodeLabels": {"team": "a"},
            "taints": [{"key": "team", "effect": "PreferNoSchedule"}],
        }
    )
    assert made["labels"] == [
        {"key": "ack.aliyun.com/nvidia-driver-version", "value": "550.144.03"},
        {"key": "slurm.pulumi.com/pool", "value": "p"},
        {"key": "team", "value": "a"},
    ]
    assert made["taints"] == [
        {"key": "slurm.pulumi.com/pool", "value": "p", "effect": "NoSchedule"},
        {"key": "team", "value": "", "effect": "PreferNoSchedule"},
    ]
    assert made["scalingConfig"]["type"] == "gpu"


def test_slurms_selector_finds_the_nodes() -> None:
    what = spec({"nodeLabels": {"team": "a"}})
    labels = {label["key"]: label["value"] for label in inputs_of(request(what))["labels"]}
    (pool,) = node_pools(what)
    assert pool.node_labels.items() <= labels.items()


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, {"spotStrategy": "SpotAsPriceGo", "spotInstanceRemedy": True, "multiAzPolicy": "BALANCE"}),
        (
            {"spotPriceLimits": {"ecs.g8i.4xlarge": 1.5}},
            {
                "spotStrategy": "SpotWithPriceLimit",
                "spotPriceLimits": [{"instanceType": "ecs.g8i.4xlarge", "priceLimit": "1.5"}],
            },
        ),
        ({"onDemandInstead": True}, {"multiAzPolicy": "COST_OPTIMIZED", "compensateWithOnDemand": True}),
    ],
)
def test_spot(stated: dict[str, Any], expected: dict[str, Any]) -> None:
    made = pool_of({"capacity": "spot", **stated})
    assert {key: made[key] for key in expected} == expected
    assert made["scalingConfig"]["type"] == "spot"


def test_arm_machines_get_an_image_for_arm() -> None:
    made = pool_of({"instanceTypes": ["ecs.g8y.4xlarge"], "imageType": "AliyunLinux4ContainerOptimized"})
    assert made["imageType"] == "AliyunLinux4ContainerOptimizedArm64"


def test_further_disks() -> None:
    made = pool_of({"dataDisks": [{"mountPath": "/mnt/scratch", "sizeGib": 500, "performance": "PL2"}]})
    assert made["dataDisks"] == [
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


def test_nobody_gets_on_to_nodes_by_a_password() -> None:
    made = pool_of({"keyName": "ops"})
    assert made["keyName"] == "ops"
    assert not {"password", "kmsEncryptedPassword"} & set(made)


def test_no_deprecated_field_is_used() -> None:
    old = {"name", "nodeCount", "platform", "securityGroupId", "cisEnabled"}
    assert not old & set(pool_of())


def test_one_zone_of_its_own() -> None:
    made = pool_of({"zones": ["cn-hangzhou-i"]})
    assert (made["vswitchIds"], made["multiAzPolicy"]) == (["vsw-cn-hangzhou-i"], "PRIORITY")


def test_a_pool_goes_before_another_takes_its_name() -> None:
    assert request(spec()).deleteBeforeReplace is True


def test_a_pool_that_is_not_planned_is_refused() -> None:
    with pytest.raises(SpecError) as caught:
        AckNodePoolArgs(spec=spec(), pool="q", cluster_id="c1", node_vswitches=VSWITCHES, security_group_id="sg-1")
    assert [str(error) for error in caught.value.errors] == [
        'pool = "q": the specification plans no such pool. Write one of: p.'
    ]


def test_the_system_pool_has_no_taints() -> None:
    made = system()
    assert made["nodePoolName"] == "system"
    assert "taints" not in made
    assert made["scalingConfig"] == {"enable": True, "minSize": 2, "maxSize": 4, "type": "cpu"}
    assert made["labels"] == [{"key": "slurm.pulumi.com/pool", "value": "system"}]


def test_a_system_pool_of_fixed_size() -> None:
    made = system(minNodes=3, maxNodes=3, zones=["cn-hangzhou-h"])
    assert made["desiredSize"] == "3"
    assert made["scalingConfig"] == {"enable": False}
    assert made["vswitchIds"] == ["vsw-cn-hangzhou-h"]
