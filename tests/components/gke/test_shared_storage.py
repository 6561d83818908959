"""Google's storage services as volumes of the Slurm cluster."""

import warnings
from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeSharedStorage, GkeSharedStorageArgs
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import shared_volume_claim
from tests.components.conftest import Build, Registered
from tests.components.gke.requests import requests_of
from tests.components.loosely import loosely

REF = ClusterRef(name="hpc", namespace="jobs")
NETWORK = "projects/my-project/global/networks/gke"
OUTPUTS: dict[str, Mapping[str, Any]] = {
    "hpc-home-filestore": {"networks": [{"network": NETWORK, "modes": ["MODE_IPV4"], "ipAddresses": ["10.1.2.3"]}]},
    "hpc-home-lustre": {"mountPoint": "10.1.2.4@tcp:/lustrefs"},
}


def gke(service: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "project": "my-project",
        "region": "us-central1",
        "zone": "us-central1-a",
        "gke_cluster": "gke",
        "storage": {"name": "home", "mountPath": "/shared", **service},
        "cluster": REF,
        "network_id": NETWORK,
        **fields,
    }


def create(args: dict[str, Any]) -> GkeSharedStorage:
    return GkeSharedStorage("hpc-home", GkeSharedStorageArgs.model_validate(args))


def resources_of(build: Build, service: dict[str, Any], **fields: Any) -> dict[str, Registered]:
    return {item.name: item for item in build(lambda: create(gke(service, **fields)), OUTPUTS)}


def test_home_on_filestore(build: Build) -> None:
    resources = resources_of(build, {"filestore": {}}, labels={"team": "hpc"})
    instance = resources["hpc-home-filestore"].inputs
    assert (instance["name"], instance["location"]) == ("gke-home", "us-central1-a")
    assert (instance["tier"], instance["protocol"]) == ("ZONAL", "NFS_V4_1")
    assert instance["fileShares"] == {"name": "share", "capacityGb": 1024}
    assert instance["networks"] == [
        {"network": NETWORK, "modes": ["MODE_IPV4"], "connectMode": "PRIVATE_SERVICE_ACCESS"}
    ]
    assert instance["labels"] == {"team": "hpc"}
    volume = resources["hpc-home-volume"].inputs["spec"]
    assert volume["csi"] == {
        "driver": "filestore.csi.storage.gke.io",
        "volumeHandle": "modeInstance/us-central1-a/gke-home/share",
        "volumeAttributes": {"ip": "10.1.2.3", "volume": "share", "fileProtocol": "NFS_V4_1"},
    }
    assert volume["persistentVolumeReclaimPolicy"] == "Retain"
    assert volume["accessModes"] == ["ReadWriteMany"]


@pytest.mark.parametrize(
    ("filestore", "location", "protocol"),
    [
        ({"tier": "ZONAL", "zone": "us-central1-f"}, "us-central1-f", "NFS_V4_1"),
        ({"tier": "REGIONAL"}, "us-central1", "NFS_V4_1"),
        ({"tier": "BASIC_HDD"}, "us-central1-a", "NFS_V3"),
        ({"tier": "BASIC_SSD", "capacityGib": 2560}, "us-central1-a", "NFS_V3"),
    ],
)
def test_tiers_of_filestore(build: Build, filestore: dict[str, Any], location: str, protocol: str) -> None:
    resources = resources_of(build, {"filestore": filestore})
    instance = resources["hpc-home-filestore"].inputs
    assert (instance["location"], instance["protocol"]) == (location, protocol)
    source = resources["hpc-home-volume"].inputs["spec"]["csi"]
    assert source["volumeHandle"] == f"modeInstance/{location}/gke-home/share"
    # Where the driver's default is right, an attribute that it doesn't read: a change would replace the volume.
    key = "protocol" if protocol == "NFS_V3" else "fileProtocol"
    assert source["volumeAttributes"] == {"ip": "10.1.2.3", "volume": "share", key: protocol}


def test_scratch_on_lustre(build: Build) -> None:
    resources = resources_of(build, {"lustre": {"capacityGib": 18000, "throughputPerTib": 500}})
    instance = resources["hpc-home-lustre"].inputs
    assert (instance["instanceId"], instance["location"]) == ("gke-home", "us-central1-a")
    assert (instance["capacityGib"], instance["perUnitStorageThroughput"]) == ("18000", "500")
    assert (instance["network"], instance["filesystem"]) == (NETWORK, "lustrefs")
    assert resources["hpc-home-volume"].inputs["spec"]["csi"] == {
        "driver": "lustre.csi.storage.gke.io",
        "volumeHandle": "my-project/us-central1-a/gke-home",
        "volumeAttributes": {"ip": "10.1.2.4", "filesystem": "lustrefs"},
    }


