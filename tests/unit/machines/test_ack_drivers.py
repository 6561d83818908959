"""Which NVIDIA drivers the instance types of ACK take."""

import pytest
from hypothesis import given, strategies as st
from pydantic_core import PydanticCustomError

from pulumi_slurm.machines.ack import AckCatalogueSpec, check_driver

CATALOGUE = AckCatalogueSpec()
A100_40 = ["ecs.gn7-c12g1.3xlarge", "ecs.gn7-c13g1.26xlarge", "ecs.ebmgn7.26xlarge"]


@pytest.mark.parametrize("name", A100_40)
@pytest.mark.parametrize("version", ["510.47.03", "510.108.03", "515.86.01", "515.105.01", "525.105.17"])
def test_gn7_and_ebmgn7_refuse_510_and_515(name: str, version: str) -> None:
    with pytest.raises(PydanticCustomError, match=rf"{name} does not work with drivers 510 and 515") as caught:
        check_driver(CATALOGUE.find(name), version)
    assert "Write 525.125.06 or later" in str(caught.value)


@pytest.mark.parametrize("name", A100_40)
@pytest.mark.parametrize("version", ["470.161.03", "525.125.06", "525.147.05", "535.161.07", "550.144.03", "570.169"])
def test_gn7_and_ebmgn7_take_others(name: str, version: str) -> None:
    assert check_driver(CATALOGUE.find(name), version) == version


@pytest.mark.parametrize("name", ["ecs.gn7e-c16g1.4xlarge", "ecs.gn7i-c8g1.2xlarge", "ecs.ebmgn7ex.32xlarge"])
def test_families_with_similar_names_take_510(name: str) -> None:
    assert check_driver(CATALOGUE.find(name), "510.47.03") == "510.47.03"


@pytest.mark.parametrize("name", ["ecs.ebmgn7.26xlarge", "ecs.ebmgn7e.32xlarge"])
def test_bare_metal_with_a100_needs_a_recent_driver(name: str) -> None:
    with pytest.raises(PydanticCustomError, match=r"needs driver 460\.32\.03 or later"):
        check_driver(CATALOGUE.find(name), "450.102.04")
    assert check_driver(CATALOGUE.find(name), "460.91.03") == "460.91.03"


@given(st.integers(510, 519), st.integers(0, 999), st.integers(0, 99))
def test_no_510_or_515_of_any_kind(first: int, second: int, third: int) -> None:
    with pytest.raises(PydanticCustomError):
        check_driver(CATALOGUE.find("ecs.ebmgn7.26xlarge"), f"{first}.{second}.{third:02}")


@pytest.mark.parametrize("version", ["510", "v550.144.03", "550.144.03 ", "550.x", "latest", ""])
def test_half_a_version(version: str) -> None:
    with pytest.raises(PydanticCustomError, match="not the version of an NVIDIA driver"):
        check_driver(CATALOGUE.find("ecs.gn7i-c8g1.2xlarge"), version)


def test_a_machine_without_gpus_has_no_driver() -> None:
    with pytest.raises(PydanticCustomError, match=r"ecs\.g7\.large has no GPU"):
        check_driver(CATALOGUE.find("ecs.g7.large"), "550.144.03")
