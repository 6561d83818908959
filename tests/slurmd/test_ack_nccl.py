"""Jobs on eRDMA get NCCL's settings for it, with slurm-operator's files and with ack-slurm-operator's.

The files of the kernel are in the place of a device's: tmpfs over /sys/bus, with what Alibaba's driver shows there.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.ack.rules import checked_ack
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.ack_pods import AckCluster
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import most_locked_memory
from tests.slurmd.host import Host
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.slurmd.test_gke_nccl import settings

SERIES = "26.05"
"""The older of the images sends no TaskProlog to its nodes."""
LINK_LOCAL, OF_IPV4 = "fe80:0000:0000:0000:0216:3eff:fe00:0001", "0000:0000:0000:0000:0000:ffff:c0a8:0805"
NOTHING = "0000:0000:0000:0000:0000:0000:0000:0000"
COMPATIBLE = [(LINK_LOCAL, "RoCE v2"), (OF_IPV4, "RoCE v2"), (NOTHING, "")]
LATER = [(LINK_LOCAL, "IB/RoCE v1"), (OF_IPV4, "IB/RoCE v1"), (OF_IPV4, "RoCE v2")]
STANDARD = [("0216:3e00:0001:0000:0000:0000:0000:0000", "IB/RoCE v1")]
"""The GIDs of a device, with and without the driver's compat_mode."""
DEVICES: Mapping[str, Mapping[str, list[tuple[str, str]]]] = {
    "one": {"rocep26s0": COMPATIBLE},
    "two": {"erdma_0": COMPATIBLE, "erdma_1": COMPATIBLE},
    "unlike": {"erdma_0": LATER, "erdma_1": COMPATIBLE},
    "standard": {"erdma_0": STANDARD},
    "none": {},
}
ALWAYS = {
    "NCCL_IB_QPS_PER_CONNECTION": "8",
    "NCCL_MIN_NCHANNELS": "16",
    "NCCL_NET_PLUGIN": "none",
    "NCCL_SOCKET_IFNAME": "eth0",
}
SETTINGS: Mapping[str, dict[str, str]] = {
    "one": {**ALWAYS, "NCCL_IB_HCA": "rocep26s0", "NCCL_IB_GID_INDEX": "1"},
    "two": {**ALWAYS, "NCCL_IB_HCA": "erdma_0,erdma_1", "NCCL_IB_GID_INDEX": "1"},
    "unlike": {**ALWAYS, "NCCL_IB_HCA": "erdma_0,erdma_1"},
    "standard": {**ALWAYS, "NCCL_IB_HCA": "erdma_0"},
    "none": {},
}


def attach(host: Host, devices: Mapping[str, list[tuple[str, str]]]) -> None:
    """Show a node's eRDMA devices, by name with their GIDs, as the driver has them; the driver may have none."""
    host.run(["mount", "-t", "tmpfs", "bus", "/sys/bus"])
    driver = "/sys/bus/pci/drivers/erdma"
    host.write(f"{driver}/bind", "")
    for number, (name, gids) in enumerate(devices.items()):
        port = f"{driver}/0000:00:{number + 16:02x}.0/infiniband/{name}/ports/1"
        for index, (gid, kind) in enumerate(gids):
            host.write(f"{port}/gids/{index}", f"{gid}\n")
            # The kernel answers with an error where there is no GID.
            if kind:
                host.write(f"{port}/gid_attrs/types/{index}", f"{kind}\n")


def on_ack(operator: AckOperator, node_sets: list[dict[str, Any]]) -> tuple[AckPlan, SlurmSpec]:
    """Return a cluster on a pool with eRDMA, as a stack has it."""
    place = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-i"], "name": "c", "slurmOperator": operator}
    pools = [{"name": "fast", "instanceTypes": ["ecs.g8i.4xlarge"], "nodes": 2, "erdma": True}]
    plan = AckPlan.of(checked_ack(AckSpec.model_validate({**place, "pools": pools})))
    slurm = SlurmSpec.model_validate({"name": "c", "nodeSets": node_sets})
    return plan, with_alibaba_services(plan, checked(slurm), "c")


@pytest.fixture(scope="module")
def cluster(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    node_sets = [{"name": name, "pool": "fast", "replicas": 0, "partition": {}} for name in DEVICES]
    _, slurm = on_ack(AckOperator.SLINKY, node_sets)
    with Site(images[SERIES], tmp_path_factory.mktemp("erdma")) as site:
        cluster = Cluster(site)
        cluster.start_controller(rendered_files(slurm, Series.of(SERIES)))
        cluster.start_workers({f"{name}-0": f"Features={name}" for name in DEVICES})
        for name, devices in DEVICES.items():
            attach(cluster.workers[f"{name}-0"].host, devices)
        yield cluster


@pytest.mark.parametrize("partition", DEVICES)
def test_a_job_has_the_settings_of_its_node(cluster: Cluster, partition: str) -> None:
    assert settings(cluster, partition) == SETTINGS[partition]


def test_what_a_job_sets_itself_stays(cluster: Cluster) -> None:
    own = {"NCCL_IB_HCA": "erdma_1", "NCCL_IB_GID_INDEX": "3", "NCCL_SOCKET_IFNAME": "eth1", "NCCL_NET_PLUGIN": ""}
    assert settings(cluster, "two", **own) == SETTINGS["two"] | own


def test_without_eth0_sockets_take_another_interface(cluster: Cluster) -> None:
    host = cluster.workers["one-0"].host
    script = next(host.root.glob("var/spool/slurmd/**/ack-task-prolog.sh"))
    inside = "/" + str(script.relative_to(host.root))
    hidden = f"mount -t tmpfs class /sys/class && exec {inside}"
    printed = host.run(["unshare", "--mount", "sh", "-c", hidden]).splitlines()
    lines = dict(line.removeprefix("export ").split("=", 1) for line in printed)
    assert {**lines, "NCCL_SOCKET_IFNAME": "eth0"} == SETTINGS["one"]
    assert "NCCL_SOCKET_IFNAME" not in lines


def test_jobs_of_ack_slurm_operator_have_them(images: dict[str, SlurmImage], tmp_path: Path) -> None:
    """Its Slurm sends no TaskProlog, and a job has nothing of the container's environment."""
    machine = {"cpus": 1, "memory": "300Mi"}
    node_sets = [{"name": "two", "pool": "fast", "machine": machine, "replicas": 1, "partition": {"default": True}}]
    plan, slurm = on_ack(AckOperator.ACK_SLURM_OPERATOR, node_sets)
    ack = AckSlurmSpec.model_validate({"slurmVersion": "24.11.5"})
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, slurm, node_pools(plan), ack)
        cluster.start_slurmctld()
        limit = f"sed -i 's/ulimit -l unlimited/ulimit -l {most_locked_memory()}/' /start.sh"
        cluster.start_worker("two", 0, before=f"{limit}; export NCCL_DEBUG=INFO NCCL_IB_GID_INDEX=7")
        cluster.wait_for("c-worker-two-0", "idle")
        attach(cluster.hosts["c-worker-two-0"], DEVICES["two"])
        printed = cluster.run("srun", "--export=PATH", "env", user=JOB_USER)
    lines = dict(line.split("=", 1) for line in printed.splitlines())
    assert {name: text for name, text in lines.items() if name.startswith("NCCL")} == SETTINGS["two"]
