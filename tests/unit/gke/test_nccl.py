"""NCCL on fast networks: the additions to nodes and workers."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
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
from pulumi_slurm.model.storage import HostPathType
from tests.shellcheck import findings
from tests.unit.gke.test_slurm_spec import cluster, gke

MEGA, HIGH, ULTRA = "a3-megagpu-8g", "a3-highgpu-8g", "a3-ultragpu-8g"
WITHOUT = {
    "nccl: {install: false}": {"nccl": {"install": False}},
    "fabric: false": {"fabric": False},
    "driver: disabled": {"driver": "disabled"},
}


def google(machine_type: str, nccl: Mapping[str, Any] | None = None, **pool: Any) -> GkeSpec:
    pools = [
        {"name": "gpu", "machineType": machine_type, "capacity": "spot", "nodes": 2, **pool},
        {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 1},
    ]
    return gke(pools=pools, nccl=dict(nccl or {}))


def worker(spec: GkeSpec, **node_set: Any) -> NodeSetSpec:
    slurm = cluster(nodeSets=[{"name": "gpu", "pool": "gpu", "replicas": 2, **node_set}])
    return with_google_services(GkePlan.of(spec), slurm, "slurm").node_sets[0]


def installers(spec: GkeSpec) -> list[Manifest]:
    return nccl_installers(spec.nccl, nccl_pools(GkePlan.of(spec)))


def host_paths(node_set: NodeSetSpec) -> dict[str, str]:
    """Return the paths of the node by their mount paths."""
    return {folder.mount_path: folder.path for folder in node_set.host_paths}


INSTALLED = "/run/pulumi-slurm/nccl-installed"
LIBRARIES = {INSTALLED: INSTALLED, "/usr/local/nvidia/lib64": "/home/kubernetes/bin/nvidia/lib64"}


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
    node_set = worker(google(machine_type))
    assert host_paths(node_set) == LIBRARIES | folders
    (sidecar,) = node_set.sidecars
    assert sidecar.name == daemon
    assert image in sidecar.image
    assert {folder.mount_path for folder in sidecar.host_paths} >= {
        "/usr/local/nvidia/lib64",
        "/hostsysfs",
        "/hostprocsysfs",
    }
    annotation = yaml.safe_load(node_set.pod.annotations[f"devices.gke.io/container.{daemon}"])
    devices = [device["path"] for device in annotation]
    assert devices[:8] == [f"/dev/nvidia{number}" for number in range(8)]
    assert {"/dev/nvidiactl", "/dev/nvidia-uvm"} <= set(devices)


def test_rdma_only_has_libraries() -> None:
    node_set = worker(google(ULTRA))
    assert host_paths(node_set) == LIBRARIES | {"/usr/local/gib": "/home/kubernetes/bin/gib"}
    assert node_set.sidecars == []
    assert not [key for key in node_set.pod.annotations if key.startswith("devices.gke.io/")]


@pytest.mark.parametrize("machine_type", ["n2-standard-8", "g2-standard-8", "a3-highgpu-4g", "a4x-highgpu-4g"])
def test_machines_without_such_a_network_or_plugin_get_nothing(machine_type: str) -> None:
    spec = google(machine_type, capacity="reservation", reservation="ours")
    node_set = worker(spec)
    assert (node_set.host_paths, node_set.sidecars) == ([], [])
    assert installers(spec) == []


@pytest.mark.parametrize("fields", WITHOUT.values(), ids=WITHOUT.keys())
def test_it_can_be_switched_off(fields: dict[str, Any]) -> None:
    spec = google(MEGA, **fields)
    node_set = worker(spec)
    assert (node_set.host_paths, node_set.sidecars) == ([], [])
    assert installers(spec) == []


@pytest.mark.parametrize(
    "fields", [{"gpus": 4}, {"machine": {"cpus": 8, "memory": "64Gi"}}, {"pod": {"hostNetwork": True}}]
)
def test_workers_with_some_of_a_node_s_gpus_have_no_daemon(fields: dict[str, Any]) -> None:
    node_set = worker(google(MEGA), **fields)
    assert (node_set.host_paths, node_set.sidecars) == ([], [])


def test_items_of_users_replace_derived_items() -> None:
    libraries = {"name": "mine", "path": "/opt/nccl", "mountPath": "/usr/local/nvidia/lib64/"}
    daemon = {"name": "tcpxo-daemon", "image": "registry.example.org/rxdm:2"}
    node_set = worker(google(MEGA), hostPaths=[libraries], sidecars=[daemon])
    assert host_paths(node_set)["/usr/local/nvidia/lib64/"] == "/opt/nccl"
    assert "/usr/local/nvidia/lib64" not in host_paths(node_set)
    assert [sidecar.image for sidecar in node_set.sidecars] == ["registry.example.org/rxdm:2"]


@pytest.mark.parametrize(
    ("machine_type", "names"),
    [
        (MEGA, ["nccl-tcpxo-installer", "device-injector"]),
        (HIGH, ["nccl-tcpx-installer", "device-injector"]),
        (ULTRA, ["nccl-rdma-installer"]),
    ],
)
def test_plugins_are_only_installed_on_the_nodes_of_these_pools(machine_type: str, names: list[str]) -> None:
    daemon_sets = installers(google(machine_type))
    assert [daemon_set["metadata"]["name"] for daemon_set in daemon_sets] == names
    for daemon_set in daemon_sets:
        pod = daemon_set["spec"]["template"]["spec"]
        terms = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        assert terms == [
            {"matchExpressions": [{"key": "cloud.google.com/gke-nodepool", "operator": "In", "values": ["gpu"]}]}
        ]
        mounted = {
            mount["name"]
            for field in ("initContainers", "containers")
            for container in pod.get(field, [])
            for mount in container.get("volumeMounts", [])
        }
        assert mounted == {volume["name"] for volume in pod["volumes"]}


@pytest.mark.parametrize("machine_type", [MEGA, HIGH, ULTRA])
def test_workers_wait_for_the_end_of_the_installation(machine_type: str, tmp_path: Path) -> None:
    spec = google(machine_type)
    waited_for = next(one for one in worker(spec).host_paths if one.path == INSTALLED)
    assert waited_for.type is HostPathType.FILE
    pod = installers(spec)[0]["spec"]["template"]["spec"]
    step = pod["initContainers"][-1]
    assert "/run/pulumi-slurm" in [mount["mountPath"] for mount in step["volumeMounts"]]
    # The script with a plugin that fails, and then with one that is installed; a worker's runtime made a folder.
    marker = tmp_path / "marker"
    marker.mkdir()
    *shell, script = step["command"]
    first, *_, before_last, last = script.split(" && ")
    around = " && ".join([first, "{}", before_last, last]).replace(INSTALLED, str(marker))
    failed = subprocess.run([*shell, around.format("false")], stderr=subprocess.DEVNULL, check=False)
    assert failed.returncode != 0
    assert not marker.exists()
    subprocess.run([*shell, around.format("true")], stderr=subprocess.DEVNULL, check=True)
    assert marker.is_file()


def test_images_can_be_of_another_release() -> None:
    images = {"tcpxoPlugin": "registry.example.org/plugin:2", "tcpxoDaemon": "registry.example.org/daemon:2"}
    spec = google(MEGA, nccl=images)
    installer = installers(spec)[0]["spec"]["template"]["spec"]["initContainers"][-1]
    assert installer["image"] == "registry.example.org/plugin:2"
    assert worker(spec).sidecars[0].image == "registry.example.org/daemon:2"


def task_prolog(spec: GkeSpec) -> str:
    return with_google_services(GkePlan.of(spec), cluster(), "slurm").config_files.get("gke-task-prolog.sh", "")


@pytest.mark.parametrize("machine_type", [MEGA, HIGH, ULTRA, "h4d-standard-192"])
def test_jobs_on_a_fast_network_get_its_settings(machine_type: str) -> None:
    script = task_prolog(google(machine_type, capacity="reservation", reservation="ours"))
    assert "NCCL_NET=gIB" in script
    # What is assigned is printed by the prefix of its name, and the profiles are on the nodes alone.
    assert findings(script, exclude="SC2034,SC1091") == []


def test_jobs_elsewhere_get_none() -> None:
    assert task_prolog(google("h4d-standard-192", fabric=False)) == ""
    for spec in (google("g2-standard-8"), google(MEGA, fabric=False)):
        assert "NCCL" not in task_prolog(spec)
