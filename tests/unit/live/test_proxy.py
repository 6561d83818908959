"""`kubectl proxy` beside us: what it is told, what gets through, and that it ends with us in every case."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devcluster.folders import PYTHON_PATH
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.live import LiveClusterError, ServiceAddress, service_proxy
from tests.programs import needs
from tests.unit.live.api_server import WAITS_FOR_A_LOGIN, api_server, put_kubectl, put_waiting_kubectl
from tests.waiting import eventually, eventually_nothing

ADDRESS = ServiceAddress("slurm", "slurm-slurmrestd", "http")
WAITS = """\
import sys, time
from pulumi_slurm_cli.live import ServiceAddress, service_proxy
with service_proxy(ServiceAddress("slurm", "slurm-slurmrestd", "http")) as proxy:
    print(proxy.get("/slurm/v0.0.42/ping/", {}).status, flush=True)
    time.sleep(3600)
"""


@pytest.fixture
def pid_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return put_kubectl(tmp_path)


def is_alive(pid_file: Path) -> bool:
    return Path("/proc", pid_file.read_text()).exists()


def test_kubectl_may_pass_on_gets_below_the_service_alone(pid_file: Path) -> None:
    address = ServiceAddress("slurm", "slurm-slurmrestd", "http", Kubectl("mine", Path("k")))
    with service_proxy(address) as proxy:
        assert proxy.get("/slurm/v0.0.42/ping/", {}).text == "{}"
    words = pid_file.with_name("asked").read_text().split()
    assert [word for word in words if not word.startswith("--unix-socket=")] == [
        "--context=mine",
        "--kubeconfig=k",
        "proxy",
        "--accept-hosts=^localhost$",
        "--reject-methods=^(POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE)$",
        r"--accept-paths=^/api/v1/namespaces/slurm/services/slurm\-slurmrestd:http/proxy/slurm(db)?/",
    ]


def test_kubectl_ends_when_the_look_is_over(pid_file: Path) -> None:
    with service_proxy(ADDRESS):
        assert is_alive(pid_file)
    assert not is_alive(pid_file)


def test_kubectl_ends_with_an_error(pid_file: Path) -> None:
    with pytest.raises(KeyboardInterrupt), service_proxy(ADDRESS):
        raise KeyboardInterrupt
    assert not is_alive(pid_file)


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_kubectl_ends_with_our_process(pid_file: Path, ended_by: signal.Signals) -> None:
    env = {**os.environ, "PYTHONPATH": PYTHON_PATH}
    with subprocess.Popen(
        [sys.executable, "-c", WAITS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"200\n"
        assert is_alive(pid_file)
        process.send_signal(ended_by)
    eventually("kubectl's end", lambda: not is_alive(pid_file))


def test_what_kubectl_complains_about_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_kubectl(tmp_path, "#!/bin/sh\necho 'error: context \"mine\" does not exist' >&2; exit 1\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(KubectlError) as told, service_proxy(ADDRESS):
        pass
    assert str(told.value) == 'kubectl: error: context "mine" does not exist'


def test_without_kubectl_is_told_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KubectlError) as told, service_proxy(ADDRESS):
        pass
    assert str(told.value) == (
        "kubectl: it can't be started: no such file or directory. Install it: https://kubernetes.io/docs/tasks/tools/"
    )


def test_a_kubectl_that_waits_for_a_login_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = put_waiting_kubectl(tmp_path, monkeypatch)
    with pytest.raises(KubectlError) as told, service_proxy(ADDRESS):
        pass
    assert str(told.value) == WAITS_FOR_A_LOGIN
    assert not is_alive(pid_file)


def test_a_kubectl_that_ends_on_the_way_is_no_answer(pid_file: Path) -> None:
    with service_proxy(ADDRESS) as proxy:
        os.kill(int(pid_file.read_text()), signal.SIGKILL)
        eventually_nothing("kubectl", lambda: "Z" not in Path("/proc", pid_file.read_text(), "stat").read_text())
        with pytest.raises(LiveClusterError, match=r"kubectl proxy gave no answer: .* Try again"):
            proxy.get("/slurm/v0.0.42/ping/", {})


@needs("curl", "kubectl")
def test_a_real_kubectl_passes_on_the_token_and_nothing_but_gets(tmp_path: Path) -> None:
    with api_server(lambda _: (200, {"pings": []})) as server:
        kubeconfig = server.kubeconfig(tmp_path)
        address = ServiceAddress("slurm", "slurm-slurmrestd", "http", Kubectl("mine", kubeconfig))
        with service_proxy(address) as proxy:
            answer = proxy.get("/slurm/v0.0.42/ping/", {"X-SLURM-USER-TOKEN": "of-slurm"})
            assert (answer.status, answer.text) == (200, '{"pings": []}')
            assert proxy.get("/other/", {}).status == 403
            for method in ("POST", "DELETE"):
                assert _refused(proxy._socket_file, method, f"{address.path}/slurm/v0.0.42/job/1")
        # Some builds of kubectl ask for the server's version first.
        ((method, path, headers),) = (request for request in server.requests if "/services/" in request[1])
    assert (method, path) == ("GET", f"{address.path}/slurm/v0.0.42/ping/")
    assert headers["x-slurm-user-token"] == "of-slurm"


def _refused(socket_file: Path, method: str, path: str) -> bool:
    curl = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--request", method]
    command = [*curl, "--unix-socket", str(socket_file), f"http://localhost{path}"]
    return subprocess.run(command, check=False, stdout=subprocess.PIPE).stdout == b"403"
