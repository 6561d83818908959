"""Small pure pieces: certificates, node manifests, progress, locks, folders, the command line."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography import x509

from devcluster import commands
from devcluster.__main__ import parser
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT, cache_folder, state_folder
from devcluster.nodes import DEFAULT_NODES, kwok_config
from devcluster.pki import Pki
from devcluster.progress import Progress, spoken

pytestmark = pytest.mark.unit


def test_certificates_are_signed_by_the_authority_and_keys_are_private(tmp_path: Path) -> None:
    pki = Pki(tmp_path / "pki")
    pki.create()
    authority = x509.load_pem_x509_certificate(pki.authority.certificate.read_bytes())
    for pair in (pki.server, pki.etcd, pki.admin, pki.webhook):
        x509.load_pem_x509_certificate(pair.certificate.read_bytes()).verify_directly_issued_by(authority)
        assert pair.key.stat().st_mode & 0o077 == 0
    before = pki.server.certificate.read_bytes()
    pki.create()
    assert pki.server.certificate.read_bytes() == before


def test_kubeconfig_is_private(tmp_path: Path) -> None:
    pki = Pki(tmp_path / "pki")
    pki.create()
    pki.write_kubeconfig(tmp_path / "kubeconfig", "https://127.0.0.1:1", "name")
    assert (tmp_path / "kubeconfig").stat().st_mode & 0o077 == 0


def test_default_nodes_have_gpus_where_they_are_tainted() -> None:
    nodes = [node for shape in DEFAULT_NODES for node in shape.manifests()]
    names = [node["metadata"]["name"] for node in nodes]
    assert len(set(names)) == len(names) == 10
    for node in nodes:
        assert ("nvidia.com/gpu" in node["status"]["capacity"]) == ("taints" in node.get("spec", {}))
    addresses = {node["status"]["addresses"][0]["address"] for node in nodes}
    assert len(addresses) == len(names)


def test_kwok_config_names_our_storage_class(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("class: kwok-volume\n")
    (tmp_path / "a.yaml").write_text("first: 1\n")
    assert kwok_config(tmp_path, volumes=True).startswith("first: 1\n---\nclass: standard\n")


def test_kwok_leaves_volumes_alone_beside_real_nodes(tmp_path: Path) -> None:
    for name in ("pod-ready", "pv-bind", "pvc-provision"):
        (tmp_path / f"{name}.yaml").write_text(f"name: {name}\n")
    config = kwok_config(tmp_path, volumes=False)
    assert config.startswith("name: pod-ready\n")
    assert "pv" not in config


def test_progress_says_what_how_long_and_what_remains() -> None:
    stream = io.StringIO()
    progress = Progress(2, stream)
    with progress.step("one"):
        pass
    with progress.step("two"):
        pass
    lines = stream.getvalue().splitlines()
    assert lines[0] == "[1/2] one …"
    assert re.match(r"\[1/2\] one: \d+\.\d s, 1 to go", lines[1])
    assert re.fullmatch(r"\[2/2\] two: \d+\.\d s", lines[3])


def test_durations_are_spoken() -> None:
    assert [spoken(3.21), spoken(245)] == ["3.2 s", "4 min 05 s"]


def test_a_second_run_waits_and_says_for_whom(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from devcluster.locks import locked\n"
        "with locked(Path(sys.argv[1]), 'toolchain'): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "lock")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=CHECKOUT, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as first:
        assert first.stdout
        assert first.stdin
        first.stdout.readline()
        with subprocess.Popen(command, cwd=CHECKOUT, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as second:
            assert second.stdout
            assert second.stderr
            assert f"toolchain: waiting for another run (pid {first.pid})" in second.stderr.readline()
            first.stdin.close()
            assert second.stdout.readline() == "held\n"


def test_folders_follow_their_variables_and_say_when_they_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PULUMI_SLURM_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert cache_folder() == tmp_path / "cache"
    assert state_folder(Path("/a")) != state_folder(Path("/b"))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(DevclusterError, match="set PULUMI_SLURM_CACHE to a folder that is"):
        cache_folder()


def test_command_line() -> None:
    options = parser().parse_args(["--stack=prod", "--context=c", "pulumi", "stack output"])
    assert (options.stack, options.context, options.arguments) == ("prod", "c", ["stack output"])


@pytest.mark.parametrize(("kind", "plugin"), [("gke", "pulumi-resource-gcp"), ("ack", "pulumi-resource-alicloud")])
def test_a_clouds_stack_without_its_plugin_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, plugin: str
) -> None:
    (tmp_path / "Pulumi.mine.yaml").write_text(f"config:\n  slurm:kind: {kind}\n")
    monkeypatch.setattr(commands, "CHECKOUT", tmp_path)
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DevclusterError, match=rf"Pulumi\.mine\.yaml .* {plugin} .* install Pulumi"):
        commands.Stack("mine").tools()


def test_what_runs_in_the_background_can_be_interrupted() -> None:
    """Shells start that with SIGINT ignored, which what is started in turn would inherit."""
    asked = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    command = f"{sys.executable} -m devcluster python -c '{asked}' & wait $!"
    done = subprocess.run(["sh", "-c", command], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
