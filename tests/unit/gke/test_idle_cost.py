"""What the shipped example costs while no job runs or waits, as docs/gke-services.md says."""

from devcluster.folders import CHECKOUT
from pulumi_slurm.gke.model import GkeSpec
from tests.shipped_stacks import shipped

HOURS = 730
"""Of a month, as in Google's price calculator."""


def test_machines_without_jobs() -> None:
    settings = shipped("gke")
    gke = GkeSpec.model_validate(settings["slurm:gke"])
    pool = gke.system_pool
    price = gke.catalogue.find(pool.machine_type).price
    assert price is not None
    assert price.on_demand is not None
    dollars = round(pool.min_nodes * price.on_demand * HOURS)
    machines = f"its machines are {pool.min_nodes} {pool.machine_type} for {dollars} $ a month"
    assert machines in (CHECKOUT / "docs" / "gke-services.md").read_text()
    # No other pool keeps a node, and no node set a worker.
    assert not any(pool.min_nodes or pool.nodes for pool in gke.pools)
    assert all(node_set["autoscaling"].get("minReplicas", 0) == 0 for node_set in settings["slurm:cluster"]["nodeSets"])