def test_a_bucket_is_private_and_named_like_no_other(build: Build) -> None:
    resources = resources_of(build, {"bucket": {}})
    bucket = resources["hpc-home-bucket"].inputs
    assert bucket["name"].startswith("gke-home-")
    assert (
        bucket["name"]
        != resources_of(build, {"bucket": {}}, project="another-project")["hpc-home-bucket"].inputs["name"]
    )
    assert bucket["location"] == "US-CENTRAL1"
    assert bucket["uniformBucketLevelAccess"] is True
    assert bucket["publicAccessPrevention"] == "enforced"
    assert bucket["hierarchicalNamespace"] == {"enabled": True}
    volume = resources["hpc-home-volume"].inputs["spec"]
    assert volume["csi"] == {"driver": "gcsfuse.csi.storage.gke.io", "volumeHandle": bucket["name"]}
    assert volume["mountOptions"] == ["implicit-dirs", "uid=0", "gid=0", "file-mode=777", "dir-mode=777"]


def test_who_may_mount_an_instance(build: Build) -> None:
    shares = resources_of(build, {"filestore": {}})["hpc-home-filestore"].inputs["fileShares"]
    assert "nfsExportOptions" not in shares
    clients = ["10.20.0.0/20", "10.64.0.7/32"]
    shares = resources_of(build, {"filestore": {"clients": clients}})["hpc-home-filestore"].inputs["fileShares"]
    assert shares["nfsExportOptions"] == [{"ipRanges": clients}]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"profile": "training"}, {"metadata-cache:ttl-secs:-1", "metadata-cache:negative-ttl-secs:0"}),
        ({"profile": "checkpointing"}, {"metadata-cache:ttl-secs:-1", "file-system:rename-dir-limit:200000"}),
        ({"profile": "serving"}, {"read_ahead_kb=131072", "file-cache:cache-file-for-range-read:true"}),
        ({"fileCacheGib": 20}, {"file-cache:max-size-mb:20480", "file-cache:enable-parallel-downloads:true"}),
    ],
)
def test_what_a_bucket_is_for_decides_how_it_is_mounted(
    build: Build, fields: dict[str, Any], expected: set[str]
) -> None:
    volume = resources_of(build, {"bucket": fields})["hpc-home-volume"].inputs["spec"]
    plain = resources_of(build, {"bucket": {}})["hpc-home-volume"].inputs["spec"]
    assert expected | set(plain["mountOptions"]) <= set(volume["mountOptions"])
    # The driver refuses it outside its own StorageClasses, and a change of attributes would replace the volume.
    assert not [option for option in volume["mountOptions"] if option.startswith("profile")]
    assert volume["csi"] == plain["csi"]


def test_a_large_cache_of_files_concerns_pools_and_not_the_volume(build: Build) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resources_of(build, {"bucket": {"fileCacheGib": 3000}})


def test_how_long_a_bucket_keeps_deleted_objects(build: Build) -> None:
    for days, policy in (
        (None, None),
        (0, {"retentionDurationSeconds": 0}),
        (14, {"retentionDurationSeconds": 1209600}),
    ):
        storage = {"bucket": {} if days is None else {"softDeleteDays": days}}
        assert resources_of(build, storage)["hpc-home-bucket"].inputs.get("softDeletePolicy") == policy


def test_the_longest_names_result_in_a_valid_name_of_a_bucket(build: Build) -> None:
    args = gke({"bucket": {}, "name": "s" * 16}, gke_cluster="g" * 20, project="p" * 30)
    resources = build(lambda: loosely(GkeSharedStorage)("data", args))
    assert [
        len(resource.inputs["name"]) <= 63 for resource in resources if resource.typ == "gcp:storage/bucket:Bucket"
    ] == [True]


def test_an_existing_bucket_is_only_mounted(build: Build) -> None:
    resources = resources_of(build, {"bucket": {"name": "our-models", "readOnly": True}})
    assert not [item for item in resources.values() if item.typ.startswith("gcp:")]
    volume, claim = resources["hpc-home-volume"].inputs["spec"], resources["hpc-home-claim"].inputs["spec"]
    assert volume["csi"] == {
        "driver": "gcsfuse.csi.storage.gke.io",
        "volumeHandle": "our-models",
        "readOnly": True,
    }
    assert "ro" in volume["mountOptions"]
    assert volume["accessModes"] == claim["accessModes"] == ["ReadOnlyMany"]


@pytest.mark.parametrize("service", [{"filestore": {}}, {"lustre": {}}, {"bucket": {}}])
def test_volume_and_claim_are_bound_to_each_other(build: Build, service: dict[str, Any]) -> None:
    resources = resources_of(build, service)
    volume, claim = resources["hpc-home-volume"], resources["hpc-home-claim"]
    assert claim.kubernetes_name == shared_volume_claim("hpc", "home")
    assert claim.inputs["metadata"]["namespace"] == "jobs"
    assert claim.inputs["spec"]["volumeName"] == volume.kubernetes_name
    assert volume.inputs["spec"]["claimRef"] == {"namespace": "jobs", "name": claim.kubernetes_name}
    # Without the empty name, the cluster's default class would make another volume for the claim.
    assert claim.inputs["spec"]["storageClassName"] == ""
    assert "storageClassName" not in volume.inputs["spec"]
    assert any("PersistentVolume" in urn for urn in claim.depends_on)


