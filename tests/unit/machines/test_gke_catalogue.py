"""GKE's machine types: facts from Google's pages, what holds for all of them, and what users change."""

from datetime import date
from typing import Any

import pytest
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import SpecError
from pulumi_slurm.machines.gke import (
    Architecture,
    DeviceMode,
    ExtraVpcs,
    GkeCatalogueSpec,
    GkeFabric,
    GkeGpuSpec,
    GkeMachineTypeSpec,
    GkePriceSpec,
    extra_vpcs,
    primary_mtu,
)

CATALOGUE = GkeCatalogueSpec()
EVERY_TYPE = [CATALOGUE.find(name) for name in CATALOGUE.names()]
WITH_GPUS = [gce_type for gce_type in EVERY_TYPE if gce_type.gpus]
TODAY = {"region": "europe-west4", "asOf": "2026-10-01"}


@pytest.mark.parametrize(
    ("name", "vcpus", "gib", "google_type", "gpus", "gres_type", "ssds"),
    [
        ("g2-standard-4", 4, 16, "nvidia-l4", 1, "l4", [0, 1]),
        ("g2-standard-96", 96, 384, "nvidia-l4", 8, "l4", [0, 8]),
        ("g4-standard-384", 384, 1440, "nvidia-rtx-pro-6000", 8, "rtx_pro_6000", [0, 32]),
        ("a2-highgpu-8g", 96, 680, "nvidia-tesla-a100", 8, "a100", [0, 8]),
        ("a2-megagpu-16g", 96, 1360, "nvidia-tesla-a100", 16, "a100", [0, 8]),
        ("a2-ultragpu-8g", 96, 1360, "nvidia-a100-80gb", 8, "a100", [8]),
        ("a3-highgpu-1g", 26, 234, "nvidia-h100-80gb", 1, "h100", [2]),
        ("a3-highgpu-8g", 208, 1872, "nvidia-h100-80gb", 8, "h100", [16]),
        ("a3-megagpu-8g", 208, 1872, "nvidia-h100-mega-80gb", 8, "h100", [16]),
        ("a3-ultragpu-8g", 224, 2952, "nvidia-h200-141gb", 8, "h200", [32]),
        ("a4-highgpu-8g", 224, 3968, "nvidia-b200", 8, "b200", [32]),
        ("a4x-highgpu-4g", 140, 884, "nvidia-gb200", 4, "gb200", [4]),
    ],
)
def test_gpu_types(
    name: str, vcpus: int, gib: float, google_type: str, gpus: int, gres_type: str, ssds: list[int]
) -> None:
    gce_type = CATALOGUE.find(name)
    assert gce_type.gpus
    assert (gce_type.vcpus, gce_type.memory_gib, gce_type.local_ssd.counts) == (vcpus, gib, ssds)
    assert gce_type.gpus == GkeGpuSpec(google_type=google_type, count=gpus, gres_type=gres_type)


@pytest.mark.parametrize(
    ("name", "gib"),
    [
        ("n1-standard-1", 3.75),
        ("n1-highcpu-96", 86.4),
        ("n2-standard-8", 32),
        ("n2-highmem-128", 864),
        ("c3d-highcpu-360", 708),
        ("c4-standard-2", 7),
        ("c4d-highmem-384", 3024),
        ("c4n-standard-2", 7),
        ("c4n-standard-192", 720),
        ("c4n-highmem-192", 1488),
        ("c4n-highcpu-192", 384),
        ("h3-standard-88", 352),
        ("h4d-standard-192", 720),
        ("m3-ultramem-128", 3904),
    ],
)
def test_memory_of_types_without_gpus(name: str, gib: float) -> None:
    assert CATALOGUE.find(name).memory_gib == gib


def test_arm_and_single_threads() -> None:
    assert {gce_type.name.split("-")[0] for gce_type in EVERY_TYPE if gce_type.architecture is Architecture.ARM64} == {
        *{"a4x", "c4a", "n4a", "t2a"}
    }
    assert {
        gce_type.name.split("-")[0] for gce_type in EVERY_TYPE if gce_type.threads_per_core == 1 and gce_type.vcpus > 1
    } == {*{"a4x", "c4a", "h3", "h4d", "n4a", "t2a", "t2d"}}


