"""A cloud is one row: its types stand in its own folder, and what its row says is so in its SDK."""

import re
import subprocess
from dataclasses import fields
from importlib import import_module
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.clouds.registry import CLOUDS, CloudRow
from pulumi_slurm.clouds.replacements import replaced_inputs
from pulumi_slurm.clouds.resources import CloudResources, NodePoolResource
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.machines.catalogue import CatalogueSpec
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from tests.fresh_python import modules_after
from tests.unit.policies.test_fields import names_in_the_sdk

each_cloud = pytest.mark.parametrize("row", CLOUDS, ids=lambda row: row.key)


def sdk_of(row: CloudRow) -> str:
    """Return how its SDK begins the types of resources: "gcp"."""
    return row.sdk.removeprefix("pulumi_")


def resources_of(row: CloudRow) -> CloudResources:
    resources: CloudResources = import_module(row.resources).RESOURCES
    return resources


@each_cloud
def test_no_type_of_a_cloud_stands_outside_its_folder(row: CloudRow) -> None:
    a_type = re.compile(rf"\b{sdk_of(row)}:\w+(/\w+)?:[A-Z]\w*")
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    elsewhere = [
        file
        for file in listed.stdout.splitlines()
        if not file.startswith(("tests/", f"components/pulumi_slurm/{row.key}/"))
    ]
    assert len(elsewhere) > 500
    found = [f"{file}: {one[0]}" for file in elsewhere for one in a_type.finditer((CHECKOUT / file).read_text())]
    assert found == []


@each_cloud
def test_a_row_has_all_that_reviews_and_policies_ask_for(row: CloudRow) -> None:
    resources, cloud = resources_of(row), import_module(row.definition).CLOUD
    for described, kind in ((resources, CloudResources), (resources.node_pool, NodePoolResource), (cloud, Cloud)):
        assert isinstance(described, kind)
        assert [field.name for field in fields(kind) if getattr(described, field.name) is None] == []
    types = {resources.cluster, resources.node_pool.type, *resources.stores}
    assert {one.partition(":")[0] for one in types} == {sdk_of(row)}


@each_cloud
def test_its_sdk_has_the_inputs_that_its_row_names(row: CloudRow) -> None:
    pool = resources_of(row).node_pool
    paths = (pool.name, pool.zones, pool.fixed_nodes, *pool.machine, *pool.taints, *pool.nodes_stay, *pool.not_judged)
    words = {word for path in paths if isinstance(path, str) for word in path.split(".") if word}
    assert words <= names_in_the_sdk(pool.type)
    resources = resources_of(row)
    for kind in resources.stores:
        assert names_in_the_sdk(kind)
    every_name: set[str] = set()
    for kind in replaced_inputs():
        if kind.startswith(resources.sdk):
            names = names_in_the_sdk(kind)
            assert {word for item in replaced_inputs()[kind] for word in item.path.split(".")} <= names, kind
            in_place = [*resources.unnoticed.get(kind, ()), *resources.grows.get(kind, ())]
            assert {word for path in in_place for word in path.split(".")} <= names, kind
            every_name |= names
    assert resources.unnoticed.keys() - {"*"} <= replaced_inputs().keys()
    assert resources.unnoticed["*"] <= every_name


@each_cloud
def test_what_is_made_anew_is_not_said_to_go_unnoticed(row: CloudRow) -> None:
    resources = resources_of(row)
    for kind, inputs in replaced_inputs().items():
        assert not {item.path for item in inputs} & resources.unnoticed.get(kind, frozenset()), kind


CATALOGUES: dict[str, type[CatalogueSpec[Any, Any]]] = {"gke": GkeCatalogueSpec, "ack": AckCatalogueSpec}


@each_cloud
def test_prices_are_those_of_its_catalogue(row: CloudRow) -> None:
    cloud: Cloud[Any, Any] = import_module(row.definition).CLOUD
    for name, machine in CATALOGUES[row.key].built_in_types().items():
        told, price = cloud.price_of(name, None, ""), machine.price
        if price:
            assert (told.on_demand, told.spot, told.region, told.as_of) == (
                *(price.on_demand, price.spot),
                *(price.region, price.as_of),
            )
            assert re.fullmatch("[A-Z]{3}", told.currency)
    assert cloud.price_of("none.such", None, "").on_demand is None


@each_cloud
def test_its_resources_are_known_without_its_models(row: CloudRow) -> None:
    (loaded,) = modules_after(f"import {row.resources}")
    of_it = {name for name in loaded if name.startswith(f"pulumi_slurm.{row.key}")}
    assert of_it == {f"pulumi_slurm.{row.key}", row.resources}
    assert "pydantic" not in loaded
