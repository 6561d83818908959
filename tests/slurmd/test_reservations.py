"""Reservations as docs/reservations.md makes them, while workers come and go and slurmctld restarts."""

import pytest

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.doc_blocks import blocks_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import for_this_machine
from tests.slurmd.host import CommandError
from tests.slurmd.operator_files import files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site
from tests.waiting import equals

pytestmark = ON_THE_NEWEST

PAGE = CHECKOUT / "docs" / "reservations.md"
FILES = """\
NodeSet=cpu Feature=cpu
PartitionName=cpu Nodes=cpu Default=YES MaxTime=UNLIMITED
"""
NAMES = ("maintenance", "course")


@pytest.fixture
def cluster(image: SlurmImage, site: Site) -> Cluster:
    cluster = Cluster(site)
    cluster.start_controller(for_this_machine(files(FILES)))
    cluster.start_workers({"cpu-0": "Features=cpu"})
    return cluster


def nodes(cluster: Cluster) -> set[str]:
    """Return the nodes of the reservations, which should have the same."""
    shown = (cluster.run("scontrol", "--oneliner", "show", "reservation", name) for name in NAMES)
    return {text.partition(" Nodes=")[2].split()[0] for text in shown}


def test_reservations_of_the_page_stay_and_take_new_workers_at_a_reconfiguration(cluster: Cluster) -> None:
    (block,) = [block for block in blocks_of(PAGE) if block.check == "reservations"]
    for line in block.text.replace("\\\n", "").replace("alice", JOB_USER).splitlines():
        cluster.run(*line.split())
    assert nodes(cluster) == {"cpu-0"}
    cluster.start_workers({"cpu-1": "Features=cpu"})
    assert nodes(cluster) == {"cpu-0"}
    cluster.run("scontrol", "reconfigure")
    assert nodes(cluster) == {"cpu-[0-1]"}
    cluster.start_controller(for_this_machine(files(FILES)), keep_state=True)
    assert nodes(cluster) == {"cpu-[0-1]"}


def test_a_node_of_a_reservation_that_has_begun_cannot_be_deleted(cluster: Cluster) -> None:
    command = "scontrol create reservation ReservationName=now StartTime=now Duration=60 Users=root Nodes=ALL"
    cluster.run(*command.split())
    worker = cluster.workers["cpu-0"].daemon
    assert worker
    worker.eventually("being reserved", lambda: cluster.node_state("cpu-0"), equals("reserved"))
    worker.stop()
    with pytest.raises(CommandError):
        cluster.run("scontrol", "delete", "NodeName=cpu-0")
