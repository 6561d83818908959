"""NAS as volumes of the Slurm cluster."""

from collections.abc import Mapping
from typing import Any

import pytest

from pulumi_slurm.ack import AckSharedStorage
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim
from tests.components.ack.requests import requests_of
from tests.components.conftest import Build, Registered
from tests.components.loosely import loosely

REF = ClusterRef(name="hpc", namespace="jobs")
ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
VSWITCHES = {zone: f"vsw-{zone}" for zone in ZONES}
DOMAIN = "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com"
OUTPUTS: dict[str, Mapping[str, Any]] = {"hpc-home-target": {"mountTargetDomain": DOMAIN}}


def ack(nas: dict[str, Any] | None = None, **more: Any) -> AckSpec:
    return AckSpec.model_validate(
        {
            "region": "cn-hangzhou",
            "zones": ZONES,
            "name": "ack",
            "storage": [{"name": "home", "mountPath": "/home", "nas": nas or {}}],
            **more,
        }
    )


def arguments(ack: AckSpec) -> dict[str, Any]:
    (storage,) = ack.storage
    return {
        "cluster": REF,
        "storage": storage,
        "ack_cluster": ack.cluster_name,
        "zone": ack.zones[0],
        "vpc_id": "vpc-1",
        "node_vswitches": VSWITCHES,
        "node_ranges": plan_addresses(AckPlan.of(ack)).nodes,
        "tags": ack.tags,
        "deletion_protection": ack.deletion_protection,
    }


def make(ack: AckSpec) -> AckSharedStorage:
    return loosely(AckSharedStorage)("hpc-home", arguments(ack))


def resources_of(build: Build, nas: dict[str, Any] | None = None, **more: Any) -> dict[str, Registered]:
    return {item.name: item for item in build(lambda: make(ack(nas, **more)), OUTPUTS)}


def test_home_on_nas(build: Build) -> None:
    resources = resources_of(build, tags={"team": "hpc"})
    system, target = resources["hpc-home-nas"].inputs, resources["hpc-home-target"].inputs
    assert system == {
        "protocolType": "NFS",
        "fileSystemType": "standard",
        "storageType": "Performance",
        "zoneId": "cn-hangzhou-h",
        "encryptType": 1,
        "description": "ack-home",
        "tags": {"team": "hpc"},
    }
    assert target == {
        "fileSystemId": "hpc-home-nas-id",
        "accessGroupName": "ack-home",
        "networkType": "Vpc",
        "vpcId": "vpc-1",
        "vswitchId": "vsw-cn-hangzhou-h",
    }


def test_only_nodes_mount_it_and_root_is_not_squashed(build: Build) -> None:
    resources = resources_of(build)
    rules = [item for item in resources.values() if item.typ == "alicloud:nas/accessRule:AccessRule"]
    assert {rule.inputs["sourceCidrIp"] for rule in rules} == set(plan_addresses(AckPlan.of(ack())).nodes.values())
    assert {(rule.inputs["userAccessType"], rule.inputs["rwAccessType"]) for rule in rules} == {("no_squash", "RDWR")}
    target = resources["hpc-home-target"]
    assert sum("accessRule" in urn for urn in target.depends_on) == len(rules), "nobody could mount it before"


