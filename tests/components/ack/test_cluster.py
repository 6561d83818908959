"""The ACK cluster, which is private by default and independent of its pools."""

import json
from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm.ack import AckCluster, AckClusterArgs
from pulumi_slurm.ack.kubeconfig import kubeconfig
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.parts import flannel_pods_per_node
from pulumi_slurm.errors import SpecError
from tests.components.ack.requests import SECRET, inputs_of, requests_of
from tests.components.loosely import loosely

OUTPUTS: dict[str, Mapping[str, Any]] = {
    "hpc-cluster": {
        "connections": [
            {"apiServerInternet": "https://198.51.100.1:6443", "apiServerIntranet": "https://10.0.0.9:6443"}
        ]
    }
}
ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]
CPU = {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 10}
CLUSTER = "ManagedKubernetes hpc-cluster"


def spec(**stated: Any) -> AckSpec:
    return AckSpec.model_validate({"region": "cn-hangzhou", "zones": ZONES, "name": "hpc", **stated})


def make(ack: AckSpec) -> AckCluster:
    addresses = plan_addresses(AckPlan.of(ack))
    args = AckClusterArgs(
        region=ack.region,
        name=ack.cluster_name,
        zones=ack.zones,
        node_vswitches={zone: f"vsw-nodes-{zone}" for zone in (*ZONES, "cn-hangzhou-j")},
        pod_vswitches=pulumi.Output.from_input({zone: f"vsw-pods-{zone}" for zone in addresses.pods}),
        security_group_id="sg-1",
        control_plane=ack.control_plane,
        pods_range=addresses.flannel_pods,
        pods_per_node=flannel_pods_per_node(AckPlan.of(ack)),
        services_range=addresses.services,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )
    return AckCluster("hpc", args)


def cluster_of(ack: AckSpec) -> Any:
    return inputs_of(requests_of(lambda: make(ack), OUTPUTS)[CLUSTER])


def test_defaults_are_safe() -> None:
    cluster = cluster_of(spec())
    assert cluster["slbInternetEnabled"] is False, "the control plane has no address on the Internet"
    assert cluster["newNatGateway"] is False, "AckNetwork has made one"
    assert cluster["skipSetCertificateAuthority"] is True, "no keys in the provider's state"
    assert cluster["deletionProtection"] is True
    assert cluster["clusterSpec"] == "ack.pro.small"
    assert cluster["enableRrsa"] is False, "it could never be switched off"
    assert cluster["proxyMode"] == "ipvs"
    assert cluster["auditLogConfig"] == {"enabled": True}
    assert cluster["controlPlaneLogComponents"] == ["apiserver", "kcm", "scheduler", "ccm"]
    assert cluster["controlPlaneLogTtl"] == "30"
    assert cluster["securityGroupId"] == "sg-1"
    assert cluster["maintenanceWindow"] == {
        "enable": True,
        "maintenanceTime": "2026-01-03T02:00:00.000+08:00",
        "duration": "6h",
        "weeklyPeriod": "Saturday,Sunday",
    }
    assert cluster["operationPolicy"] == {"clusterAutoUpgrade": {"enabled": False}}


def test_terways_pods_have_vswitches_in_the_zones_of_nodes() -> None:
    cluster = cluster_of(spec(pools=[{**CPU, "zones": ["cn-hangzhou-j"]}]))
    assert cluster["vswitchIds"] == [f"vsw-nodes-{zone}" for zone in ZONES], "a pool's own zone isn't the cluster's"
    assert cluster["podVswitchIds"] == [f"vsw-pods-{zone}" for zone in (*ZONES, "cn-hangzhou-j")]
    assert "podCidr" not in cluster
    assert "nodeCidrMask" not in cluster
    assert cluster["serviceCidr"] == "172.16.0.0/20"
    assert cluster["addons"][0] == {"name": "terway-eniip", "disabled": False}


