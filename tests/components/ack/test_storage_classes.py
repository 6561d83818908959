"""StorageClasses: encrypted disks, and folders of NAS."""

from typing import Any

from pulumi_slurm.ack.disk_class import AckDiskClass
from tests.components.ack.test_shared_storage import DOMAIN, resources_of
from tests.components.conftest import Build
from tests.components.loosely import loosely


def test_disks_of_claims_are_encrypted(build: Build) -> None:
    (item,) = [item for item in build(lambda: AckDiskClass("disks", {})) if "StorageClass" in item.typ]
    assert item.kubernetes_name == "slurm-disk"
    assert item.inputs["provisioner"] == "diskplugin.csi.alibabacloud.com"
    assert item.inputs["parameters"] == {"type": "cloud_auto,cloud_essd", "fsType": "ext4", "encrypted": "true"}
    # A disk is in one zone, which is that of the first pod.
    assert item.inputs["volumeBindingMode"] == "WaitForFirstConsumer"


def test_disks_of_claims_can_have_a_key_of_kms(build: Build) -> None:
    args: dict[str, Any] = {"disk_class": {"name": "secret-disk", "encryption_key": "key-1"}}
    (item,) = [item for item in build(lambda: loosely(AckDiskClass)("disks", args)) if "StorageClass" in item.typ]
    assert item.kubernetes_name == "secret-disk"
    assert item.inputs["parameters"]["kmsKeyId"] == "key-1"


def test_disks_of_claims_can_be_plain_where_kms_is_not_activated(build: Build) -> None:
    args: dict[str, Any] = {"disk_class": {"encrypted": False}}
    (item,) = [item for item in build(lambda: loosely(AckDiskClass)("disks", args)) if "StorageClass" in item.typ]
    assert item.inputs["parameters"]["encrypted"] == "false"


def test_a_class_of_nas_is_for_claims_that_several_pods_write_to(build: Build) -> None:
    state = {"name": "home", "mountPath": "/home", "nas": {"path": "/state"}, "storageClass": "slurm-nas"}
    resources = resources_of(build, storage=[state])
    item = resources["hpc-home-class"]
    assert item.kubernetes_name == "slurm-nas"
    assert item.inputs["provisioner"] == "nasplugin.csi.alibabacloud.com"
    assert item.inputs["parameters"] == {"volumeAs": "subpath", "server": f"{DOMAIN}:/state/"}
    assert item.inputs["reclaimPolicy"] == "Retain"
    assert "hpc-home-class" not in resources_of(build)