def test_volume_and_claim_are_bound_to_each_other(build: Build) -> None:
    resources = resources_of(build)
    volume, claim = resources["hpc-home-volume"], resources["hpc-home-claim"]
    assert volume.inputs["spec"]["csi"] == {
        "driver": "nasplugin.csi.alibabacloud.com",
        "volumeHandle": volume.kubernetes_name,
        "volumeAttributes": {"server": DOMAIN, "path": "/"},
    }
    options = volume.inputs["spec"]["mountOptions"]
    assert options[:2] == ["vers=3", "nolock"]
    assert "noresvport" in options
    assert volume.inputs["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    assert volume.inputs["spec"]["accessModes"] == claim.inputs["spec"]["accessModes"] == ["ReadWriteMany"]
    assert claim.kubernetes_name == shared_volume_claim("hpc", "home")
    assert claim.inputs["metadata"]["namespace"] == "jobs"
    assert claim.inputs["spec"]["volumeName"] == volume.kubernetes_name
    assert volume.inputs["spec"]["claimRef"] == {"namespace": "jobs", "name": claim.kubernetes_name}
    # Without the empty name, the cluster's default class would create another volume for the claim.
    assert claim.inputs["spec"]["storageClassName"] == ""
    assert any("PersistentVolume" in urn for urn in claim.depends_on)


def test_extreme_nas(build: Build) -> None:
    resources = resources_of(build, {"fileSystemType": "extreme", "capacityGib": 512, "zone": "cn-hangzhou-i"})
    system = resources["hpc-home-nas"].inputs
    assert (system["fileSystemType"], system["storageType"], system["capacity"]) == ("extreme", "standard", 512)
    assert resources["hpc-home-access"].inputs["fileSystemType"] == "extreme"
    assert resources["hpc-home-target"].inputs["vswitchId"] == "vsw-cn-hangzhou-i"
    volume = resources["hpc-home-volume"].inputs["spec"]
    assert volume["csi"]["volumeAttributes"]["path"] == "/share"
    assert volume["capacity"] == {"storage": "512Gi"}


def test_a_zone_without_nodes_is_reached_from_another(build: Build) -> None:
    resources = resources_of(build, {"zone": "cn-hangzhou-k"})
    assert resources["hpc-home-nas"].inputs["zoneId"] == "cn-hangzhou-k"
    assert resources["hpc-home-target"].inputs["vswitchId"] == "vsw-cn-hangzhou-h"


def test_a_file_system_that_exists_is_only_mounted(build: Build) -> None:
    resources = resources_of(build, {"existing": DOMAIN, "path": "/home", "nfs": "4.0"})
    assert not [item for item in resources.values() if item.typ.startswith("alicloud:")]
    volume = resources["hpc-home-volume"].inputs["spec"]
    assert volume["csi"]["volumeAttributes"] == {"server": DOMAIN, "path": "/home"}
    assert volume["mountOptions"][:2] == ["vers=4", "minorversion=0"]


@pytest.mark.parametrize("protected", [True, False])
def test_data_is_protected_like_the_cluster(protected: bool) -> None:
    requests = requests_of(lambda: make(ack(deletionProtection=protected)), OUTPUTS)
    assert requests["FileSystem hpc-home-nas"].protect is protected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"vpc_id": None},
            ["vpc_id: NAS needs the network of the nodes. Pass AckNetwork's vpc_id."],
        ),
        (
            {"zone": None, "node_ranges": {}},
            [
                "zone: NAS needs the network of the nodes. Write one of the zones of nodes, for example "
                '"cn-hangzhou-i".',
                "node_ranges: NAS needs the network of the nodes. Write the range of the nodes' vSwitch by zone.",
            ],
        ),
        (
            {"storage": {"name": "home", "mount_path": "/home", "nas": {"zone": "cn-beijing-a"}}},
            [
                'storage.nas.zone = "cn-beijing-a": this zone is not in cn-hangzhou, the region of the cluster. Write '
                'a zone such as "cn-hangzhou-a", or another region.'
            ],
        ),
        (
            {"storage": {"name": "home", "mount_path": "/home", "nas": {"existing": DOMAIN.replace("hang", "gang")}}},
            [
                'storage.nas.existing = "0123456789-abc12.cn-gangzhou.nas.aliyuncs.com": this mount target is not in '
                "cn-hangzhou, and nodes can't reach others. Write one that ends in .cn-hangzhou.nas.aliyuncs.com."
            ],
        ),
    ],
)
def test_errors(fields: dict[str, Any], expected: list[str]) -> None:
    with pytest.raises(SpecError) as caught:
        loosely(AckSharedStorage)("hpc-home", {**arguments(ack()), **fields})
    assert [str(error) for error in caught.value.errors] == expected