@pytest.mark.parametrize(("pods", "mask"), [(16, 28), (64, 26), (256, 24)])
def test_flannels_pods_have_a_range(pods: int, mask: int) -> None:
    cluster = cluster_of(spec(control_plane={"cni": "flannel"}, network={"podsPerNode": pods}))
    assert (cluster["podCidr"], cluster["nodeCidrMask"]) == ("172.20.0.0/16", mask)
    assert "podVswitchIds" not in cluster
    assert cluster["addons"][0]["name"] == "flannel"


def test_fields_are_passed_on() -> None:
    cluster = cluster_of(
        spec(
            tags={"team": "hpc"},
            deletionProtection=False,
            control_plane={
                "version": "1.32.1-aliyun.1",
                "edition": "ack.pro.xlarge",
                "publicEndpoint": True,
                "rrsa": True,
                "proxyMode": "nftables",
                "clusterDomain": "hpc.local",
                "auditLog": False,
                "logComponents": [],
                "secretsEncryptionKey": "key-1",
                "addons": [
                    {"name": "arms-prometheus", "config": {"prometheusMode": "default"}},
                    {"name": "metrics-server", "version": "v0.3.9", "disabled": True},
                ],
            },
        )
    )
    assert cluster["version"] == "1.32.1-aliyun.1"
    assert cluster["slbInternetEnabled"] is True
    assert (cluster["clusterSpec"], cluster["clusterDomain"], cluster["enableRrsa"]) == (
        "ack.pro.xlarge",
        "hpc.local",
        True,
    )
    assert cluster["proxyMode"] == "nftables"
    assert cluster["auditLogConfig"] == {"enabled": False}
    assert "controlPlaneLogComponents" not in cluster
    assert (cluster["encryptionProviderKey"], cluster["disableEncryption"]) == ("key-1", False)
    assert cluster["tags"] == {"team": "hpc"}
    addons = {addon["name"]: addon for addon in cluster["addons"]}
    assert addons["arms-prometheus"] == {
        "name": "arms-prometheus",
        "config": '{"prometheusMode": "default"}',
        "disabled": False,
    }
    assert addons["metrics-server"] == {"name": "metrics-server", "version": "v0.3.9", "disabled": True}
    assert len(addons) == len(cluster["addons"]), "ACK takes each once"
    assert {option["deleteMode"] for option in cluster["deleteOptions"]} == {"delete"}


def test_repair_of_nodes_has_the_components_that_it_needs() -> None:
    names = {addon["name"] for addon in cluster_of(spec())["addons"] if not addon["disabled"]}
    assert {"ack-node-problem-detector", "node-lifecycle-controller", "csi-plugin", "csi-provisioner"} <= names


def test_pools_do_not_touch_the_cluster() -> None:
    before = cluster_of(spec())
    assert cluster_of(spec(pools=[CPU, {**CPU, "name": "more", "maxNodes": 500}])) == before


@pytest.mark.parametrize("protected", [True, False])
def test_pulumi_protects_it_too(protected: bool) -> None:
    request = requests_of(lambda: make(spec(deletionProtection=protected)), OUTPUTS)[CLUSTER]
    assert request.protect is protected
    assert {"addons", "podVswitchIds"} <= set(request.ignoreChanges)


@pytest.mark.parametrize(("public", "server"), [(False, "https://10.0.0.9:6443"), (True, "https://198.51.100.1:6443")])
def test_the_kubeconfig_is_secret_and_leads_to_the_cluster(public: bool, server: str) -> None:
    outputs: dict[str, Any] = {}

    def program() -> None:
        component = make(spec(control_plane={"publicEndpoint": public}))
        component.kubeconfig.apply(lambda text: outputs.update(text=text))
        component.endpoint.apply(lambda text: outputs.update(endpoint=text))

    requests = requests_of(program, OUTPUTS)
    kubeconfig_data = json.loads(outputs["text"])
    assert outputs["endpoint"] == server
    assert kubeconfig_data["clusters"][0]["cluster"] == {"server": server, "certificate-authority-data": "Q0E="}
    assert kubeconfig_data["users"][0]["user"] == {"client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ"}
    provider = next(request for key, request in requests.items() if key == "kubernetes hpc-kubernetes")
    assert SECRET in provider.object["kubeconfig"]
    inputs = inputs_of(provider)
    assert inputs["clusterIdentifier"] == "alicloud/cn-hangzhou/hpc"
    assert inputs["enableSecretMutable"] == inputs["enableConfigMapMutable"] == "true"


