"""What a rehearsal leaves and says where a call of kubectl fails."""

from pathlib import Path

import pytest
import yaml

from tests.unit.commands.stub_kubectl import calls, put_stub_kubectl, refuse
from tests.unit.commands.test_which_cluster import CONFIG
from tests.unit.importing.command_line import Result, run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pod = {"containers": [{"name": "slurmctld", "image": "slurmctld:25.11-x"}]}
    put_stub_kubectl(tmp_path, {"kind": "List", "items": [], "spec": pod})
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "Pulumi.c.yaml").write_text(yaml.safe_dump({"config": CONFIG}))
    return tmp_path


def rehearse(folder: Path) -> Result:
    return run("rehearse", folder / "Pulumi.c.yaml", "--context", "mine")


def deleted(folder: Path) -> list[str]:
    (words,) = [words for words in calls(folder) if "delete" in words]
    return words


def test_the_namespace_goes_after_an_error(folder: Path) -> None:
    done = rehearse(folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-2:] == ["removing the rehearsal", "kubectl: no create"]
    assert "namespace" in deleted(folder)


def test_the_first_error_is_told_where_the_namespace_stays_too(folder: Path) -> None:
    refuse(folder, "delete")
    done = rehearse(folder)
    assert (done.returncode, done.stdout) == (2, "")
    words = deleted(folder)
    namespace = words[words.index("namespace") + 1]
    assert done.stderr.splitlines()[-3:] == [
        "removing the rehearsal",
        "kubectl: no delete. The namespace may still be there, with copies of pull Secrets: "
        f"kubectl --context=mine delete namespace {namespace}",
        "kubectl: no create",
    ]
