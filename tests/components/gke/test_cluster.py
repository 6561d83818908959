"""The GKE cluster: private by default, and unaffected by changes of pools."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeCluster, GkeClusterArgs
from pulumi_slurm.gke.kubeconfig import kubeconfig
from pulumi_slurm.gke.model import GkeSpec
from tests.components.conftest import Build, Registered
from tests.components.gke.parts import cluster_args
from tests.components.gke.requests import requests_of
from tests.components.loosely import loosely

HOST = "gke-0123456789-012345678901.us-central1.gke.goog"
OUTPUTS: dict[str, Mapping[str, Any]] = {
    "hpc-cluster": {
        "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"endpoint": HOST, "allowExternalTraffic": True}}
    }
}
KEY = "projects/p/locations/us-central1/keyRings/k/cryptoKeys/c"
PROJECT = {"gcp:organizations/getProject:getProject": {"number": "123456789012"}}
CPU = {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 10}
L4 = {"name": "l4", "machineType": "g2-standard-4", "maxNodes": 10}
MEGA = {"name": "mega", "machineType": "a3-megagpu-8g", "capacity": "spot", "maxNodes": 8}


def spec(**fields: Any) -> GkeSpec:
    return GkeSpec.model_validate(
        {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"], "name": "hpc", **fields}
    )


def create(gke_spec: GkeSpec, opts: pulumi.ResourceOptions | None = None) -> GkeCluster:
    return GkeCluster("hpc", cluster_args(gke_spec), opts)


def cluster_of(resources: list[Registered]) -> Any:
    return next(resource.inputs for resource in resources if resource.typ == "gcp:container/cluster:Cluster")


def test_the_control_plane_has_only_a_name_that_iam_guards(build: Build) -> None:
    cluster = cluster_of(build(lambda: create(spec()), OUTPUTS))
    assert cluster["controlPlaneEndpointsConfig"] == {
        "dnsEndpointConfig": {"allowExternalTraffic": True},
        "ipEndpointsConfig": {"enabled": False},
    }
    assert "masterAuthorizedNetworksConfig" not in cluster
    assert cluster["privateClusterConfig"] == {"enablePrivateNodes": True, "masterIpv4CidrBlock": "172.16.0.32/28"}


@pytest.mark.parametrize(("cidr", "private"), [("10.20.0.0/16", True), ("8.8.8.0/24", False)])
def test_it_has_an_address_for_authorized_networks(build: Build, cidr: str, private: bool) -> None:
    fields = {"authorizedNetworks": [{"cidr": cidr, "name": "office"}], "dnsEndpointFromOutside": False}
    cluster = cluster_of(build(lambda: create(spec(controlPlane=fields)), OUTPUTS))
    assert cluster["controlPlaneEndpointsConfig"] == {
        "dnsEndpointConfig": {"allowExternalTraffic": False},
        "ipEndpointsConfig": {"enabled": True},
    }
    assert cluster["privateClusterConfig"]["enablePrivateEndpoint"] is private
    assert cluster["masterAuthorizedNetworksConfig"] == {
        "cidrBlocks": [{"cidrBlock": cidr, "displayName": "office"}],
        "gcpPublicCidrsAccessEnabled": False,
        "privateEndpointEnforcementEnabled": True,
    }


def test_nodes_go_soon_after_the_last_job_and_gke_makes_no_pools(build: Build) -> None:
    cluster = cluster_of(build(lambda: create(spec()), OUTPUTS))
    assert cluster["clusterAutoscaling"] == {"enabled": False, "autoscalingProfile": "OPTIMIZE_UTILIZATION"}
    balanced = spec(controlPlane={"autoscalingProfile": "BALANCED"})
    cluster = cluster_of(build(lambda: create(balanced), OUTPUTS))
    assert cluster["clusterAutoscaling"] == {"enabled": False, "autoscalingProfile": "BALANCED"}


def test_defaults_are_safe(build: Build) -> None:
    cluster = cluster_of(build(lambda: create(spec()), OUTPUTS))
    assert cluster["location"] == "us-central1", "the control plane runs in several zones"
    assert cluster["workloadIdentityConfig"] == {"workloadPool": "my-project.svc.id.goog"}
    assert cluster["datapathProvider"] == "ADVANCED_DATAPATH"
    assert cluster["networkingMode"] == "VPC_NATIVE"
    assert cluster["dnsConfig"] == {"clusterDns": "CLOUD_DNS", "clusterDnsScope": "CLUSTER_SCOPE"}
    assert cluster["releaseChannel"] == {"channel": "REGULAR"}
    assert cluster["enableShieldedNodes"] is True
    assert cluster["enableLegacyAbac"] is False
    assert cluster["masterAuth"] == {"clientCertificateConfig": {"issueClientCertificate": False}}
    assert cluster["monitoringConfig"]["managedPrometheus"] == {"enabled": True}
    assert cluster["costManagementConfig"] == {"enabled": True}
    assert cluster["maintenancePolicy"]["recurringWindow"]["recurrence"] == "FREQ=WEEKLY;BYDAY=SA,SU"


def test_the_first_pool_does_not_run_as_computes_default_account(build: Build) -> None:
    cluster = cluster_of(build(lambda: create(spec()), OUTPUTS))
    assert cluster["removeDefaultNodePool"] is True
    assert cluster["initialNodeCount"] == 1
    assert cluster["nodeConfig"]["serviceAccount"] == "nodes@my-project"


def test_configured_fields_become_inputs(build: Build) -> None:
    fields = spec(
        labels={"team": "hpc"},
        controlPlane={
            "version": "1.35.2-gke.1842000",
            "releaseChannel": "EXTENDED",
            "dns": "kube-dns",
            "secretsEncryptionKey": KEY,
            "grantEncryptionKey": False,
            "maintenanceExclusions": [
                {"name": "training", "start": "2026-12-01T00:00:00Z", "end": "2027-01-01T00:00:00Z"}
            ],
        },
    )
    cluster = cluster_of(build(lambda: create(fields), OUTPUTS))
    assert cluster["resourceLabels"] == {"team": "hpc"}
    assert cluster["minMasterVersion"] == "1.35.2-gke.1842000"
    assert cluster["releaseChannel"] == {"channel": "EXTENDED"}
    assert cluster["dnsConfig"] == {"clusterDns": "KUBE_DNS"}
    assert cluster["databaseEncryption"] == {
        "state": "ENCRYPTED",
        "keyName": KEY,
    }
    assert cluster["maintenancePolicy"]["maintenanceExclusions"] == [
        {
            "exclusionName": "training",
            "startTime": "2026-12-01T00:00:00Z",
            "endTime": "2027-01-01T00:00:00Z",
            "exclusionOptions": {"scope": "NO_MINOR_OR_NODE_UPGRADES"},
        }
    ]


def test_an_exclusion_without_end_lasts_until_the_end_of_support(build: Build) -> None:
    exclusion = {"name": "training", "start": "2026-12-01T00:00:00Z"}
    cluster = cluster_of(build(lambda: create(spec(controlPlane={"maintenanceExclusions": [exclusion]})), OUTPUTS))
    assert cluster["maintenancePolicy"]["maintenanceExclusions"] == [
        {
            "exclusionName": "training",
            "startTime": "2026-12-01T00:00:00Z",
            "exclusionOptions": {"scope": "NO_MINOR_OR_NODE_UPGRADES", "endTimeBehavior": "UNTIL_END_OF_SUPPORT"},
        }
    ]


@pytest.mark.parametrize("grant", [True, False])
def test_gke_may_use_the_key_before_the_cluster_is_there(grant: bool) -> None:
    control_plane = {"secretsEncryptionKey": KEY, "grantEncryptionKey": grant}
    requests = requests_of(lambda: create(spec(controlPlane=control_plane)), {**OUTPUTS, **PROJECT})
    assert ("hpc-encryption" in requests) is grant
    if grant:
        granted = dict(pulumi.runtime.rpc.deserialize_properties(requests["hpc-encryption"].object))
        assert granted == {
            "cryptoKeyId": KEY,
            "role": "roles/cloudkms.cryptoKeyEncrypterDecrypter",
            "member": "serviceAccount:service-123456789012@container-engine-robot.iam.gserviceaccount.com",
        }
        assert any("hpc-encryption" in urn for urn in requests["hpc-cluster"].dependencies)
        # Other clusters of the project use the same service agent.
        assert requests["hpc-encryption"].retainOnDelete


def test_logs_of_the_control_plane_are_collected_on_request(build: Build) -> None:
    basic = cluster_of(build(lambda: create(spec()), OUTPUTS))
    full = cluster_of(build(lambda: create(spec(controlPlane={"observability": "full"})), OUTPUTS))
    assert basic["loggingConfig"]["enableComponents"] == ["SYSTEM_COMPONENTS", "WORKLOADS"]
    for field in ("loggingConfig", "monitoringConfig"):
        added = set(full[field]["enableComponents"]) - set(basic[field]["enableComponents"])
        assert added == {"APISERVER", "CONTROLLER_MANAGER", "SCHEDULER"}


def test_lustre_only_uses_the_nodes_first_interface(build: Build) -> None:
    storage = [{"name": "scratch", "mountPath": "/scratch", "lustre": {}}]
    for pools, only_first in (([CPU], None), ([MEGA], True)):
        gke_spec = spec(storage=storage, pools=pools)
        addons = cluster_of(build(partial(create, gke_spec), OUTPUTS))["addonsConfig"]
        assert addons["lustreCsiDriverConfig"].get("disableMultiNic") is only_first


@pytest.mark.parametrize(
    ("fields", "on"),
    [
        ({}, set()),
        ({"storage": [{"name": "home", "mountPath": "/home", "filestore": {}}]}, {"gcpFilestoreCsiDriverConfig"}),
        ({"storage": [{"name": "data", "mountPath": "/data", "bucket": {}}]}, {"gcsFuseCsiDriverConfig"}),
        ({"storage": [{"name": "scratch", "mountPath": "/scratch", "lustre": {}}]}, {"lustreCsiDriverConfig"}),
        ({"slurmOperator": "gke-addon"}, {"slurmOperatorConfig"}),
    ],
)
def test_add_ons_are_those_that_are_needed(build: Build, fields: dict[str, Any], on: set[str]) -> None:
    addons = cluster_of(build(lambda: create(spec(**fields)), OUTPUTS))["addonsConfig"]
    assert {name for name, add_on in addons.items() if add_on["enabled"]} == {
        "gcePersistentDiskCsiDriverConfig",
        *on,
    }


def test_pools_change_nothing_but_metrics_and_multi_networking(build: Build) -> None:
    def cluster_with(*pools: dict[str, Any]) -> dict[str, Any]:
        return dict(cluster_of(build(lambda: create(spec(pools=list(pools))), OUTPUTS)))

    without, cpu, gpu, fast = cluster_with(), cluster_with(CPU), cluster_with(CPU, L4), cluster_with(CPU, L4, MEGA)

    def changed(other: dict[str, Any]) -> set[str]:
        return {key for key in {*without, *other} if without.get(key) != other.get(key)}

    assert [changed(other) for other in (cpu, gpu, fast)] == [
        set(),
        {"monitoringConfig"},
        {"monitoringConfig", "enableMultiNetworking"},
    ]
    assert "DCGM" in gpu["monitoringConfig"]["enableComponents"]
    assert "DCGM" not in without["monitoringConfig"]["enableComponents"]


def test_a_pool_without_its_fast_network_needs_no_multi_networking(build: Build) -> None:
    cluster = cluster_of(build(lambda: create(spec(pools=[{**MEGA, "fabric": False}])), OUTPUTS))
    assert cluster["enableMultiNetworking"] is False


def test_it_is_protected_by_pulumi_and_by_the_provider() -> None:
    request = requests_of(lambda: create(spec()), OUTPUTS)["hpc-cluster"]
    assert request.protect, "the preview of a destroy fails, and so does that of what would replace the cluster"
    assert request.object["deletionProtection"] is True


def test_both_protections_end_together() -> None:
    request = requests_of(lambda: create(spec(deletionProtection=False)), OUTPUTS)["hpc-cluster"]
    assert not request.protect
    assert request.object["deletionProtection"] is False


def test_a_protection_in_the_resource_options_has_an_effect() -> None:
    options = pulumi.ResourceOptions(protect=True)
    assert requests_of(lambda: create(spec(deletionProtection=False), options), OUTPUTS)["hpc-cluster"].protect


def test_fields_of_the_removed_pool_are_ignored() -> None:
    request = requests_of(lambda: create(spec()), OUTPUTS)["hpc-cluster"]
    assert set(request.ignoreChanges) == {"initialNodeCount", "nodeConfig", "nodeLocations"}


def test_the_provider_identifies_its_cluster_by_name() -> None:
    provider = requests_of(lambda: create(spec()), OUTPUTS)["hpc-kubernetes"]
    assert provider.object["clusterIdentifier"] == "projects/my-project/locations/us-central1/clusters/hpc"
    assert provider.object["enableSecretMutable"] in (True, "true")
    assert provider.object["enableConfigMapMutable"] in (True, "true")


def test_the_kubeconfig_is_a_secret_without_a_key() -> None:
    resources: list[GkeCluster] = []
    secrets: list[bool] = []
    texts: list[str] = []

    async def look(cluster: GkeCluster) -> None:
        secrets.append(await cluster.kubeconfig.is_secret())
        texts.append(await cluster.kubeconfig.future() or "")

    def program() -> Any:
        resources.append(create(spec()))
        return pulumi.Output.from_input(look(resources[0]))

    provider = requests_of(program, OUTPUTS)["hpc-kubernetes"]
    assert secrets == [True]
    assert "4dabf18193072939515e22adb298388d" in provider.object["kubeconfig"], "the mark of a secret"
    config = json.loads(texts[0])
    assert config["clusters"][0]["cluster"] == {"server": f"https://{HOST}"}
    assert config["contexts"][0]["name"] == config["current-context"] == "gke_my-project_us-central1_hpc"
    (user,) = (resource["user"] for resource in config["users"])
    assert user["exec"]["command"] == "gke-gcloud-auth-plugin"
    assert user["exec"]["apiVersion"] == "client.authentication.k8s.io/v1beta1"
    assert user["exec"]["provideClusterInfo"] is True
    assert set(user) == {"exec"}, "no token, password or client key"


def test_the_same_cluster_has_the_same_kubeconfig() -> None:
    assert kubeconfig("hpc", HOST) == kubeconfig("hpc", HOST), "otherwise every run would change the provider"


def test_outputs() -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        cluster = create(spec())
        pulumi.Output.all(name=cluster.name, region=cluster.region, endpoint=cluster.endpoint).apply(outputs.update)

    requests_of(program, OUTPUTS)
    assert outputs == {"name": "hpc", "region": "us-central1", "endpoint": HOST}


def test_without_a_name_it_is_called_slurm(build: Build) -> None:
    assert cluster_of(build(lambda: create(spec(name=None)), OUTPUTS))["name"] == "slurm"


def test_parts_of_its_names_can_be_outputs() -> None:
    def program() -> None:
        args = cluster_args(spec())
        names = {field: pulumi.Output.from_input(getattr(args, field)) for field in ("project", "region", "name")}
        GkeCluster("hpc", GkeClusterArgs(**{**dict(args), **names}))

    requests = requests_of(program, OUTPUTS)
    provider, cluster = requests["hpc-kubernetes"].object, requests["hpc-cluster"].object
    assert provider["clusterIdentifier"] == "projects/my-project/locations/us-central1/clusters/hpc"
    assert dict(cluster["workloadIdentityConfig"]) == {"workloadPool": "my-project.svc.id.goog"}


BARE = {
    "project": "my-project",
    "region": "us-central1",
    "name": "hpc",
    "zones": ["us-central1-b"],
    "network_id": "vpc",
    "subnetwork_id": "nodes",
    "node_account": "nodes@my-project",
}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"project": "42"}, 'project = "42": this is not the id of a project.'),
        ({"region": "us-central1-b"}, 'region = "us-central1-b": this is a zone.'),
        ({"name": "a" * 21}, 'name = "aaaaaaaaaaaaaaaaaaaaa": '),
        ({"zones": []}, "zones = []: there are too few items."),
        ({"zones": ["us-east1-b"]}, 'zones[0] = "us-east1-b": '),
        ({"control_plane_range": "10.0.0.0/24"}, 'control_plane_range = "10.0.0.0/24": GKE needs exactly a /28'),
        ({"control_plane_range": "8.8.8.0/28"}, 'control_plane_range = "8.8.8.0/28": this range is not private'),
        (
            {"control_plane": {"version": "1.34"}, "addons": ["SlurmOperator"]},
            'control_plane.version = "1.34": slurm_operator gke-addon needs 1.35.2',
        ),
        (
            {"control_plane": {"version": "1.32"}, "addons": ["LustreCsiDriver"]},
            'control_plane.version = "1.32": Lustre needs 1.33.2',
        ),
        (
            {"control_plane": {"secretsEncryptionKey": "projects/p/locations/us-east1/keyRings/k/cryptoKeys/c"}},
            "control_plane.secrets_encryption_key: the key has",
        ),
        ({"addons": ["Istio"]}, 'addons[0] = "Istio": this is not one of the choices.'),
        ({"labels": {"Team": "hpc"}}, 'labels.Team = "hpc": Google takes no such label.'),
    ],
)
def test_rules_about_a_cluster_hold_for_its_arguments(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        loosely(GkeCluster)("hpc", {**BARE, **fields})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)
