"""Jobs on fast networks get NCCL's settings, which come with Google's plugin, and one interface for sockets.

The profiles are in the place of Google's: like those they are for bash, look at the machine, and set more than NCCL's.
"""

import subprocess
from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import Host
from tests.slurmd.site import Site
from tests.slurmd.test_gke_driver import SERIES, gke_cluster

INSTALLED = "/run/pulumi-slurm/nccl-installed"
TCPXO_PROFILE = """\
: "${NCCL_LIB_DIR:?Must set NCCL_LIB_DIR}"
interfaces() {
    local found=
    for device in $(ls /sys/class/net); do if [[ $device =~ eth[1-9] ]]; then found=${found:+$found,}$device; fi; done
    echo "$found"
}
echo "setting up $(ls /sys/class/net)"
export LD_LIBRARY_PATH="${NCCL_LIB_DIR}:${LD_LIBRARY_PATH}"
export NCCL_FASTRAK_IFNAME=$(interfaces) NCCL_SOCKET_IFNAME=eth0 NCCL_PROTO=Simple,LL128 NCCL_DEBUG=WARN
export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
"""
GIB_PROFILE = """\
echo "for $(nvidia-smi -L)"
export NCCL_IB_TC=52 NCCL_TUNER_CONFIG_PATH=/usr/local/gib/configs/tuner.txtpb
"""
SOCKETS = {
    "GLOO_SOCKET_IFNAME": "eth0",
    "NCCL_SOCKET_IFNAME": "eth0",
    "OMPI_MCA_btl_tcp_if_include": "eth0",
    "OMPI_MCA_oob_tcp_if_include": "eth0",
}
MEGA = SOCKETS | {
    "NCCL_DEBUG": "WARN",
    "NCCL_FASTRAK_IFNAME": "eth1,eth2",
    "NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY": "/dev/aperture_devices",
    "NCCL_LIB_DIR": "/usr/local/nvidia/lib64",
    "NCCL_PROTO": "Simple,LL128",
    "UCX_NET_DEVICES": "eth0",
}
ULTRA = SOCKETS | {
    "NCCL_IB_TC": "52",
    "NCCL_NET": "gIB",
    "NCCL_TUNER_CONFIG_PATH": "/usr/local/gib/configs/tuner.txtpb",
}
MACHINES = {
    "cpu": "n2-standard-8",
    "ultra": "a3-ultragpu-8g",
    "mega": "a3-megagpu-8g",
    "high": "a3-highgpu-8g",
    "h4d": "h4d-standard-192",
}


@pytest.fixture(scope="module")
def cluster(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path_factory.mktemp("nccl")) as site:
        cluster = gke_cluster(site, MACHINES)
        hosts = {name: cluster.workers[f"{name}-0"].host for name in MACHINES}
        for name in MACHINES.keys() - {"cpu"}:
            add_interfaces(hosts[name], "eth1", "eth2")
        for name in ("ultra", "mega", "high"):
            hosts[name].write(INSTALLED, "")
        hosts["ultra"].write("/usr/local/gib/scripts/set_nccl_env.sh", GIB_PROFILE)
        hosts["mega"].write("/usr/local/nvidia/lib64/nccl-env-profile.sh", TCPXO_PROFILE)
        hosts["mega"].folder("/dev/aperture_devices")
        hosts["high"].folder("/run/tcpx")
        yield cluster


def add_interfaces(host: Host, *names: str) -> None:
    for name in names:
        inside = ["nsenter", f"--target={host.pid}", "--net", "ip", "link", "add", name, "type", "bridge"]
        subprocess.run(inside, check=True)


def settings(cluster: Cluster, partition: str, **own: str) -> dict[str, str]:
    """Return what a job on a machine has of NCCL's variables, and of those that choose interfaces."""
    exported = ",".join(["PATH", *(f"{name}={value}" for name, value in own.items())])
    printed = cluster.run("srun", f"--partition={partition}", f"--export={exported}", "env", user=JOB_USER)
    lines = dict(line.split("=", 1) for line in printed.splitlines())
    return {name: lines[name] for name in lines if name.startswith(("NCCL", "OMPI_MCA", "UCX", "GLOO", "CUDA"))}


@pytest.mark.parametrize(
    ("partition", "expected"), [("cpu", {}), ("ultra", ULTRA), ("mega", MEGA), ("high", SOCKETS), ("h4d", SOCKETS)]
)
def test_a_job_has_the_settings_of_its_machine(cluster: Cluster, partition: str, expected: dict[str, str]) -> None:
    assert settings(cluster, partition) == expected


def test_what_a_job_sets_itself_stays(cluster: Cluster) -> None:
    own = {"NCCL_NET": "Socket", "NCCL_SOCKET_IFNAME": "eth1", "NCCL_IB_TC": "0", "GLOO_SOCKET_IFNAME": ""}
    assert settings(cluster, "ultra", **own) == ULTRA | own


def test_a_job_of_several_nodes_goes_over_tcpx(cluster: Cluster) -> None:
    # Of one node, whose prolog is told another number.
    task_prolog = cluster.workers["high-0"].host
    script = next(task_prolog.root.glob("var/spool/slurmd/**/gke-task-prolog.sh"))
    inside = "/" + str(script.relative_to(task_prolog.root))
    printed = task_prolog.run([inside], user=JOB_USER, env={"SLURM_JOB_NUM_NODES": "2", "NCCL_ALGO": "Tree"})
    lines = dict(line.removeprefix("export ").split("=", 1) for line in printed.splitlines())
    assert lines["NCCL_GPUDIRECTTCPX_UNIX_CLIENT_PREFIX"] == "/run/tcpx"
    assert lines["NCCL_GPUDIRECTTCPX_SOCKET_IFNAME"] == "eth1,eth2,eth3,eth4"
    assert lines["NCCL_GPUDIRECTTCPX_TX_BINDINGS"].startswith("eth1:8-21,112-125;eth2:")
    assert "NCCL_ALGO" not in lines


def test_before_the_plugin_is_installed_only_sockets_are_set(cluster: Cluster) -> None:
    host = cluster.workers["mega-0"].host
    host.run(["mv", INSTALLED, f"{INSTALLED}.not"])
    try:
        assert settings(cluster, "mega") == SOCKETS
    finally:
        host.run(["mv", f"{INSTALLED}.not", INSTALLED])
