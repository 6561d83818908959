"""The table of parts agrees with the pins in the Go modules."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from devcluster import parts
from devcluster.parts import PARTS, SDK_GENERATOR, Part

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


def test_sdks_are_generated_as_the_engine_would() -> None:
    generators = "github.com/pulumi/pulumi/pkg/v3"
    assert dict(PARTS[SDK_GENERATOR].requirements())[generators] == dict(PARTS["engine"].requirements())[generators]


def test_operators_in_progress_lines_are_the_pinned_ones() -> None:
    for name in ("slurm-operator", "slurm-operator-previous"):
        version = dict(PARTS[name].requirements())["github.com/SlinkyProject/slurm-operator"]
        assert PARTS[name].says == f"slurm-operator {version.removeprefix('v')}"


_NOT_SHARED = {
    # The provider's source compiles with 3.246 at most.
    "github.com/pulumi/pulumi/pkg/v3",
    "github.com/pulumi/pulumi/sdk/v3",
    # Two releases of the operator, the older with an older API of its monitoring.
    "github.com/SlinkyProject/slurm-operator",
    "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring",
    # kwok uses what came with Kubernetes 1.36.
    "k8s.io/cri-api",
    "k8s.io/cri-client",
    "go.opentelemetry.io/contrib/instrumentation/github.com/emicklei/go-restful/otelrestful",
}


def test_parts_take_what_they_share_in_one_version() -> None:
    """One other version of a small module, and all that imports it is compiled a second time.

    What is built on demand is built alone.
    """
    versions: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for part in [part for part in PARTS.values() if not part.on_demand]:
        text = (part.module / "go.mod").read_text()
        replaced = dict(re.findall(r"^replace (\S+) => \S+ (v\S+)", text, re.M))
        for module, version in part.requirements() if part.binaries else ():
            versions[module][replaced.get(module, version)].append(part.name)
    differing = {module: dict(used) for module, used in versions.items() if len(used) > 1}
    assert set(differing) == _NOT_SHARED, differing


def test_every_source_of_a_part_is_in_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MODULES", tmp_path)
    (tmp_path / "one").mkdir()
    keys = set()
    for file in ("go.mod", "go.sum", "main.go", "other.go"):
        (tmp_path / "one" / file).write_text(file)
        keys.add(Part("one", "a part").key)
    assert len(keys) == 4


def test_keys_differ_and_are_stable() -> None:
    keys = [part.key for part in PARTS.values()]
    assert len(set(keys)) == len(keys)
    assert keys == [part.key for part in PARTS.values()]
