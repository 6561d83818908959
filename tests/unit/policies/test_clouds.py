"""The pack and the registry of clouds."""

import json
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from tests.fresh_python import modules_after, printed

pytestmark = pytest.mark.unit

IN_THE_PACK = f"import sys; sys.path.append({str(CHECKOUT / 'policy')!r})"
THIRD = """
import dataclasses, json
from pulumi_slurm.clouds import registry
toy = dataclasses.replace(registry.CLOUDS[0], key="toy", resources="tests.components.third_cloud.resources")
registry.CLOUDS = (*registry.CLOUDS, toy)
from slurm_policies.all_policies import POLICIES
from slurm_policies.policy import Resource
for kind, inputs in {resources}:
    told = (str(one) for policy in POLICIES for one in policy.violations(Resource(kind, "r", inputs), {{}}))
    print(json.dumps(sorted(told)))
"""


def test_the_pack_loads_of_clouds_what_it_reads_alone() -> None:
    """It runs in a process of its own for each preview, in an environment without any SDK."""
    (loaded,) = modules_after(f"{IN_THE_PACK}; import slurm_policies.all_policies")
    of_clouds = {name for name in loaded if name.startswith(("pulumi_slurm.gke.", "pulumi_slurm.ack."))}
    assert of_clouds == {"pulumi_slurm.gke.resources", "pulumi_slurm.ack.resources"}
    of_all = {name for name in loaded if name.startswith(("pulumi_slurm.clouds.", "pulumi_slurm.machines"))}
    assert of_all == {f"pulumi_slurm.clouds.{name}" for name in ("registry", "resources", "unread")}
    assert {name.partition(".")[0] for name in loaded}.isdisjoint({"pulumi", "pulumi_gcp", "pulumi_alicloud"})


def test_a_further_cloud_is_looked_at_by_its_row() -> None:
    resources: list[tuple[str, dict[str, Any]]] = [
        ("toy:index:Box", {"deletionProtection": False}),
        ("toy:index:Blocks", {"label": "blue"}),
        ("toy:index:Drawer", {}),
    ]
    (cluster,), (pool,), (files,) = map(
        json.loads, printed(IN_THE_PACK + THIRD.format(resources=resources)).splitlines()
    )
    assert cluster.startswith("deletionProtection = false: a destroy or a replacement ends all jobs")
    assert pool.startswith('label = "blue": a change that can\'t be made in place')
    assert files.startswith("protect: home directories and results of jobs may be deleted by one change.")
