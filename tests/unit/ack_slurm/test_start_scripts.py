"""The start scripts of pods."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.start_scripts import (
    AFTER_START,
    FOLLOW,
    HOST_KEYS,
    SLURMDBD_STARTED,
    scripts,
    worker_script,
)
from pulumi_slurm.ack_slurm.model.pods import TEMPLATE_FIELDS, braces
from tests.programs import needs
from tests.unit.ack_slurm.examples import EVERYTHING, ack, cluster
from tests.waiting import eventually


def worker(name: str, *, drain: bool = False, **changes: object) -> str:
    spec, pools = cluster(**changes)
    route = ack(drainBeforeEnd=drain)
    (group,) = (group for group in groups_of(spec, pools, route) if group.name == name)
    return worker_script(spec, group, route)


def test_a_dynamic_node_registers_with_its_options() -> None:
    assert worker("cpu").endswith("exec slurmd -D -b -Z --conf 'CPUs=16 RealMemory=65536 Weight=5 Features=cpu'\n")


def test_a_node_that_is_named_in_slurm_conf_doesn_t() -> None:
    assert worker("gpu").endswith("exec slurmd -D -b\n")


def test_only_fields_that_the_operator_replaces_are_between_braces() -> None:
    for name in ("cpu", "gpu"):
        assert {f".{field}" for field in ("MungeKeyPath", "SlurmConfPath")} == set(TEMPLATE_FIELDS)
        assert set(braces(worker(name, drain=True))) == set(TEMPLATE_FIELDS)


def test_braces_of_a_user_s_come_out_as_they_went_in() -> None:
    sets = [{"name": "cpu", "pool": "cpu", "slurmdOptions": {"Reason": "a{{b"}}]
    assert 'Reason=a{{"{{"}}b' in worker("cpu", nodeSets=sets, partitions=[])


def test_a_custom_script_replaces_the_default_one() -> None:
    spec, pools = cluster()
    route = ack(workers={"cpu": {"initBash": "echo {{.SlurmConfPath}}\n"}})
    assert worker_script(spec, groups_of(spec, pools, route)[0], route) == "echo {{.SlurmConfPath}}\n"


@needs("bash")
def test_bash_reads_all_of_them() -> None:
    spec, pools = cluster()
    route = ack(**EVERYTHING)
    texts = [worker_script(spec, group, route) for group in groups_of(spec, pools, route)]
    for text in [*texts, *scripts(spec, route).values()]:
        done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
        assert done.stderr == ""


@needs("bash")
def test_changed_files_are_copied_and_slurmctld_is_restarted(tmp_path: Path) -> None:
    """Kubernetes changes a volume's files by turning a link to another folder."""
    mounted, read, programs = (tmp_path / name for name in ("mounted", "read", "programs"))
    for folder in (mounted, read, programs, mounted / "one", mounted / "two"):
        folder.mkdir()
    (mounted / "one/slurm.conf").write_text("old\n")
    (mounted / "two/slurm.conf").write_text("new\n")
    (mounted / "..data").symlink_to("one")
    (mounted / "slurm.conf").symlink_to("..data/slurm.conf")
    for name in ("service", "scontrol"):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{tmp_path}/calls\n')
        (programs / name).chmod(0o755)
    # The script looks where the link leads before it sleeps for the first time.
    (programs / "sleep").write_text(f'#!/bin/sh\ntouch {tmp_path}/asleep\nexec {shutil.which("sleep")} "$@"\n')
    (programs / "sleep").chmod(0o755)
    script = tmp_path / FOLLOW
    script.write_text(scripts(cluster()[0], ack())[FOLLOW].replace("sleep 5", "sleep 0"))
    env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "FOLLOW_EVERY": "0.1", "FOLLOW_SETTLE": "0"}
    with subprocess.Popen(["bash", str(script), str(mounted), str(read), "controller"], env=env) as running:
        try:
            eventually("the script sleeps", (tmp_path / "asleep").exists)
            assert not (read / "slurm.conf").exists()
            (mounted / "..new").symlink_to("two")
            (mounted / "..new").replace(mounted / "..data")
            calls = tmp_path / "calls"
            calls.touch()
            eventually("two calls", calls.read_text, lambda text: text.count("\n") >= 2)
        finally:
            running.terminate()
    assert (read / "slurm.conf").read_text() == "new\n"
    assert calls.read_text() == "service slurmctld restart\nscontrol reconfigure\n"


@needs("bash", "ssh-keygen")
def test_the_ssh_server_has_host_keys_of_its_cluster_that_stay(tmp_path: Path) -> None:
    spec, _ = cluster(loginSets=[{"name": "login"}])
    script = tmp_path / HOST_KEYS
    script.write_text(scripts(spec, ack())[HOST_KEYS])

    def start_pod(name: str, state: str) -> dict[str, str]:
        """Return the keys of a pod whose image brought keys that others know."""
        folder = tmp_path / name
        folder.mkdir()
        (folder / "sshd_config").write_text("")
        for key in ("ssh_host_dsa_key", "ssh_host_ed25519_key"):
            (folder / key).write_text("known to all")
        subprocess.run(["bash", str(script), str(tmp_path / state), str(folder)], check=True, capture_output=True)
        assert all(key.stat().st_mode & 0o777 == 0o600 for key in folder.glob("ssh_host_*_key"))
        return {path.name: path.read_text() for path in folder.iterdir()}

    first, again, other = start_pod("first", "state"), start_pod("again", "state"), start_pod("other", "elsewhere")
    assert {"sshd_config", "ssh_host_ed25519_key", "ssh_host_ed25519_key.pub"} <= first.keys()
    assert "known to all" not in first.values()
    assert again == first, "people would be warned of another host"
    assert other["ssh_host_ed25519_key"] != first["ssh_host_ed25519_key"]


def test_only_a_cluster_with_logins_has_host_keys() -> None:
    logins = scripts(cluster(loginSets=[{"name": "login"}])[0], ack())
    assert f"/{HOST_KEYS} /var/spool/slurmctld/ssh /etc/ssh\nservice ssh restart" in logins[AFTER_START]
    assert HOST_KEYS not in scripts(cluster(loginSets=[])[0], ack())


@needs("bash")
@pytest.mark.parametrize("works", [True, False])
def test_munge_is_started_where_the_operator_could_not(tmp_path: Path, works: bool) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, ends in (("munge", "exit 0" if works else "exit 1"), ("service", "exit 0")):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{tmp_path}/calls\n{ends}\n')
        (programs / name).chmod(0o755)
    (tmp_path / "start-munge.sh").write_text(f'echo start "$@" >>{tmp_path}/calls\n')
    script = tmp_path / SLURMDBD_STARTED
    script.write_text(scripts(cluster()[0], ack())[SLURMDBD_STARTED])
    env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SLURMDBD_SETTLE": "0"}
    subprocess.run(["bash", str(script), str(tmp_path), "/var/munge"], env=env, check=True)
    again = "start /var/munge\nservice slurmdbd restart\n"
    assert (tmp_path / "calls").read_text() == f"munge -n\n{'' if works else again}"
