"""Which pulumi is used, what is refused before a build, and how files of a module are copied."""

from collections import namedtuple
from pathlib import Path
from threading import Event

import pytest

from devcluster import toolchain
from devcluster.errors import DevclusterError
from devcluster.golang import GIB
from devcluster.parts import PARTS, PULUMI_PARTS, SDK_GENERATOR, YAML, Copy
from tests.waiting import HANGS

pytestmark = pytest.mark.unit


def _pulumi(folder: Path, version: str, *, language_host: bool = True) -> Path:
    for name in ("pulumi", *(["pulumi-language-python"] if language_host else [])):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {version}\n")
        program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("version", "language_host", "taken"),
    [("v3.259.0", True, True), ("v3.199.0", True, False), ("v3.259.0", False, False), ("nonsense", True, False)],
)
def test_official_pulumi_must_be_recent_and_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, language_host: bool, taken: bool
) -> None:
    monkeypatch.setenv("PATH", f"{_pulumi(tmp_path, version, language_host=language_host)}:/usr/bin:/bin")
    executable = toolchain.official_pulumi(tmp_path / "cache")
    assert executable == (tmp_path.resolve() if taken else None)


def test_our_own_pulumi_is_not_taken_for_an_official_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{_pulumi(tmp_path, 'v3.259.0')}:/usr/bin:/bin")
    assert toolchain.official_pulumi(tmp_path) is None


def test_a_small_disk_is_refused_before_anything_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(9, 9, GIB))
    with pytest.raises(DevclusterError, match=r"needs \d+ GiB of disk.*1\.0 GiB are free.*PULUMI_SLURM_CACHE"):
        toolchain.check_room(list(PARTS.values()), tmp_path)


def test_little_memory_is_refused_before_anything_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "available_memory", lambda: GIB)
    monkeypatch.setattr(toolchain, "DISK_TO_RESUME", 0)
    (tmp_path / "go" / "build").mkdir(parents=True)
    with pytest.raises(DevclusterError, match=r"3 GiB of free memory, 1\.0 GiB are free"):
        toolchain.check_room(list(PARTS.values()), tmp_path)


def test_modules_of_later_parts_are_fetched_while_the_first_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = Event()

    class FakeGo:
        def fetch(self, module: Path, packages: list[str]) -> None:
            assert (module.name, packages) == ("kwok", ["sigs.k8s.io/kwok/cmd/kwok"])
            fetched.set()

        def build(self, module: Path, package: str, ldflags: str, target: Path) -> None:
            if module.name == "slurm-operator":
                assert fetched.wait(timeout=HANGS)
            target.write_text(package)

    for name in ("PULUMI_SLURM_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(toolchain, "check_room", lambda *_: None)
    monkeypatch.setattr(toolchain, "official_pulumi", lambda _: None)
    monkeypatch.setattr(toolchain, "find_go", lambda _: FakeGo())
    tools = toolchain.ensure(["slurm-operator", "kwok"])
    assert tools.binary("kwok").read_text() == "sigs.k8s.io/kwok/cmd/kwok"
    assert fetched.is_set()


def test_copies_of_one_folder_mean_its_content_and_scripts_can_run(tmp_path: Path) -> None:
    module = tmp_path / "module"
    for name in ("charts/one/Chart.yaml", "charts/one/templates/a.yaml", "charts/two/Chart.yaml", "bin/tool"):
        (module / name).parent.mkdir(parents=True, exist_ok=True)
        (module / name).write_text(name)
        (module / name).chmod(0o444)
    toolchain.copy_files(Copy("m", "charts/one"), module, tmp_path / "one")
    toolchain.copy_files(Copy("m", "charts/*"), module, tmp_path / "all")
    toolchain.copy_files(Copy("m", "bin/tool", executable=True), module, tmp_path / "bin")
    assert (tmp_path / "one" / "templates" / "a.yaml").exists()
    assert (tmp_path / "all" / "two" / "Chart.yaml").exists()
    assert (tmp_path / "bin" / "tool").stat().st_mode & 0o111
    with pytest.raises(DevclusterError, match="m has no nothing"):
        toolchain.copy_files(Copy("m", "nothing"), module, tmp_path)


def test_an_official_pulumi_has_its_own_language_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "official_pulumi", lambda _: tmp_path)
    assert toolchain.ensure([*PULUMI_PARTS]).parts == ()
    assert toolchain.Toolchain(tmp_path, (), official=tmp_path).search_path == [tmp_path]


def test_what_is_made_on_demand_is_made_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "official_pulumi", lambda _: None)
    monkeypatch.setattr(toolchain, "folder_of", lambda part, _: tmp_path)
    assert set(toolchain.ensure().parts) == set(PARTS) - {YAML, SDK_GENERATOR}
    assert toolchain.ensure([YAML]).parts == (YAML,)


def test_a_missing_part_says_how_to_get_it(tmp_path: Path) -> None:
    tools = toolchain.Toolchain(tmp_path, ("kwok",))
    with pytest.raises(DevclusterError, match="make toolchain"):
        tools.path("engine")
    with pytest.raises(DevclusterError, match="make toolchain"):
        tools.binary("pulumi")
