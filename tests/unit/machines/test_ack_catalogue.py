"""ACK's instance types: facts from Alibaba's pages, what holds for all of them, and what users change."""

import re
from collections import Counter
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import SpecError
from pulumi_slurm.machines.ack import (
    AckCatalogueSpec,
    AckEnisSpec,
    AckFabric,
    AckMachineTypeSpec,
    AckPriceSpec,
    Architecture,
)
from pulumi_slurm.machines.ack.cpu_types import cpu_types
from pulumi_slurm.machines.ack.gpu_types import gpu_types
from pulumi_slurm.machines.ack.prices import of_type

CATALOGUE = AckCatalogueSpec()
EVERY_TYPE = [*cpu_types(), *gpu_types()]
TODAY = {"currency": "USD", "region": "ap-southeast-1", "asOf": "2026-11-01"}


@pytest.mark.parametrize(
    ("name", "vcpus", "gib", "nvidia_name", "gb", "gpus", "gres_type"),
    [
        ("ecs.gn6i-c4g1.xlarge", 4, 15, "T4", 16, 1, "t4"),
        ("ecs.gn6v-c10g1.20xlarge", 82, 336, "V100", 16, 8, "v100"),
        ("ecs.gn6e-c12g1.24xlarge", 96, 736, "V100", 32, 8, "v100"),
        ("ecs.gn7-c13g1.26xlarge", 104, 756, "A100", 40, 8, "a100"),
        ("ecs.gn7e-c16g1.32xlarge", 128, 1000, "A100", 80, 8, "a100"),
        ("ecs.gn7i-c56g1.14xlarge", 56, 346, "A10", 24, 1, "a10"),
        ("ecs.gn7i-8x.16xlarge", 64, 256, "A10", 24, 8, "a10"),
        ("ecs.gn7s-c32g1.32xlarge", 128, 1000, "A30", 24, 4, "a30"),
        ("ecs.gn8is-8x.32xlarge", 128, 1024, "L20", 48, 8, "l20"),
        ("ecs.gn8v-8x.48xlarge", 192, 1024, "H20", 96, 8, "h20"),
        ("ecs.ebmgn7.26xlarge", 104, 768, "A100", 40, 8, "a100"),
        ("ecs.ebmgn7e.32xlarge", 128, 1024, "A100", 80, 8, "a100"),
        ("ecs.ebmgn7ex.32xlarge", 128, 1024, "A100", 80, 8, "a100"),
        ("ecs.ebmgn7ix.32xlarge", 128, 512, "A10", 24, 8, "a10"),
        ("ecs.ebmgn8ia.64xlarge", 256, 1536, "L20", 48, 4, "l20"),
        ("ecs.ebmgn8v.48xlarge", 192, 1024, "H20", 96, 8, "h20"),
    ],
)
def test_gpu_types(name: str, vcpus: int, gib: float, nvidia_name: str, gb: float, gpus: int, gres_type: str) -> None:
    ecs_type = CATALOGUE.find(name)
    assert ecs_type.gpus
    assert (ecs_type.vcpus, ecs_type.memory_gib) == (vcpus, gib)
    gpu = ecs_type.gpus
    assert (gpu.nvidia_name, gpu.memory_gb, gpu.count, gpu.gres_type) == (nvidia_name, gb, gpus, gres_type)


@pytest.mark.parametrize(
    ("name", "vcpus", "gib"),
    [
        ("ecs.g7.large", 2, 8),
        ("ecs.c7.3xlarge", 12, 24),
        ("ecs.r7.32xlarge", 128, 1024),
        ("ecs.g8i.48xlarge", 192, 1024),
        ("ecs.c8i.48xlarge", 192, 512),
        ("ecs.r8i.32xlarge", 128, 1024),
        ("ecs.g9i.48xlarge", 192, 768),
        ("ecs.g8a.48xlarge", 192, 768),
        ("ecs.r8a.48xlarge", 192, 1536),
        ("ecs.c8ae.32xlarge", 128, 256),
        ("ecs.g8y.32xlarge", 128, 512),
        ("ecs.hfc7.24xlarge", 96, 192),
        ("ecs.hfr8i.32xlarge", 128, 1024),
        ("ecs.i4.xlarge", 4, 32),
        ("ecs.ebmg7.32xlarge", 128, 512),
        ("ecs.ebmg8i.48xlarge", 192, 1024),
    ],
)
def test_types_without_gpus(name: str, vcpus: int, gib: float) -> None:
    ecs_type = CATALOGUE.find(name)
    assert (ecs_type.vcpus, ecs_type.memory_gib, ecs_type.gpus) == (vcpus, gib, None)