def test_every_gpu_type_has_a_label_and_a_short_gres() -> None:
    for gce_type in WITH_GPUS:
        assert gce_type.gpus
        assert gce_type.gpus.google_type.startswith("nvidia-"), gce_type.name
        assert gce_type.gpus.gres_type.replace("_", "-") in gce_type.gpus.google_type, gce_type.name


def test_every_type_is_consistent() -> None:
    for gce_type in EVERY_TYPE:
        assert GkeMachineTypeSpec.model_validate(gce_type.model_dump(mode="json", by_alias=True)) == gce_type
        assert gce_type.local_ssd.counts == sorted(set(gce_type.local_ssd.counts)), gce_type.name
        assert not gce_type.name.endswith("-lssd") or gce_type.local_ssd.counts[0] > 0, gce_type.name
        assert not gce_type.compact_flex_start or (gce_type.compact_placement and gce_type.flex_start), gce_type.name
        if gce_type.price and gce_type.price.on_demand and gce_type.price.spot:
            assert 0 < gce_type.price.spot < gce_type.price.on_demand, gce_type.name


def test_within_a_family_the_price_grows_with_the_size() -> None:
    sized: dict[str, list[GkeMachineTypeSpec]] = {}
    for gce_type in EVERY_TYPE:
        if not gce_type.gpus and gce_type.price:
            series, shape, _, *suffix = gce_type.name.split("-")
            sized.setdefault("-".join([series, shape, *suffix]), []).append(gce_type)
    for family in sized.values():
        family.sort(key=lambda gce_type: gce_type.vcpus)
        on_demand = [gce_type.price.on_demand for gce_type in family if gce_type.price]
        assert on_demand == sorted(set(on_demand), key=lambda price: price or 0)


@pytest.mark.parametrize(
    ("name", "on_demand", "spot"),
    [
        ("a2-highgpu-1g", 3.673385, 1.92802),
        ("a3-highgpu-8g", 88.49, 50.609541),
        ("e2-standard-4", 0.134023, 0.080424),
        ("n1-standard-8", 0.379998, 0.13402),
        ("c3-standard-88-lssd", 5.092910, 1.438581),
        ("a3-ultragpu-8g", 84.806908, None),
    ],
)
def test_list_prices(name: str, on_demand: float, spot: float | None) -> None:
    price = CATALOGUE.find(name).price
    assert price
    assert price.region == "us-central1"
    assert price.on_demand == pytest.approx(on_demand, abs=1e-5)
    if spot is not None:
        assert price.spot == pytest.approx(spot, abs=1e-5)


@pytest.mark.parametrize("name", ["a4-highgpu-8g", "a4x-highgpu-4g", "h4d-standard-192"])
def test_a_price_that_could_not_be_read_is_none(name: str) -> None:
    assert CATALOGUE.find(name).price is None


@pytest.mark.parametrize(
    ("name", "vpcs", "subnets", "mtu", "profile"),
    [
        ("g2-standard-96", [], [], None, []),
        ("a3-highgpu-4g", [], [], None, []),
        ("a3-highgpu-8g", [4], [1], 8244, [None]),
        ("a3-megagpu-8g", [8], [1], 8244, [None]),
        ("a3-ultragpu-8g", [1, 1], [1, 8], 8896, [None, "vpc-roce"]),
        ("a4-highgpu-8g", [1, 1], [1, 8], 8896, [None, "vpc-roce"]),
        ("h4d-standard-192", [1], [1], None, ["vpc-falcon"]),
    ],
)
def test_networks(name: str, vpcs: list[int], subnets: list[int], mtu: int | None, profile: list[str | None]) -> None:
    gce_type = CATALOGUE.find(name)
    extra = extra_vpcs(gce_type)
    assert [vpc.vpcs for vpc in extra] == vpcs
    assert [vpc.subnets for vpc in extra] == subnets
    assert [vpc.profile for vpc in extra] == profile
    assert {vpc.mtu for vpc in extra} <= {mtu}
    assert primary_mtu(gce_type) == mtu
    assert all((vpc.device_mode is DeviceMode.RDMA) == (vpc.profile is not None) for vpc in extra)


