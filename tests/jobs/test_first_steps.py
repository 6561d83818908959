"""What a newcomer does on the shipped cluster: its nodes, jobs, accounting, GPUs, limits, and logging in."""

import time
from pathlib import Path

from devcluster.login import write_key
from tests.e2e.program import Program
from tests.jobs.slurm import Slurm
from tests.waiting import equals, eventually


def test_a_second_update_and_a_refresh_change_nothing(program: Program, slurm: Slurm) -> None:
    assert program.up(None).changes == {}
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}


def test_nodes_are_as_specified(slurm: Slurm) -> None:
    lines = slurm.run("sinfo", "-h", "-N", "-p", "all", "-o", "%N %T %f %G").splitlines()
    assert lines == [
        "cpu-0 idle cpu (null)",
        "cpu-1 idle cpu (null)",
        "gpu-0 idle gpu,nvlink gpu:h100:2",
    ]
    # The workers ask for 1 CPU and 2 GiB, of which jobs get 1920 MiB: of the machine's rest slurmd keeps its hands off.
    for node in ("cpu-0", "cpu-1", "gpu-0"):
        shown = dict(word.split("=", 1) for word in slurm.run("scontrol", "show", "node", node).split() if "=" in word)
        assert shown["CPUEfctv"] == "1"
        assert int(shown["RealMemory"]) - int(shown["MemSpecLimit"]) == 1920


def test_jobs_run_and_are_accounted_for(slurm: Slurm) -> None:
    assert sorted(slurm.run("srun", "--nodes=2", "--nodelist=cpu-[0-1]", "hostname").split()) == ["cpu-0", "cpu-1"]
    first = slurm.submit("srun hostname", "--nodes=2")
    after = slurm.submit("true", f"--dependency=afterok:{first}", "--qos=high")
    array = slurm.submit("exit $SLURM_ARRAY_TASK_ID", "--array=0-1")
    slurm.wait_for(after, "COMPLETED")
    eventually("the array", lambda: slurm.state(array).split(), equals(["COMPLETED", "FAILED"]))
    shown = slurm.run("sacct", "-X", "-n", "-P", "-o", "account,qos,alloctres,nnodes", "-j", f"{first},{after}")
    assert shown.splitlines() == [
        "research|normal|billing=2,cpu=2,mem=3840M,node=2|2",
        "research|high|billing=1,cpu=1,mem=1920M,node=1|1",
    ]


def test_a_job_has_its_own_gpus_alone(slurm: Slurm) -> None:
    # A device without a driver can't be opened either, but by another error.
    look = "echo $CUDA_VISIBLE_DEVICES; for gpu in 0 1; do head -c1 /dev/nvidia$gpu 2>&1; done"
    with_one = slurm.run("srun", "-p", "gpu", "--gpus=1", "sh", "-c", f"{look}; true")
    assert with_one.splitlines()[0] == "0"
    assert [line.rpartition(": ")[2] for line in with_one.splitlines()[1:]] == [
        "No such device or address",
        "Operation not permitted",
    ]
    with_none = slurm.run("srun", "-w", "gpu-0", "sh", "-c", f"{look}; true")
    assert [line.rpartition(": ")[2] for line in with_none.splitlines()[1:]] == ["Operation not permitted"] * 2


def test_a_job_has_its_own_cpus_alone(slurm: Slurm) -> None:
    every = int(slurm.beside("cpu-0", "nproc"))
    assert every > 1
    # Affinity is what a process asks for, the cgroup what it gets.
    look = f"nproc; taskset --cpu-list 0-{every - 1} nproc"
    assert slurm.run("srun", "-w", "cpu-0", "sh", "-c", look).split() == ["1", "1"]


def test_what_is_over_its_memory_is_killed_and_its_neighbour_lives(slurm: Slurm) -> None:
    greedy = slurm.submit("head -c 900M /dev/zero | tail", "--mem=200M", "-w", "cpu-1")
    slurm.wait_for(greedy, "OUT_OF_MEMORY")
    # Steps, since a worker has one CPU: both are on it at the same time.
    steps = (
        "srun --overlap --job-name=neighbour --mem=100M sleep 10 & neighbour=$!",
        "srun --overlap --job-name=greedy --mem=200M sh -c 'head -c 900M /dev/zero | tail'",
        "wait $neighbour",
    )
    job = slurm.submit("\n".join(steps), "-w", "cpu-1")
    eventually("the job's end", lambda: slurm.accounted(job), lambda state: state not in ("", "PENDING", "RUNNING"))
    shown = slurm.run("sacct", "-n", "-P", "-o", "jobname,state", "-j", str(job)).splitlines()
    assert {"neighbour|COMPLETED", "greedy|OUT_OF_MEMORY"} <= set(shown)


def test_a_user_of_the_directory_logs_in_and_sees_one_home_everywhere(slurm: Slurm) -> None:
    text = str(time.time())
    assert slurm.ssh("sh", "-c", f"'id -un; pwd; echo {text} >note'").split() == ["alice", "/home/alice"]
    assert slurm.run("srun", "-w", "cpu-1", "cat", "/home/alice/note").strip() == text


def test_another_key_is_refused(slurm: Slurm, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_key(other)
    command = [str(other) if word == str(slurm.login.key) else word for word in slurm.login.ssh(["true"])]
    assert "Permission denied" in slurm.failing(command, 255)