@pytest.mark.parametrize("name", ["ecs.g7.48xlarge", "ecs.c8i.32xlarge", "ecs.r8i.24xlarge", "ecs.g8a.3xlarge"])
def test_sizes_that_their_family_does_not_have(name: str) -> None:
    with pytest.raises(PydanticCustomError, match="the catalogue has no such instance type"):
        CATALOGUE.find(name)


def test_names_are_unique_and_of_the_form_of_ecs() -> None:
    assert [name for name, times in Counter(ecs_type.name for ecs_type in EVERY_TYPE).items() if times > 1] == []
    for ecs_type in EVERY_TYPE:
        assert re.fullmatch(r"ecs\.[a-z0-9-]+\.(large|xlarge|[1-9][0-9]*xlarge)", ecs_type.name), ecs_type.name
    assert [ecs_type.name for ecs_type in sorted(EVERY_TYPE, key=lambda ecs_type: ecs_type.name)] == CATALOGUE.names()


def test_the_size_tells_the_vcpus_but_for_one() -> None:
    others = set()
    for ecs_type in EVERY_TYPE:
        size = ecs_type.name.split(".")[2]
        vcpus = 2 if size == "large" else 4 * int(size.removesuffix("xlarge") or 1)
        if vcpus != ecs_type.vcpus:
            others.add(ecs_type.name)
    assert others == {"ecs.gn6v-c10g1.20xlarge"}


def test_every_gpu_type_has_a_short_gres_in_lower_case() -> None:
    for ecs_type in gpu_types():
        assert ecs_type.gpus, ecs_type.name
        assert re.fullmatch(r"[a-z][a-z0-9]{1,3}", ecs_type.gpus.gres_type), ecs_type.name
        assert ecs_type.gpus.gres_type == ecs_type.gpus.nvidia_name.lower(), ecs_type.name
        assert ecs_type.gpus.count in {1, 2, 4, 8}, ecs_type.name


def test_a_family_has_one_kind_of_gpu_and_one_network() -> None:
    families: dict[str, set[tuple[str, float, AckFabric]]] = {}
    for ecs_type in gpu_types():
        assert ecs_type.gpus
        families.setdefault(ecs_type.family, set()).add(
            (ecs_type.gpus.nvidia_name, ecs_type.gpus.memory_gb, ecs_type.fabric)
        )
    assert [family for family, kinds in families.items() if len(kinds) > 1] == []


def test_every_type_is_consistent() -> None:
    for ecs_type in EVERY_TYPE:
        assert AckMachineTypeSpec.model_validate(ecs_type.model_dump(mode="json", by_alias=True)) == ecs_type
        assert ecs_type.bare_metal == ecs_type.family.startswith("ebm"), ecs_type.name
        assert bool(ecs_type.gpus) == ("gn" in ecs_type.family), ecs_type.name
        assert bool(ecs_type.local_disks.count) == bool(ecs_type.local_disks.gib_each), ecs_type.name
        assert 1 <= ecs_type.memory_gib / ecs_type.vcpus <= 12, ecs_type.name
        assert ecs_type.zones == []


def test_arm_and_single_threads() -> None:
    arm = {ecs_type.family for ecs_type in EVERY_TYPE if ecs_type.architecture is Architecture.ARM64}
    assert arm == {"c8y", "g8y", "r8y"}
    assert {ecs_type.family for ecs_type in EVERY_TYPE if ecs_type.threads_per_core == 1} == arm


def test_erdma_is_where_the_pages_name_it() -> None:
    with_it = {ecs_type.family for ecs_type in EVERY_TYPE if ecs_type.fabric is AckFabric.ERDMA}
    assert {"g8i", "g8a", "g8y", "g9i", "hfc8i", "gn8is", "gn8v", "ebmgn7ex", "ebmgn7ix", "ebmgn8v"} <= with_it
    assert with_it.isdisjoint({"g7", "hfg7", "hfr8i", "ebmg7", "gn6v", "gn7", "gn7e", "gn7i", "ebmgn7e", "ebmgn7i"})


@pytest.mark.parametrize(
    ("name", "count", "gib_each"), [("ecs.i4.large", 1, 447), ("ecs.i4.32xlarge", 8, 3576), ("ecs.g7.large", 0, 0)]
)
def test_local_disks(name: str, count: int, gib_each: int) -> None:
    disks = CATALOGUE.find(name).local_disks
    assert (disks.count, disks.gib_each) == (count, gib_each)


