"""Which packages a command of the launcher runs with."""

from pathlib import Path

import pytest

from devcluster import bootstrap
from devcluster.environments import Packages

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
        (["--stack=local", "python", "-m", "stacks.schema"], Packages.TESTS),
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
    folder = Path(bootstrap.__file__).parent.parent
    pins = {
        packages: {line for line in (folder / packages.value).read_text().splitlines() if "==" in line}
        for packages in Packages
    }
    sdks = {
        packages: {line.partition("==")[0] for line in found} & {"pulumi-gcp", "pulumi-alicloud"}
        for packages, found in pins.items()
    }
    assert sdks == {
        Packages.BASE: set(),
        Packages.GKE: {"pulumi-gcp"},
        Packages.ACK: {"pulumi-alicloud"},
        Packages.TESTS: {"pulumi-gcp", "pulumi-alicloud"},
    }
    # One version of everything else, so that what is tested is what runs.
    assert all(pins[Packages.BASE] <= found <= pins[Packages.TESTS] for found in pins.values())