def test_deletions_of_protected_objects_have_a_short_timeout() -> None:
    # The provider can miss the end of a deletion, and would then wait for ten minutes.
    requests = requests_of(lambda: create(gke({"bucket": {}})), OUTPUTS)
    for role in ("claim", "volume"):
        assert requests[f"hpc-home-{role}"].customTimeouts.delete == "2m"


def test_a_claim_is_deleted_before_its_volume_is_replaced() -> None:
    """Kubernetes deletes no volume that has a claim; Pulumi replaces resources with inputs of a replaced one."""
    claim = requests_of(lambda: create(gke({"bucket": {}})), OUTPUTS)["hpc-home-claim"]
    assert any(urn.endswith("::hpc-home-volume") for urn in claim.propertyDependencies["spec"].urns)


@pytest.mark.parametrize("service", [{"filestore": {}}, {"lustre": {}}, {"bucket": {}}])
@pytest.mark.parametrize("protected", [True, False])
def test_deletion_protection_keeps_data(service: dict[str, Any], protected: bool) -> None:
    requests = requests_of(lambda: create(gke(service, deletion_protection=protected)), OUTPUTS)
    (storage,) = [request for request in requests.values() if request.type.startswith("gcp:")]
    assert storage.protect is protected
    inputs = pulumi.runtime.rpc.deserialize_properties(storage.object)
    assert inputs.get("deletionProtectionEnabled", protected) is protected
    assert inputs.get("forceDestroy", not protected) is not protected


@pytest.mark.parametrize(
    ("service", "grown"),
    [
        ({"filestore": {}}, {"filestore": {"capacityGib": 2048}}),
        ({"lustre": {}}, {"lustre": {"capacityGib": 18000}}),
    ],
)
def test_storage_that_grows_leaves_its_claim_alone(service: dict[str, Any], grown: dict[str, Any]) -> None:
    """Kubernetes would refuse to raise the claim, and Pulumi would then replace it under running pods."""
    before = requests_of(lambda: create(gke(service)), OUTPUTS)
    after = requests_of(lambda: create(gke(grown)), OUTPUTS)
    for name, request in after.items():
        if not request.type.startswith("kubernetes:"):
            continue
        old, new = (pulumi.runtime.rpc.deserialize_properties(requests[name].object) for requests in (before, after))
        for path in request.ignoreChanges:
            parent, _, field = path.partition(".")
            assert old[parent].pop(field) != new[parent].pop(field)
        assert old == new


def test_outputs(build: Build) -> None:
    outputs: list[Any] = []

    def program() -> None:
        storage = create(gke({"bucket": {"name": "our-models"}}))
        pulumi.Output.all(storage.claim_name, storage.bucket_name).apply(outputs.append)

    build(program)
    assert outputs == [["hpc-home", "our-models"]]


def test_a_zone_a_region_and_names_can_be_outputs(build: Build) -> None:
    plain = resources_of(build, {"filestore": {}})
    fields = ("project", "region", "zone", "gke_cluster", "network_id")
    outputs = {field: pulumi.Output.from_input(gke({})[field]) for field in fields}
    resources = resources_of(build, {"filestore": {}}, **outputs)
    assert {name: item.inputs for name, item in resources.items()} == {
        name: item.inputs for name, item in plain.items()
    }


@pytest.mark.parametrize(
    ("service", "fields", "expected"),
    [
        ({}, {}, "storage: nothing says what it is."),
        ({"filestore": {}}, {"network_id": None}, "network_id: Filestore and Lustre need the VPC."),
        ({"lustre": {}}, {"zone": None}, "zone: nothing says in which zone the instance is."),
        ({"filestore": {}}, {"zone": "us-east1-b"}, 'zone = "us-east1-b": '),
        ({"filestore": {"zone": "us-east1-b"}}, {}, 'storage.filestore.zone = "us-east1-b": '),
        ({"filestore": {}}, {"zone": "b"}, 'zone = "b": this is not a zone.'),
        ({"bucket": {}}, {"labels": {"Team": "hpc"}}, 'labels.Team = "hpc": Google takes no such label.'),
    ],
)
def test_rules_about_storage_hold_for_its_arguments(
    service: dict[str, Any], fields: dict[str, Any], expected: str
) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeSharedStorage)("x", gke(service, **fields))
    (error,) = raised.value.errors
    assert str(error).startswith(expected)


@pytest.mark.parametrize("service", [{"bucket": {}}, {"filestore": {"tier": "REGIONAL"}}])
def test_storage_of_a_region_needs_no_zone(build: Build, service: dict[str, Any]) -> None:
    assert resources_of(build, service, zone=None)["hpc-home-claim"]