def test_networks_of_a_type_that_the_user_adds() -> None:
    added = GkeMachineTypeSpec(name="h9-standard-8", vcpus=8, memory_gib=32, fabric=GkeFabric.ROCE)
    assert extra_vpcs(added)[1] == ExtraVpcs(1, 1, DeviceMode.RDMA, mtu=8896, profile="vpc-roce")


@pytest.mark.parametrize("name", [gce_type.name for gce_type in EVERY_TYPE if gce_type.compact_flex_start])
def test_flex_start_with_compact_placement(name: str) -> None:
    assert name.startswith(("a3-ultragpu-", "a4-", "h4d-"))


@pytest.mark.parametrize("count", [1, 2, 4])
def test_t4_on_n1(count: int) -> None:
    gce_type = CATALOGUE.with_gpus("n1-standard-8", "nvidia-tesla-t4", count)
    assert gce_type.gpus
    assert gce_type.gpus == GkeGpuSpec(google_type="nvidia-tesla-t4", count=count, gres_type="t4")
    assert gce_type.price
    assert gce_type.price.on_demand == pytest.approx(0.379998 + 0.35 * count, abs=1e-5)
    assert gce_type.price.spot is None


@pytest.mark.parametrize(
    ("name", "accelerator", "count", "problem"),
    [
        ("n1-standard-8", "nvidia-tesla-t4", 3, "Write one of: 1, 2, 4."),
        ("n1-standard-8", "nvidia-tesla-t40", 1, 'Did you mean "nvidia-tesla-t4"?'),
        ("n1-standard-16", "nvidia-tesla-v100", 1, "12 vCPUs and 78 GiB at most, and n1-standard-16 has 16 and 60"),
        ("n2-standard-8", "nvidia-tesla-t4", 1, "N1 machines only"),
        ("g2-standard-4", "nvidia-tesla-t4", 1, "comes with 1 x nvidia-l4"),
        ("n1-standard-7", "nvidia-tesla-t4", 1, "the catalogue has no such machine type"),
    ],
)
def test_gpus_that_can_not_be_attached(name: str, accelerator: str, count: int, problem: str) -> None:
    with pytest.raises(PydanticCustomError) as caught:
        CATALOGUE.with_gpus(name, accelerator, count)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("a3-highgpu-8", '"a3-highgpu-8g"'),
        ("a3-mega-8g", '"a3-megagpu-8g"'),
        ("n2-standard-6", '"n2-standard-'),
        ("nonsense", "add it to machineTypes"),
    ],
)
def test_an_unknown_type_names_the_nearest(name: str, fix: str) -> None:
    with pytest.raises(PydanticCustomError, match="the catalogue has no such machine type") as caught:
        CATALOGUE.find(name)
    assert fix in str(caught.value)


def test_a_user_adds_a_type_and_replaces_one() -> None:
    config = {
        "machineTypes": [
            {"name": "z3-highmem-88", "vcpus": 88, "memoryGib": 704},
            {"name": "a4-highgpu-8g", "vcpus": 224, "memoryGib": 3968, "gpus": _gpus("nvidia-b200", 8, "b200")},
        ],
        "prices": {"z3-highmem-88": {"onDemand": 3.1, **TODAY}},
    }
    catalogue = GkeCatalogueSpec.model_validate(config)
    assert catalogue.find("z3-highmem-88").price == GkePriceSpec(
        on_demand=3.1, region="europe-west4", as_of=date(2026, 10, 1)
    )
    assert catalogue.find("a4-highgpu-8g").fabric is GkeFabric.NONE
    assert {*catalogue.names()} - {*CATALOGUE.names()} == {"z3-highmem-88"}


