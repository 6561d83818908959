"""`pulumi-slurm status` as it is called, with a kubectl in memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from tests.unit.drift.worlds import STACK
from tests.unit.importing.command_line import Result, run
from tests.unit.status.status_worlds import pod


class Calls(list[tuple[str, ...]]):
    """The calls of kubectl, of which `exec` answers as a slurmctld does that is away, or fails."""

    def __init__(self, *pods: dict[str, Any], refusal: str = "") -> None:
        super().__init__()
        self.pods, self.refusal = pods, refusal

    def run(self, *words: str, **_: object) -> bytes:
        self.append(words)
        if words[0] == "get":
            return json.dumps({"kind": "List", "items": self.pods}).encode()
        if self.refusal:
            raise KubectlError(self.refusal)
        script = words[-1]
        mark = words[words.index("sh", words.index("--") + 4) + 1]
        part = script.partition("printf '\\n")[2].partition(" ")[0]
        return f"\n{part} now\n1800000000\n\n{part} slurmctld\nno answer\n\n{part} slurmdbd\n\n{mark} 0\n".encode()


def called(calls: Calls, folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    file = folder / "Pulumi.hpc.yaml"
    file.write_text(STACK)
    monkeypatch.setattr(Kubectl, "run", lambda _, *words, **options: calls.run(*words, **options))
    return run("status", file, "--context=a", *options)


def test_a_status_takes_one_get_and_one_exec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls(pod("slurmctld", "hpc-controller-0"), pod("login", "hpc-login-a"))
    done = called(calls, tmp_path, monkeypatch)
    assert (done.returncode, done.stderr) == (0, "")
    assert "! slurmctld does not answer: jobs go on, and none starts" in done.stdout.splitlines()
    assert [words[0] for words in calls] == ["get", "exec"]
    assert calls[1][2:4] == ("hpc-login-a", "--container=login")
    assert json.loads(called(calls, tmp_path, monkeypatch, "--json").stdout)["slurm"] is None


@pytest.mark.parametrize("trouble", ["", "CrashLoopBackOff"])
def test_slurmctld_s_pod_is_asked_while_no_login_pod_is_ready(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(pod("login", "hpc-login-a", "Unschedulable"), pod("slurmctld", "hpc-controller-0", trouble))
    done = called(calls, tmp_path, monkeypatch)
    assert done.returncode == 0
    assert [words[3] for words in calls[1:]] == ([] if trouble else ["--container=slurmctld"])
    told = "There is no pod that is ready, in which Slurm could be asked for nodes and jobs." in done.stdout
    assert told == bool(trouble)


def test_who_may_not_exec_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls(pod("slurmctld", "hpc-controller-0"), refusal="kubectl: pods/exec is forbidden")
    done = called(calls, tmp_path, monkeypatch)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "kubectl: pods/exec is forbidden\n")


def test_a_cluster_of_another_operator_is_refused() -> None:
    done = run("status", CHECKOUT / "Pulumi.ack-slurm-operator.yaml", "--context=a")
    assert (done.returncode, done.stdout) == (2, "")
    assert "only those of slurm-operator are known here" in done.stderr
