"""The fast networks as Kubernetes objects."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeNetwork
from pulumi_slurm.gke.fast_networks import GkePodNetworkArgs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.pod_networks import GkePodNetworks, GkePodNetworksArgs
from pulumi_slurm.machines.gke import DeviceMode
from tests.components.conftest import Build, Registered
from tests.components.gke.parts import network_args

NETWORK = "kubernetes:networking.gke.io/v1:Network"
PARAMS = "kubernetes:networking.gke.io/v1:GKENetworkParamSet"
LONGEST_DEVICE_NETWORK = 41
"""GKE uses the name in the path of a socket; see its guide "Set up multi-network support for Pods"."""


def spec(machine_type: str) -> GkeSpec:
    pool = {"name": "gpu", "machineType": machine_type, "maxNodes": 8}
    return GkeSpec.model_validate(
        {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a"],
            "name": "abcdefghijklmnopqrst",
            "pools": [pool],
        }
    )


def resources_by_type(build: Build, machine_type: str) -> dict[str, list[Registered]]:
    gke_spec = spec(machine_type)

    def program() -> None:
        network = GkeNetwork("hpc", network_args(gke_spec))
        subnetworks = [
            GkePodNetworkArgs(name=subnet.name, device_mode=extra.device_mode, **dict(network.interface(subnet.name)))
            for extra in plan_addresses(GkePlan.of(gke_spec)).fabric
            for subnet in extra.subnets
        ]
        GkePodNetworks("hpc", GkePodNetworksArgs(subnetworks=subnetworks))

    resources: dict[str, list[Registered]] = {}
    for item in build(program):
        resources.setdefault(item.typ, []).append(item)
    return resources


@pytest.mark.parametrize(
    ("machine_type", "modes"),
    [
        ("n2-standard-8", []),
        ("a3-highgpu-8g", ["NetDevice"] * 4),
        ("a3-megagpu-8g", ["NetDevice"] * 8),
        ("a3-ultragpu-8g", ["NetDevice"] + ["RDMA"] * 8),
    ],
)
def test_each_interface_is_a_network(build: Build, machine_type: str, modes: list[str]) -> None:
    resources = resources_by_type(build, machine_type)
    params = {item.kubernetes_name: item.inputs["spec"] for item in resources.get(PARAMS, [])}
    assert sorted(body["deviceMode"] for body in params.values()) == modes
    assert {item.kubernetes_name for item in resources.get(NETWORK, [])} == set(params)
    for item in resources.get(NETWORK, []):
        assert item.inputs["spec"] == {
            "type": "Device",
            "parametersRef": {
                "group": "networking.gke.io",
                "kind": "GKENetworkParamSet",
                "name": item.kubernetes_name,
            },
        }
        assert len(item.kubernetes_name) <= LONGEST_DEVICE_NETWORK
        assert "namespace" not in item.inputs["metadata"]


@pytest.mark.parametrize("machine_type", ["a3-megagpu-8g", "a3-ultragpu-8g"])
def test_params_name_a_subnetwork_and_its_vpc(build: Build, machine_type: str) -> None:
    resources = resources_by_type(build, machine_type)
    vpcs = {f"{item.name}-id": item.inputs["name"] for item in resources["gcp:compute/network:Network"]}
    lies_in = {
        item.inputs["name"]: vpcs[item.inputs["network"]] for item in resources["gcp:compute/subnetwork:Subnetwork"]
    }
    for item in resources[PARAMS]:
        body = item.inputs["spec"]
        assert body["vpcSubnet"] == item.kubernetes_name
        assert body["vpc"] == lies_in[body["vpcSubnet"]]


def test_a_network_depends_on_its_params(build: Build) -> None:
    for item in resources_by_type(build, "a3-highgpu-8g")[NETWORK]:
        assert any(
            urn.rsplit("::", 1)[-1] == item.name.replace("-network", "-gkenetworkparamset") for urn in item.depends_on
        )


def test_objects_that_gke_refuses_to_change_are_replaced(build: Build) -> None:
    options_by_name: dict[str, tuple[Any, Any]] = {}

    def record(args: pulumi.ResourceTransformationArgs) -> None:
        options_by_name[args.name] = (args.opts.replace_on_changes, args.opts.delete_before_replace)

    subnetworks = [
        GkePodNetworkArgs(name=name, network_name="v", subnetwork_name="s", device_mode=DeviceMode.NET_DEVICE)
        for name in names(build, "a3-highgpu-8g")
    ]
    build(
        lambda: GkePodNetworks(
            "hpc",
            GkePodNetworksArgs(subnetworks=subnetworks),
            pulumi.ResourceOptions(transformations=[record]),
        )
    )
    children = {name: options for name, options in options_by_name.items() if name != "hpc"}
    assert len(children) == 8
    assert set(map(str, children.values())) == {"(['spec'], True)"}


def names(build: Build, machine_type: str) -> list[str]:
    return [item.kubernetes_name for item in resources_by_type(build, machine_type)[NETWORK]]


def test_names_are_unique() -> None:
    subnetwork = {"name": "rdma-1", "network_name": "v", "subnetwork_name": "s", "device_mode": "RDMA"}
    with pytest.raises(SpecError) as raised:
        GkePodNetworksArgs(subnetworks=[GkePodNetworkArgs(**subnetwork)] * 2)
    assert [str(error) for error in raised.value.errors] == [
        'subnetworks[1].name = "rdma-1": this name is already used. Choose another name.'
    ]
