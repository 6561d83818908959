"""A program that uses one cloud loads no other cloud's SDK, and one that uses none loads none."""

import pytest

from tests.fresh_python import printed

SDKS = ("pulumi_gcp", "pulumi_alicloud")


def loaded(code: str) -> set[str]:
    """Return which of the SDKs, of Pulumi, and of this package's own parts for a cloud, some code loads."""
    parts = (*SDKS, "pulumi", "pulumi_slurm.gke", "pulumi_slurm.ack", "pulumi_slurm.ack_slurm")
    return set(printed(f"import sys\n{code}\nprint(*(name for name in {parts} if name in sys.modules))").split())


def test_importing_the_package_loads_neither_a_cloud_nor_pulumi() -> None:
    assert loaded("import pulumi_slurm, pulumi_slurm.model") == set()


def test_the_package_loads_no_cloud() -> None:
    every_component = "import pulumi_slurm\nfor name in pulumi_slurm.__all__: getattr(pulumi_slurm, name)"
    assert loaded(every_component) == {"pulumi"}


@pytest.mark.parametrize("cloud", ["gke", "ack"])
def test_naming_the_part_for_a_cloud_loads_no_sdk(cloud: str) -> None:
    assert loaded(f"import pulumi_slurm.{cloud}") == {f"pulumi_slurm.{cloud}"}


@pytest.mark.parametrize(("cloud", "sdk"), [("gke", "pulumi_gcp"), ("ack", "pulumi_alicloud")])
def test_all_components_for_a_cloud_load_no_other_cloud(cloud: str, sdk: str) -> None:
    every_component = f"from pulumi_slurm import {cloud}\nfor name in {cloud}.__all__: getattr({cloud}, name)"
    also = {"pulumi_slurm.ack_slurm"} if cloud == "ack" else set()
    assert loaded(every_component) - also == {"pulumi", f"pulumi_slurm.{cloud}", sdk}


def test_components_for_ack_slurm_operator_load_no_sdk_of_a_cloud() -> None:
    every_component = "from pulumi_slurm import ack_slurm\nfor name in ack_slurm.__all__: getattr(ack_slurm, name)"
    assert loaded(every_component) == {"pulumi", "pulumi_slurm.ack_slurm"}
