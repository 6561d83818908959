"""What the tests of this folder stand on: hosts are apart from the machine and leave nothing behind."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from devcluster.folders import PYTHON_PATH
from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd.site import Site
from tests.waiting import eventually_nothing

HOLD = """
import sys, time
from pathlib import Path
from devcluster.slurm_images import SlurmImage
from tests.slurmd.site import Site
site = Site(SlurmImage("x", Path(sys.argv[1])), Path(sys.argv[2]))
host = site.host("one")
host.start(["sleep", "1000"])
print(host.pid, flush=True)
time.sleep(1000)
"""


def groups(runner: int) -> set[str]:
    """Return the cgroups of the hosts that a process has made."""
    return {folder for folder, _, _ in os.walk("/sys/fs/cgroup") if f"/slurm-tests-{runner}-" in folder}


def mounts() -> str:
    return Path("/proc/self/mountinfo").read_text()


def interfaces() -> int:
    return Path("/proc/self/net/dev").read_text().count("\n")


def processes(namespace: str) -> int:
    """Count the processes of a pid namespace."""
    count = 0
    for link in Path("/proc").glob("[0-9]*/ns/pid"):
        with contextlib.suppress(FileNotFoundError):
            count += os.readlink(link) == namespace
    return count


def test_hosts_know_each_other_and_have_what_daemons_need(site: Site) -> None:
    one, two = site.host("one", ["one.slurm"]), site.host("two")
    assert one.run(["hostname"]) == "one\n"
    assert two.run(["getent", "hosts", "one.slurm"]).split()[0] == one.address
    assert one.attempt(["getent", "hosts", "elsewhere"]).returncode == 2
    assert one.run(["id", "-un"], user=JOB_USER) == f"{JOB_USER}\n"
    assert one.attempt(["sleep", "10"], seconds=0.1).returncode == 124
    assert one.attempt(["cat"], text="in and out").stdout == "in and out"
    one.write("/etc/slurm/slurm.key", b"secret", mode=0o600, owner="slurm")
    assert one.run(["cat", "/etc/slurm/slurm.key"], user="slurm") == "secret"
    assert one.attempt(["cat", "/etc/slurm/slurm.key"], user=JOB_USER).returncode == 1
    assert not (two.root / "etc/slurm/slurm.key").exists()


def test_a_daemon_is_ended_and_what_it_says_is_kept(site: Site) -> None:
    host = site.host("one")
    daemon = host.start(
        ["sh", "-c", "trap 'echo bye; exit 3' TERM; echo error: it hurts; while :; do sleep 0.05; done"]
    )
    daemon.eventually_says("hurts")
    assert daemon.complaints == ["error: it hurts"]
    daemon.stop()
    assert daemon.returncode == 3
    assert daemon.log.endswith("bye\n")


def test_nothing_is_left_when_a_site_ends(image: SlurmImage, tmp_path: Path) -> None:
    before = mounts(), interfaces(), groups(os.getpid())
    with Site(image, tmp_path) as site:
        host = site.host("one")
        daemon = host.start(["sh", "-c", "setsid sleep 1000 & echo started; sleep 1000"])
        daemon.eventually_says("started")
        namespace = os.readlink(f"/proc/{host.pid}/ns/pid")
        assert processes(namespace) > 3
        assert groups(os.getpid()) > before[2]
    assert (mounts(), interfaces(), groups(os.getpid())) == before
    # The kernel ends them with the first process of the namespace, and they stay for a moment.
    eventually_nothing("processes of the host", lambda: processes(namespace))
    assert not daemon.running


def test_nothing_is_left_when_the_test_runner_is_killed(image: SlurmImage, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": PYTHON_PATH}
    command = [sys.executable, "-c", HOLD, str(image.root), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as runner:
        assert runner.stdout
        pid = int(runner.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        assert groups(runner.pid)
        runner.send_signal(signal.SIGKILL)
    eventually_nothing("the first process of the host", lambda: [*Path("/proc").glob(str(pid))])
    eventually_nothing("its cgroups", lambda: groups(runner.pid))


def test_an_image_is_never_changed(image: SlurmImage, site: Site) -> None:
    site.host("one").write("/etc/slurm/slurm.conf", "ClusterName=c\n")
    assert not (image.root / "etc/slurm/slurm.conf").exists()
