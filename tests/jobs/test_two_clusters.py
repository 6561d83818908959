"""Two Slurm clusters at once, each in a namespace of its own, on the same Kubernetes nodes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.toolchain import Toolchain
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Daemons, Slurm
from tests.waiting import equals, eventually, has

NAME = "other"


@pytest.fixture
def other(tools: Toolchain, settings: Settings, slurm: Slurm, tmp_path: Path) -> Iterator[Program]:
    program = Program(tools, tmp_path, slurm.cluster.kubeconfig)
    cluster = settings["slurm:cluster"]
    parts = {key: cluster[key] for key in ("operatorVersion", "slurmVersion")}
    parts["configFiles"] = {"cgroup.conf": cluster["configFiles"]["cgroup.conf"]}
    # Not without accounting: see `OperatorDefect.CRASHES_WITHOUT_ACCOUNTING`.
    parts |= {"name": NAME, "namespace": NAME, "accounting": {}}
    parts["nodeSets"] = [{"name": "cpu", "pool": "cpu", "replicas": 1, "wait": True}]
    parts["partitions"] = [{"name": "main", "nodeSets": ["ALL"], "default": True}]
    program.up({"slurm:kind": "local", "slurm:pools": settings["slurm:pools"], "slurm:cluster": parts})
    yield program
    program.engine.release()
    program.destroy()


@pytest.mark.from_any_settings
def test_each_has_its_own_nodes_jobs_and_key(other: Program, slurm: Slurm, objects: Objects, long_job: int) -> None:
    before = slurm.uids()
    second = Daemons(slurm.cluster, NAME)

    def run(*words: str) -> str:
        return second.inside("slurmctld", *words)

    state = ("sinfo", "-h", "-N", "-o", "%N %T")
    eventually("its node", lambda: second.answer("slurmctld", *state), equals("cpu-0 idle"))
    assert run("srun", "hostname").strip() == "cpu-0"
    run("sbatch", "--chdir=/tmp", "--job-name=theirs", "--wrap=sleep 3600")
    eventually("its job", lambda: run("squeue", "-h", "-t", "RUNNING", "-o", "%j").split(), equals(["theirs"]))
    assert slurm.run("squeue", "-h", "-o", "%i").split() == [str(long_job)]
    eventually("its accounting", lambda: run("sacct", "-a", "-X", "-n", "-o", "jobname"), has("theirs"))
    assert "theirs" not in slurm.root("sacct", "-a", "-X", "-n", "-o", "jobname")

    conf = run("cat", "/etc/slurm/slurm.conf")
    slurm.root("sh", "-c", f"cat >/tmp/other.conf <<'END'\n{conf}\nEND\n")
    assert "authentication" in slurm.run("env", "SLURM_CONF=/tmp/other.conf", "sinfo", code=1)

    other.destroy()
    assert objects.find("Namespace", None, NAME) is None
    assert slurm.uids() == before
    assert slurm.is_running(long_job)
    slurm.run("srun", "-w", "cpu-1", "true")
