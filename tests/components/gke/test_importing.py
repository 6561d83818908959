"""A program that uses Google Cloud alone loads no other cloud's SDK, and one that uses none loads none."""

from tests.fresh_python import printed

SDKS = ("pulumi_gcp", "pulumi_alicloud")


def loaded(code: str) -> set[str]:
    """Return which of the SDKs, and of this package's own parts for a cloud, some code loads."""
    parts = (*SDKS, "pulumi_slurm.gke", "pulumi_slurm.ack")
    return set(printed(f"import sys\n{code}\nprint(*(name for name in {parts} if name in sys.modules))").split())


def test_the_package_loads_no_cloud() -> None:
    every_component = "import pulumi_slurm\nfor name in pulumi_slurm.__all__: getattr(pulumi_slurm, name)"
    assert loaded(every_component) == set()


def test_naming_the_part_for_google_loads_no_sdk() -> None:
    assert loaded("import pulumi_slurm.gke") == {"pulumi_slurm.gke"}


def test_all_components_for_google_load_no_other_cloud() -> None:
    every_component = "from pulumi_slurm import gke\nfor name in gke.__all__: getattr(gke, name)"
    assert loaded(every_component) == {"pulumi_slurm.gke", "pulumi_gcp"}
