"""NCCL on fast networks: what nodes and workers get for it."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.nccl_installers import nccl_installers
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl_pools import nccl_pools
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodeSetSpec
from tests.unit.gke.test_slurm_spec import cluster, gke

MEGA, HIGH, ULTRA = "a3-megagpu-8g", "a3-highgpu-8g", "a3-ultragpu-8g"
WITHOUT = {
    "nccl: {install: false}": {"nccl": {"install": False}},
    "fabric: false": {"fabric": False},
    "a driver of one's own": {"driver": "disabled"},
}


def google(machine_type: str, nccl: Mapping[str, Any] | None = None, **pool: Any) -> GkeSpec:
    pools = [
        {"name": "gpu", "machineType": machine_type, "nodes": 2, **pool},
        {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 1},
    ]
    return gke(pools=pools, nccl=dict(nccl or {}))


def worker(spec: GkeSpec, **node_set: Any) -> NodeSetSpec:
    stated = cluster(nodeSets=[{"name": "gpu", "pool": "gpu", "replicas": 2, **node_set}])
    return with_google_services(GkePlan.of(spec), stated, "slurm").node_sets[0]


def installers(spec: GkeSpec) -> list[Manifest]:
    return nccl_installers(spec.nccl, nccl_pools(GkePlan.of(spec)))


def sees(node_set: NodeSetSpec) -> dict[str, str]:
    """Return where jobs see what of the node."""
    return {folder.mount_path: folder.path for folder in node_set.host_paths}


LIBRARIES = {"/usr/local/nvidia/lib64": "/home/kubernetes/bin/nvidia/lib64"}


@pytest.mark.parametrize(
    ("machine_type", "folders", "daemon", "image"),
    [
        (MEGA, {"/dev/aperture_devices": "/dev/aperture_devices"}, "tcpxo-daemon", "gpudirect-tcpxo/tcpgpudmarxd-dev:"),
        (HIGH, {"/run/tcpx": "/run/tcpx"}, "tcpx-daemon", "gpudirect-tcpx/tcpgpudmarxd-dev:"),
    ],
)
def test_gpudirect_has_libraries_and_a_daemon_with_all_gpus(
    machine_type: str, folders: dict[str, str], daemon: str, image: str
) -> None:
    made = worker(google(machine_type))
    assert sees(made) == LIBRARIES | folders
    (sidecar,) = made.sidecars
    assert sidecar.name == daemon
    assert image in sidecar.image
    assert {folder.mount_path for folder in sidecar.host_paths} >= {
        "/usr/local/nvidia/lib64",
        "/hostsysfs",
        "/hostprocsysfs",
    }
    devices = [each["path"] for each in yaml.safe_load(made.pod.annotations[f"devices.gke.io/container.{daemon}"])]
    assert devices[:8] == [f"/dev/nvidia{number}" for number in range(8)]
    assert {"/dev/nvidiactl", "/dev/nvidia-uvm"} <= set(devices)


def test_rdma_has_libraries_alone() -> None:
    made = worker(google(ULTRA))
    assert sees(made) == LIBRARIES | {"/usr/local/gib": "/home/kubernetes/bin/gib"}
    assert made.sidecars == []
    assert not [key for key in made.pod.annotations if key.startswith("devices.gke.io/")]


@pytest.mark.parametrize("machine_type", ["n2-standard-8", "g2-standard-8", "a3-highgpu-4g", "a4x-highgpu-4g"])
def test_machines_without_such_a_network_or_plugin_get_nothing(machine_type: str) -> None:
    spec = google(machine_type, capacity="reservation", reservation="ours")
    made = worker(spec)
    assert (made.host_paths, made.sidecars) == ([], [])
    assert installers(spec) == []


@pytest.mark.parametrize("stated", WITHOUT.values(), ids=WITHOUT.keys())
def test_it_can_be_left_out(stated: dict[str, Any]) -> None:
    spec = google(MEGA, **stated)
    made = worker(spec)
    assert (made.host_paths, made.sidecars) == ([], [])
    assert installers(spec) == []


@pytest.mark.parametrize(
    "fields", [{"gpus": 4}, {"machine": {"cpus": 8, "memory": "64Gi"}}, {"pod": {"hostNetwork": True}}]
)
def test_workers_with_a_part_of_a_node_have_no_daemon_of_their_own(fields: dict[str, Any]) -> None:
    made = worker(google(MEGA), **fields)
    assert (made.host_paths, made.sidecars) == ([], [])


def test_what_a_user_states_takes_the_place_of_ours() -> None:
    libraries = {"name": "mine", "path": "/opt/nccl", "mountPath": "/usr/local/nvidia/lib64/"}
    daemon = {"name": "tcpxo-daemon", "image": "registry.example.org/rxdm:2"}
    made = worker(google(MEGA), hostPaths=[libraries], sidecars=[daemon])
    assert sees(made)["/usr/local/nvidia/lib64/"] == "/opt/nccl"
    assert "/usr/local/nvidia/lib64" not in sees(made)
    assert [sidecar.image for sidecar in made.sidecars] == ["registry.example.org/rxdm:2"]


@pytest.mark.parametrize(
    ("machine_type", "names"),
    [
        (MEGA, ["nccl-tcpxo-installer", "device-injector"]),
        (HIGH, ["nccl-tcpx-installer", "device-injector"]),
        (ULTRA, ["nccl-rdma-installer"]),
    ],
)
def test_plugins_are_installed_on_the_nodes_of_these_pools_alone(machine_type: str, names: list[str]) -> None:
    made = installers(google(machine_type))
    assert [each["metadata"]["name"] for each in made] == names
    for each in made:
        pod = each["spec"]["template"]["spec"]
        terms = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        assert terms == [
            {"matchExpressions": [{"key": "cloud.google.com/gke-nodepool", "operator": "In", "values": ["gpu"]}]}
        ]
        mounted = {
            mount["name"]
            for part in ("initContainers", "containers")
            for one in pod.get(part, [])
            for mount in one.get("volumeMounts", [])
        }
        assert mounted == {volume["name"] for volume in pod["volumes"]}


def test_images_can_be_of_another_release() -> None:
    images = {"tcpxoPlugin": "registry.example.org/plugin:2", "tcpxoDaemon": "registry.example.org/daemon:2"}
    spec = google(MEGA, nccl=images)
    installer = installers(spec)[0]["spec"]["template"]["spec"]["initContainers"][-1]
    assert installer["image"] == "registry.example.org/plugin:2"
    assert worker(spec).sidecars[0].image == "registry.example.org/daemon:2"
