"""A further cloud without an SDK takes one row in the registry, its models and its components; docs/add-a-cloud.md has
what one with an SDK needs too."""

from typing import Any

import pytest

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.registry import CloudRow
from pulumi_slurm_cli.review.money import HOURS_A_MONTH, cost_changes
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange
from pulumi_slurm_cli.review.resource_effects import resource_effects
from pulumi_slurm_stacks import build as build_stack, schema
from tests.components.conftest import Build
from tests.stack_configuration import ROOT_KEY, changed, errors, read

HOME = "tests.components.third_cloud"
ROW = CloudRow(
    key="toy",
    name="Toyland",
    definition=f"{HOME}.cloud",
    resources=f"{HOME}.resources",
    stack=f"{HOME}.stack",
    stack_config=f"{HOME}.stack_config",
    sdk="pulumi",
)
SETTINGS: dict[str, Any] = {
    "kind": "toy",
    "rootKey": ROOT_KEY,
    "toy": {"region": "here", "zones": ["here"], "pools": [{"name": "blocks", "size": 8, "nodes": 4}]},
    "cluster": {
        "name": "hpc",
        "nodeSets": [{"name": "blocks", "pool": "blocks", "replicas": 4}],
        "partitions": [{"name": "main", "nodeSets": ["blocks"]}],
    },
}


@pytest.fixture(autouse=True)
def _with_a_third_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "CLOUDS", (*registry.CLOUDS, ROW))


def test_its_stack_is_read_and_built(build: Build) -> None:
    config, secrets = read(changed(SETTINGS))
    registered = build(lambda: build_stack(config, secrets))
    by_type = {resource.typ: resource for resource in registered}
    assert by_type["slurm:index:ToyCluster"].inputs == {"pools": [{"name": "blocks", "size": 8, "nodes": 4}]}
    workers = next(
        resource
        for resource in registered
        if resource.typ.startswith("kubernetes:slinky") and "NodeSet" in resource.typ
    )
    assert workers.inputs["spec"]["template"]["spec"]["nodeSelector"]["toy.example.com/pool"] == "blocks"


def test_its_errors_come_with_those_of_the_slurm_cluster() -> None:
    wrong = changed(
        SETTINGS,
        (("toy", "pools", 0, "nodes"), 9),
        (("cluster", "accounting"), {}),
        (("cluster", "partitions", 0, "nodeSets"), ["blokcs"]),
    )
    assert errors(wrong) == [
        "slurm:toy.pools[0].nodes = 9: there are 8 toys. Write 8 or less.",
        'slurm:cluster.partitions[0].nodeSets[0] = "blokcs": there is no such node set, and slurmctld would not start. '
        'Did you mean "blocks"?',
        "slurm:cluster.accounting = {}: here has no database. Leave it out.",
    ]


def test_other_clouds_know_of_it() -> None:
    misplaced = changed({"kind": "kubernetes", "rootKey": ROOT_KEY, "cluster": SETTINGS["cluster"]}, (("toy",), {}))
    problem = "this describes a cluster to make on Toyland, and a stack of this kind makes none"
    assert any(line == f"slurm:toy: {problem}. Write kind: toy, or leave it out." for line in errors(misplaced))


def test_editors_know_its_keys() -> None:
    described = schema.schema()["properties"]["config"]
    assert "toy" in described["properties"]["slurm:kind"]["enum"]
    (keys,) = [each["then"] for each in described["allOf"] if each["if"]["properties"]["slurm:kind"]["const"] == "toy"]
    assert "slurm:toy" in keys["required"]


def gone(kind: str, old: dict[str, Any]) -> ResourceChange:
    return ResourceChange(f"urn:pulumi:s::p::{kind}::r", kind, "r", Operation.DELETE, old, None)


def test_reviews_know_what_its_resources_mean() -> None:
    grown = ResourceChange("u", "toy:index:Blocks", "r", Operation.UPDATE, {"count": 1}, {"count": 2})
    found = resource_effects(
        [gone("toy:index:Box", {}), gone("toy:index:Blocks", {"label": "blue"}), gone("toy:index:Drawer", {}), grown],
        (),
        {},
    )
    assert [effect.line for effect in found] == [
        "Box r: is deleted. Everything that runs on it ends.",
        "node pool blue: is deleted. Its nodes go, and jobs on them end.",
        "Drawer r: is deleted. What is stored there is lost.",
    ]


def test_reviews_know_what_its_pools_cost() -> None:
    inputs = {"label": "blue", "shape": "brick", "count": 3}
    ours, lent, unknown = cost_changes(
        [gone("toy:index:Blocks", {**inputs, **more}) for more in ({}, {"lent": True}, {"shape": "ball"})], []
    )
    assert [each.before and each.before.a_month for each in (ours, lent, unknown)] == [
        (6 * HOURS_A_MONTH, 6 * HOURS_A_MONTH),
        (3 * HOURS_A_MONTH, 3 * HOURS_A_MONTH),
        None,
    ]
