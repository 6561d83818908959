"""A stack loads neither SDKs nor the code of clouds that it does not use.

Modules are never unloaded: what is missing after a step was not loaded by any step before it either. So one Python
takes several steps, and starting it and loading what they share is paid for once.
"""

import pytest

from devcluster.folders import CHECKOUT
from tests.fresh_python import modules_after

KINDS = ("local", "kubernetes", "gke")
"""In the order in which their configurations are read; what reads that of GKE may load code for it, so it is last."""


@pytest.fixture(scope="module")
def after_reading() -> dict[str, list[str]]:
    """Return the modules loaded after the configuration of each kind of stack was read."""
    first, *others = (f"config_model({name!r})" for name in KINDS)
    imports = "from pulumi_slurm_stacks.config import config_model; import pulumi_slurm_stacks.kubernetes"
    return dict(zip(KINDS, modules_after(f"{imports}; {first}", *others), strict=True))


@pytest.fixture(scope="module")
def of_alibaba_cloud() -> dict[str, list[str]]:
    """Return the modules loaded after the specification was imported, and after the stack's configuration was."""
    specification = "import pulumi_slurm.ack.load, pulumi_slurm.ack.plan.pools, pulumi_slurm.ack.plan.slurm_spec"
    after = modules_after(specification, "import pulumi_slurm_stacks.ack_config")
    return dict(zip(("specification", "configuration"), after, strict=True))


@pytest.mark.parametrize("name", ["local", "kubernetes"])
def test_other_stacks_load_nothing_of_google_clouds(after_reading: dict[str, list[str]], name: str) -> None:
    assert [module for module in after_reading[name] if "gcp" in module or ".gke" in module] == []


def test_reading_a_configuration_loads_no_sdk_of_google(after_reading: dict[str, list[str]]) -> None:
    assert "pulumi_slurm_stacks.gke_config" in after_reading["gke"]
    assert [module for module in after_reading["gke"] if module.startswith("pulumi_gcp")] == []


@pytest.mark.parametrize("name", KINDS)
def test_other_stacks_load_nothing_of_alibaba_cloud(after_reading: dict[str, list[str]], name: str) -> None:
    assert [module for module in after_reading[name] if "alicloud" in module or ".ack" in module] == []


def test_a_specification_is_read_without_pulumi_and_without_any_clouds_sdk(
    of_alibaba_cloud: dict[str, list[str]],
) -> None:
    not_needed = ("pulumi.", "pulumi_alicloud", "pulumi_gcp")
    loaded = of_alibaba_cloud["specification"]
    assert [module for module in loaded if module.startswith(not_needed) or ".gke" in module] == []


def test_reading_a_configuration_loads_no_sdk_of_alibaba_cloud_and_nothing_of_google(
    of_alibaba_cloud: dict[str, list[str]],
) -> None:
    assert [module for module in of_alibaba_cloud["configuration"] if "alicloud" in module or "gke" in module] == []


def test_a_stacks_file_is_checked_without_pulumi_and_other_commands() -> None:
    files = [str(file) for file in sorted(CHECKOUT.glob("Pulumi.*.yaml"))]
    imports = "import contextlib, io; from pulumi_slurm_cli.__main__ import main"
    quietly = f"with contextlib.redirect_stdout(io.StringIO()): main(['check', *{files}])"
    (loaded,) = modules_after(f"{imports}\n{quietly}")
    assert "pulumi_slurm_stacks.gke_config" in loaded
    assert "pulumi_slurm_stacks.ack_config" in loaded
    not_needed = ("pulumi", "pulumi_kubernetes", "pulumi_gcp", "pulumi_alicloud", "grpc", "google")
    assert [module for module in loaded if module.partition(".")[0] in not_needed] == []
    commands = [module for module in loaded if module.startswith("pulumi_slurm_cli.commands.")]
    assert "pulumi_slurm_cli.commands.check" in commands
    assert {"pulumi_slurm_cli.commands.review", "pulumi_slurm_cli.commands.drift"}.isdisjoint(commands)