@pytest.mark.parametrize(
    ("name", "count", "addresses"),
    [
        ("ecs.g7.4xlarge", 8, 30),
        ("ecs.g8i.3xlarge", 8, 15),
        ("ecs.g8a.48xlarge", 15, 50),
        ("ecs.hfc7.3xlarge", 6, 15),
        ("ecs.hfg8i.32xlarge", 15, 50),
        ("ecs.ebmg7.32xlarge", 32, 20),
        ("ecs.gn7e-c16g1.32xlarge", 16, 15),
        ("ecs.gn7s-c48g1.12xlarge", 8, 8),
    ],
)
def test_network_interfaces(name: str, count: int, addresses: int) -> None:
    assert CATALOGUE.find(name).enis == AckEnisSpec(count=count, addresses=addresses)


def test_what_has_to_be_asked_for() -> None:
    by_request = {ecs_type.name for ecs_type in EVERY_TYPE if ecs_type.by_request}
    assert {"ecs.g8y.32xlarge", "ecs.r8i.16xlarge", "ecs.gn8v.4xlarge", "ecs.gn7s-c8g1.2xlarge"} <= by_request
    assert by_request.isdisjoint({"ecs.g8y.16xlarge", "ecs.r8i.12xlarge", "ecs.gn7e-c16g1.4xlarge"})


@pytest.mark.parametrize(
    ("name", "yuan"),
    [
        ("ecs.g7.large", 0.52325),
        ("ecs.g7.32xlarge", 33.488),
        ("ecs.r7.large", 0.696221),
        ("ecs.r8a.large", 0.6797),
        ("ecs.r8a.32xlarge", 43.5024),
        ("ecs.r8ae.8xlarge", 12.402),
        ("ecs.c8y.16xlarge", 8.541867),
        ("ecs.hfc7.24xlarge", 22.6),
        ("ecs.hfr8i.32xlarge", 51.4647),
        ("ecs.i4.large", 0.957292),
        ("ecs.ebmg8i.48xlarge", 60.508667),
        ("ecs.gn7i-c8g1.2xlarge", 9.5326),
        ("ecs.gn7e-c16g1.4xlarge", 34.742),
        ("ecs.ebmgn7ex.32xlarge", 270.8333),
    ],
)
def test_list_prices(name: str, yuan: float) -> None:
    price = CATALOGUE.find(name).price
    assert price
    assert (price.currency, price.region, price.as_of) == ("CNY", "cn-beijing", date(2024, 12, 30))
    assert price.on_demand == pytest.approx(yuan, rel=1e-4)
    assert price.spot is None


@pytest.mark.parametrize(
    ("name", "vcpus", "region", "yuan"),
    [
        # By the file that tools/ack_prices.py reads, on the day that stands in `list.prices`.
        ("ecs.g7.2xlarge", 8, "ap-northeast-1", 2.76879),
        ("ecs.g8i.large", 2, "ap-southeast-7", 0.7146),
        ("ecs.g8i.48xlarge", 192, "cn-beijing", None),
        ("ecs.gn7i-c8g1.2xlarge", 8, "ap-southeast-1", 18.065),
        ("ecs.gn7i-c8g1.2xlarge", 8, "cn-nanjing", None),
        ("ecs.g7.2xlarge", 8, "cn-qingdao", None),
        ("ecs.g7.2xlarge", 8, "moon-east-1", None),
    ],
)
def test_list_prices_by_region(name: str, vcpus: int, region: str, yuan: float | None) -> None:
    price = of_type(name, vcpus, region)
    assert (price and price.on_demand) == (yuan if yuan is None else pytest.approx(yuan, rel=1e-3))
    assert price is None or price.region == region


@pytest.mark.parametrize(
    "name",
    ["ecs.g8i.48xlarge", "ecs.r8i.16xlarge", "ecs.g9i.large", "ecs.gn6e-c12g1.6xlarge", "ecs.gn8v.4xlarge"],
)
def test_a_price_that_could_not_be_read_is_none(name: str) -> None:
    assert CATALOGUE.find(name).price is None


def test_within_a_family_the_price_grows_with_the_size() -> None:
    families: dict[str, list[tuple[int, float]]] = {}
    for ecs_type in cpu_types():
        if ecs_type.price and ecs_type.price.on_demand:
            families.setdefault(ecs_type.family, []).append((ecs_type.vcpus, ecs_type.price.on_demand))
    assert len(families) > 20
    for prices in families.values():
        prices.sort()
        assert all(small[1] < large[1] for small, large in pairwise(prices))


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("ecs.g8i.5xlarge", '"ecs.g8i.'),
        ("g8i.4xlarge", '"ecs.g8i.4xlarge"'),
        ("ecs.gn7e-c12g1.4xlarge", '"ecs.gn7e-c16g1.4xlarge"'),
        ("ecs.ebmgn7ex.16xlarge", '"ecs.ebmgn7ex.32xlarge"'),
        ("nonsense", "add it to machineTypes"),
    ],
)
def test_an_unknown_type_names_the_nearest(name: str, fix: str) -> None:
    with pytest.raises(PydanticCustomError, match="the catalogue has no such instance type") as caught:
        CATALOGUE.find(name)
    assert fix in str(caught.value)


