"""docs/existing-cluster.md shows what `pools` writes for nodes as they are on each provider."""

from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.pools.live_pools import live_pools
from pulumi_slurm_cli.pools.node import live_nodes
from tests.doc_blocks import Block, blocks_of
from tests.unit.providers.nodes import listed, node

PAGE = CHECKOUT / "docs" / "existing-cluster.md"
BLOCKS = [block for block in blocks_of(PAGE) if block.check == "config"]


def node_of(provider: str, pool: dict[str, Any]) -> dict[str, Any]:
    """Return a node of a pool, with a little more than the pool says."""
    machine = pool["machine"]
    gpus = {"nvidia.com/gpu": str(machine["gpus"]["count"])} if "gpus" in machine else {}
    product = {"cloud.google.com/gke-accelerator": "nvidia-h200-141gb"} if provider == "gke" else {}
    size = {"cpu": f"{machine['cpus'] * 1000 + 370}m", "memory": f"{int(machine['memory'][:-2]) * 1024 + 300}Mi"}
    taints = [{"effect": "NoSchedule", **taint} for taint in pool.get("taints", [])]
    return node("one", provider, {**pool["nodeLabels"], **product}, taints, **size, **gpus)


def test_there_is_a_way_for_each_of_four_readers() -> None:
    assert [yaml.safe_load(block.text)["config"]["slurm:provider"] for block in BLOCKS] == ["gke", "ack", "eks", "bare"]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_pools_on_the_page_are_those_that_the_command_writes(block: Block) -> None:
    config = yaml.safe_load(block.text)["config"]
    provider, pools = config["slurm:provider"], config["slurm:pools"]
    nodes, _ = live_nodes(listed(*(node_of(provider, pool) for pool in pools)))
    found = live_pools(nodes)
    assert (found.provider, found.pools) == (provider, pools)
