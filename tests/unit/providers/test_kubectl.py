"""kubectl as all commands call it: once, and never without end."""

from pathlib import Path

import pytest

from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from tests.unit.live.api_server import WAITS_FOR_A_LOGIN, put_kubectl, put_waiting_kubectl
from tests.unit.test_structure import IMPORTS


def test_nothing_else_starts_a_program() -> None:
    assert [module for module, targets in IMPORTS.items() if "subprocess" in targets] == ["pulumi_slurm_cli.kubectl"]


def test_a_kubectl_that_waits_for_a_login_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = put_waiting_kubectl(tmp_path, monkeypatch)
    with pytest.raises(KubectlError) as told:
        Kubectl().run("get", "nodes", seconds=0)
    assert str(told.value) == WAITS_FOR_A_LOGIN
    assert not Path("/proc", pid_file.read_text()).exists()


def test_input_and_output_can_be_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_kubectl(tmp_path, '#!/bin/sh\necho "$*"; cat\n')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "in").write_text("given")
    assert Kubectl("mine").run("exec", stdin=tmp_path / "in", into=tmp_path / "out", seconds=7) == b""
    assert (tmp_path / "out").read_text() == "--context=mine --request-timeout=7s exec\ngiven"


@pytest.mark.parametrize("printed", ["hello", "[]", '{"items": {}}'])
def test_what_is_no_list_of_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    put_kubectl(tmp_path, f"#!/bin/sh\necho '{printed}'\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(KubectlError) as told:
        Kubectl().objects(["nodes"], instead="Name a file.")
    assert str(told.value) == "kubectl: it printed something else than a List of objects. Name a file."