def test_a_public_endpoint_that_came_too_late_is_none() -> None:
    """ACK gives a cluster such an address only when it makes it."""
    outputs: dict[str, Any] = {}
    connections = [{"apiServerInternet": "", "apiServerIntranet": "https://10.0.0.9:6443"}]

    def program() -> None:
        component = make(spec(control_plane={"publicEndpoint": True}))
        component.endpoint.apply(lambda text: outputs.update(endpoint=text))

    requests_of(program, {"hpc-cluster": {"connections": connections}})
    assert outputs["endpoint"] == "https://10.0.0.9:6443"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"control_plane": {"edition": "ack.standard", "secrets_encryption_key": "key-1"}},
            [
                "control_plane.secrets_encryption_key: edition ack.standard doesn't encrypt Secrets by a key "
                "of KMS. Leave it out, or write edition ack.pro.small."
            ],
        ),
        (
            {"zones": ["cn-beijing-a"]},
            [
                'zones[0] = "cn-beijing-a": this zone is not in cn-hangzhou, the region of the cluster. Write a zone '
                'such as "cn-hangzhou-a", or another region.'
            ],
        ),
        (
            {"services_range": "8.8.0.0/20"},
            [
                'services_range = "8.8.0.0/20": this range is not private, so nodes would no longer reach its owners '
                "on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ],
        ),
        ({"pod_vswitches": None}, ["pod_vswitches: with terway pods have vSwitches. Pass AckNetwork's pod_vswitches."]),
        (
            {"control_plane": {"cni": "flannel"}},
            ['pods_range: with flannel pods have a separate range. Write for example "172.20.0.0/16".'],
        ),
        (
            {"name": "HPC"},
            [
                'name = "HPC": Kubernetes would refuse this name. Use lower-case letters, digits and "-", '
                'starting with a letter, for example "hpc".'
            ],
        ),
    ],
)
def test_arguments_are_checked_by_the_rules(fields: dict[str, Any], expected: list[str]) -> None:
    arguments = {
        "region": "cn-hangzhou",
        "name": "hpc",
        "zones": ZONES,
        "node_vswitches": dict.fromkeys(ZONES, "vsw-1"),
        "pod_vswitches": {},
        "security_group_id": "sg-1",
    }
    with pytest.raises(SpecError) as caught:
        loosely(AckCluster)("hpc", {**arguments, **fields})
    assert [str(error) for error in caught.value.errors] == expected


def test_services_may_have_any_range_if_the_vpc_is_not_an_argument() -> None:
    args = {"region": "cn-hangzhou", "name": "hpc", "zones": ZONES, "security_group_id": "sg-1"}
    vswitches: dict[str, Any] = {"node_vswitches": dict.fromkeys(ZONES, "vsw-1"), "pod_vswitches": {}}
    assert AckClusterArgs.model_validate({**args, **vswitches, "services_range": "10.200.0.0/20"})


def test_no_key_is_in_plain_text() -> None:
    for key, request in requests_of(lambda: make(spec()), OUTPUTS).items():
        for name, value in request.object.items():
            if "S0VZ" in str(value):
                assert SECRET in str(value), (key, name)


def test_a_kubeconfig() -> None:
    text = kubeconfig("hpc", "https://10.0.0.9:6443", "QQ==", "Qg==", "Qw==")
    kubeconfig_data = json.loads(text)
    assert kubeconfig_data["current-context"] == kubeconfig_data["contexts"][0]["name"] == "hpc"
    assert kubeconfig_data["contexts"][0]["context"] == {"cluster": "hpc", "user": "hpc"}
