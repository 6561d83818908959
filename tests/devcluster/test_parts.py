"""The table of parts agrees with the pins in the Go modules."""

import re

import pytest

from devcluster.parts import PARTS, Part

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_every_copied_module_is_pinned_with_its_sum(part: Part) -> None:
    sums = (part.module / "go.sum").read_text()
    versions = dict(part.requirements())
    for copy in part.copies:
        assert f"{copy.module} {copy.version or versions[copy.module]} h1:" in sums


@pytest.mark.parametrize(
    ("name", "module"),
    [("engine", "github.com/pulumi/pulumi/sdk/v3"), ("control-plane", "k8s.io/kubernetes")],
)
def test_stamped_version_is_the_pinned_one(name: str, module: str) -> None:
    stamped = re.search(r"(?:\.Version|gitVersion)=(v\S+)", PARTS[name].ldflags)
    assert stamped
    assert stamped[1] == dict(PARTS[name].requirements())[module]


def test_operators_in_progress_lines_are_the_pinned_ones() -> None:
    for name in ("slurm-operator", "slurm-operator-previous"):
        version = dict(PARTS[name].requirements())["github.com/SlinkyProject/slurm-operator"]
        assert PARTS[name].says == f"slurm-operator {version.removeprefix('v')}"


def test_keys_differ_and_are_stable() -> None:
    keys = [part.key for part in PARTS.values()]
    assert len(set(keys)) == len(keys)
    assert keys == [part.key for part in PARTS.values()]