def test_a_user_adds_a_type_and_replaces_one() -> None:
    gpus = {"nvidiaName": "H800", "memoryGb": 80, "count": 8, "gresType": "h800"}
    config = {
        "machineTypes": [
            {"name": "ecs.c9ae.32xlarge", "vcpus": 128, "memoryGib": 256, "enis": {"count": 15, "addresses": 30}},
            {"name": "ecs.ebmgn8v.48xlarge", "vcpus": 192, "memoryGib": 1024, "gpus": gpus},
        ],
        "prices": {"ecs.c9ae.32xlarge": {"onDemand": 3.1, **TODAY}},
    }
    catalogue = AckCatalogueSpec.model_validate(config)
    assert catalogue.find("ecs.c9ae.32xlarge").price == AckPriceSpec(
        on_demand=3.1, currency="USD", region="ap-southeast-1", as_of=date(2026, 11, 1)
    )
    replaced = catalogue.find("ecs.ebmgn8v.48xlarge")
    assert replaced.gpus
    assert (replaced.gpus.gres_type, replaced.fabric) == ("h800", AckFabric.NONE)
    assert {*catalogue.names()} - {*CATALOGUE.names()} == {"ecs.c9ae.32xlarge"}


def test_a_user_states_prices_and_zones() -> None:
    name = "ecs.gn7i-c8g1.2xlarge"
    catalogue = AckCatalogueSpec.model_validate(
        {"prices": {name: {"onDemand": 2.5, "spot": 0.4, **TODAY}}, "zones": {name: ["ap-southeast-1a"]}}
    )
    ecs_type = catalogue.find(name)
    assert ecs_type.price
    assert (ecs_type.price.on_demand, ecs_type.price.spot, ecs_type.price.currency) == (2.5, 0.4, "USD")
    assert ecs_type.zones == ["ap-southeast-1a"]
    assert CATALOGUE.find(name).zones == []


def test_all_errors_of_a_catalogue_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        AckCatalogueSpec(prices={"ecs.g7.9xlarge": TODAY}, zones={"ecs.gn7i-c8g1.xlarge": ["cn-beijing-l"]})
    text = str(caught.value)
    assert 'prices["ecs.g7.9xlarge"]' in text
    assert 'zones["ecs.gn7i-c8g1.xlarge"]' in text
    assert '"ecs.gn7i-c8g1.2xlarge"' in text


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"name": "g7.large"}, "machine_types[0].name"),
        ({"name": "ecs.g7"}, "machine_types[0].name"),
        ({"name": "ecs.G7.large"}, "machine_types[0].name"),
        ({"name": "ecs.g7.0xlarge"}, "machine_types[0].name"),
        ({"memoryGib": 0}, "machine_types[0].memory_gib"),
        ({"memory": "32Gi"}, "machine_types[0].memory"),
        (
            {"gpus": {"nvidiaName": "A10", "memoryGb": 24, "count": 1, "gresType": "a10,"}},
            "machine_types[0].gpus.gres_type",
        ),
        ({"gpus": {"type": "A10", "memoryGb": 24, "count": 1, "gresType": "a10"}}, "machine_types[0].gpus.type"),
        ({"gpus": {"nvidiaName": "A10", "memoryGb": 24, "count": 1, "gres": "a10"}}, "machine_types[0].gpus.gres"),
        ({"enis": {"count": 0, "addresses": 6}}, "machine_types[0].enis.count"),
        ({"price": {**TODAY, "currency": "yuan"}}, "machine_types[0].price.currency"),
    ],
)
def test_a_wrong_type_of_the_user(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(SpecError) as caught:
        AckCatalogueSpec(machineTypes=[{"name": "ecs.x9.2xlarge", "vcpus": 8, "memoryGib": 32, **fields}])  # type: ignore[call-arg]
    assert path in str(caught.value)


def test_a_type_that_is_defined_twice() -> None:
    twice = AckMachineTypeSpec(name="ecs.x9.2xlarge", vcpus=8, memory_gib=32)
    with pytest.raises(SpecError, match=r"machine_types\[1\].name"):
        AckCatalogueSpec(machine_types=[twice, twice])