def test_a_user_states_prices_and_zones() -> None:
    catalogue = GkeCatalogueSpec.model_validate(
        {
            "prices": {"n1-standard-8": {"onDemand": 0.4, "spot": 0.1, **TODAY}},
            "gpuPrices": {"nvidia-tesla-p100": {"onDemand": 1.5, "spot": 0.5, **TODAY}},
            "zones": {"n1-standard-8": ["europe-west4-a"]},
        }
    )
    gce_type = catalogue.with_gpus("n1-standard-8", "nvidia-tesla-p100", 2)
    assert gce_type.price == GkePriceSpec(on_demand=3.4, spot=1.1, region="europe-west4", as_of=date(2026, 10, 1))
    assert gce_type.zones == ["europe-west4-a"]
    assert catalogue.with_gpus("n1-standard-8", "nvidia-tesla-t4", 1).price is None, (
        "prices of two regions don't add up"
    )
    assert CATALOGUE.find("n1-standard-8").zones == []


def test_all_errors_of_a_catalogue_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        GkeCatalogueSpec(
            prices={"a3-highgpu-8": TODAY},
            gpu_prices={"nvidia-l4": TODAY},
            zones={"g2-standard-5": ["us-central1-a"]},
        )
    text = str(caught.value)
    assert 'prices["a3-highgpu-8"]' in text
    assert 'gpu_prices["nvidia-l4"]' in text
    assert 'zones["g2-standard-5"]' in text
    assert '"g2-standard-4"' in text


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"name": "N2-Standard-8"}, "machine_types[0].name"),
        ({"memoryGib": 0}, "machine_types[0].memory_gib"),
        ({"memory": "32Gi"}, "machine_types[0].memory"),
        ({"gpus": {"googleType": "nvidia-l4", "count": 1, "gresType": "l4,"}}, "machine_types[0].gpus.gres_type"),
        ({"gpus": {"type": "nvidia-l4", "count": 1, "gresType": "l4"}}, "machine_types[0].gpus.type"),
        ({"gpus": {"googleType": "nvidia-l4", "count": 1, "gres": "l4"}}, "machine_types[0].gpus.gres"),
        ({"localSsd": {"counts": []}}, "machine_types[0].local_ssd.counts"),
    ],
)
def test_a_wrong_type_of_the_user(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(SpecError) as caught:
        GkeCatalogueSpec(machineTypes=[{"name": "x9-standard-8", "vcpus": 8, "memoryGib": 32, **fields}])  # type: ignore[call-arg]
    assert path in str(caught.value)


def test_a_type_that_is_defined_twice() -> None:
    twice = GkeMachineTypeSpec(name="x9-standard-8", vcpus=8, memory_gib=32)
    with pytest.raises(SpecError, match=r"machine_types\[1\].name"):
        GkeCatalogueSpec(machine_types=[twice, twice])


def _gpus(google_type: str, count: int, gres_type: str) -> dict[str, Any]:
    return {"googleType": google_type, "count": count, "gresType": gres_type}


@pytest.mark.parametrize(
    ("name", "problem", "fix"),
    [
        ("e2-small", "its cores are shared with other machines", 'Write for example "e2-standard-2".'),
        ("n2-custom-4-8192", "custom", "Add {name: n2-custom-4-8192, vcpus: 4, memoryGib: 8} to machineTypes."),
        ("custom-2-3840", "custom", "Add {name: custom-2-3840, vcpus: 2, memoryGib: 3.75} to machineTypes."),
        ("e2-custom-4-8192-ext", "custom machine types are not built in", "vcpus: 4, memoryGib: 8}"),
        ("z3-highmem-88", "the series z3 is not built in", "Add it to machineTypes, with its vcpus and memoryGib."),
        ("c3-standard-192-metal", "bare metal machines are not built in", "Add it to machineTypes"),
    ],
)
def test_a_machine_that_google_has_is_told_by_what_it_is(name: str, problem: str, fix: str) -> None:
    with pytest.raises(PydanticCustomError, match=problem) as caught:
        GkeCatalogueSpec().find(name)
    assert fix in str(caught.value)


def test_a_custom_machine_can_be_added() -> None:
    catalogue = GkeCatalogueSpec.model_validate(
        {"machineTypes": [{"name": "n2-custom-4-8192", "vcpus": 4, "memoryGib": 8}]}
    )
    assert catalogue.find("n2-custom-4-8192").vcpus == 4
