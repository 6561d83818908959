"""Which packages a command of the launcher runs with."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from devcluster import bootstrap
from devcluster.environments import Packages
from devcluster.folders import CHECKOUT
from tests.project_metadata import project, pyproject

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("arguments", "packages"),
    [
        (["--stack=local", "up"], Packages.BASE),
        (["--stack=kubernetes", "--context=prod", "preview"], Packages.BASE),
        (["--stack=mine", "up"], Packages.GKE),
        (["--stack=alibaba", "up"], Packages.ACK),
        (["--stack=quoted", "pulumi", "stack output"], Packages.GKE),
        (["--stack=commented", "up"], Packages.BASE),
        (["--stack=unknown", "up"], Packages.BASE),
        (["--stack=local", "test", "-k", "name"], Packages.TESTS),
        (["--stack=local", "lint"], Packages.TESTS),
        (["lint", "types"], Packages.TESTS),
        (["--stack=local", "python", "-m", "pulumi_slurm_stacks.schema"], Packages.TESTS),
    ],
)
def test_a_stack_has_its_clouds_sdk_and_the_tests_have_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], packages: Packages
) -> None:
    for name, line in {
        "local": "slurm:kind: local",
        "kubernetes": "slurm:kind: kubernetes",
        "mine": "slurm:kind: gke",
        "quoted": '"slurm:kind": "gke"',
        "alibaba": "slurm:kind: ack",
        "commented": "# slurm:kind: gke",
    }.items():
        (tmp_path / f"Pulumi.{name}.yaml").write_text(f"config:\n  {line}\n")
    monkeypatch.setattr(bootstrap, "CHECKOUT", tmp_path)
    assert bootstrap.packages(arguments) is packages


def test_only_the_environment_of_a_cloud_has_its_sdk() -> None:
    pins = {
        packages: {line for line in packages.lock.read_text().splitlines() if "==" in line} for packages in Packages
    }
    # No program runs in that of the policy pack.
    del pins[Packages.POLICY]
    sdks = {
        packages: {line.partition("==")[0] for line in packages_of} & {"pulumi-gcp", "pulumi-alicloud"}
        for packages, packages_of in pins.items()
    }
    assert sdks == {
        Packages.BASE: set(),
        Packages.GKE: {"pulumi-gcp"},
        Packages.ACK: {"pulumi-alicloud"},
        Packages.TESTS: {"pulumi-gcp", "pulumi-alicloud"},
    }
    # One version of everything else, so that what is tested is what runs.
    assert all(pins[Packages.BASE] <= packages_of <= pins[Packages.TESTS] for packages_of in pins.values())


def test_requirements_of_the_program_are_those_of_the_package() -> None:
    lines = (CHECKOUT / "requirements.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == project()["dependencies"]


@pytest.mark.parametrize("cloud", ["", "gke", "ack"])
def test_requirements_of_the_plugin_are_those_of_the_package_and_of_one_cloud(cloud: str) -> None:
    lines = (CHECKOUT / "provider" / cloud / "requirements.txt").read_text().splitlines()
    asked = project()["optional-dependencies"][cloud] if cloud else project()["dependencies"]
    assert [line for line in lines if line[0] not in "#-"] == asked
    assert ("-r ../requirements.txt" in lines) == bool(cloud)


def test_requirements_of_the_policy_pack_are_those_of_its_group() -> None:
    lines = (CHECKOUT / "policy" / "requirements.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == pyproject()["dependency-groups"]["policy"]


def test_locks_pin_what_the_project_asks_for() -> None:
    metadata, groups = project(), pyproject()["dependency-groups"]
    # The group of everything names others, and those that workflows or the policy pack install are apart.
    (alone,) = re.findall(r"^ALONE = (.*)$", (CHECKOUT / "Makefile").read_text(), re.M)
    apart = alone.split()
    developers = [requirement for name, group in groups.items() if name not in {"dev", *apart} for requirement in group]
    extras = metadata["optional-dependencies"]
    asked = {
        "base": metadata["dependencies"],
        "gke": [*metadata["dependencies"], *extras["gke"]],
        "ack": [*metadata["dependencies"], *extras["ack"]],
        "wheel": [*metadata["dependencies"], *extras["gke"], *extras["ack"]],
        "tests": [*metadata["dependencies"], *extras["gke"], *extras["ack"], *developers],
        **{name: groups[name] for name in apart},
    }
    locks = {file.stem: file for file in (CHECKOUT / "locks").iterdir()}
    assert asked.keys() == locks.keys()
    assert {packages.lock for packages in Packages} <= {*locks.values()}
    for name_of_lock, requirements in asked.items():
        pins = {
            name: version
            for name, _, version in (
                line.removesuffix(" \\").split(" ;")[0].partition("==")
                for line in locks[name_of_lock].read_text().splitlines()
            )
            if version
        }
        for requirement in map(Requirement, requirements):
            assert pins[canonicalize_name(requirement.name)] in requirement.specifier, f"{name_of_lock}: {requirement}"
