"""Jobs with a GPU and without: what they may open, how they wait, what is left of them, and what accounting has."""

import shutil
import subprocess
from pathlib import Path

import pytest

from devcluster.slurm_images import JOB_USER
from tests.gpu.gpus import OPENED, TOOLKIT, Gpus
from tests.slurmd.daemon import Daemon
from tests.slurmd.proof_bed import ProofBed
from tests.waiting import equals, eventually, eventually_nothing, has

HOLDER = Path(__file__).with_name("holds_gpu_memory.c")
PROGRAM = "/usr/local/bin/holds-gpu-memory"
HELD_MIB = 512
"""What the program holds."""


@pytest.fixture(scope="session")
def holder(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a program that holds memory of a GPU until it is ended."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler for the program that uses a GPU: apt install gcc")
    program = tmp_path_factory.mktemp("program") / HOLDER.stem
    subprocess.run(["cc", "-Wall", "-Werror", "-o", program, HOLDER, "-ldl"], check=True)
    return program.read_bytes()


def controller_of(bed: ProofBed) -> Daemon:
    assert bed.cluster.controller.daemon
    return bed.cluster.controller.daemon


def batch(bed: ProofBed, command: str, *options: str) -> str:
    bed.cluster.wait_idle(bed.node)
    return submitted(bed, command, *options)


def submitted(bed: ProofBed, command: str, *options: str) -> str:
    words = ("sbatch", "--parsable", "--chdir=/tmp", "--output=/tmp/job-%j", *options, f"--wrap={command}")
    return bed.as_user(*words).strip()


def test_slurmd_finds_the_gpus(bed: ProofBed, gpus: Gpus) -> None:
    bed.cluster.wait_idle(bed.node)
    shown = bed.cluster.run("scontrol", "--oneliner", "show", "node", bed.node)
    assert f" Gres=gpu:{gpus.type}:{gpus.count}" in shown


def test_a_job_opens_the_gpus_that_it_asks_for(bed: ProofBed, gpus: Gpus) -> None:
    for count in {1, gpus.count}:
        script = f"{OPENED}; echo $CUDA_VISIBLE_DEVICES"
        *opened, visible = bed.as_user("srun", "--quiet", f"--gpus={count}", "sh", "-c", script).split()
        assert (len(opened), visible) == (count, ",".join(map(str, range(count))))


def test_a_job_without_gres_opens_none(bed: ProofBed) -> None:
    show = f"ls /dev/nvidia0; {OPENED}; echo ${{CUDA_VISIBLE_DEVICES:-none}}"
    assert bed.as_user("srun", "--quiet", "sh", "-c", show).split() == ["/dev/nvidia0", "none"]


def test_a_second_job_waits_and_nothing_of_a_cancelled_one_is_left(bed: ProofBed, gpus: Gpus, holder: bytes) -> None:
    bed.worker.write(PROGRAM, holder, mode=0o755)
    before = gpus.used_mib()
    with gpus.driver_in(bed.worker, TOOLKIT["Debian's folder"]):
        first = batch(bed, f"exec {PROGRAM}", f"--gpus={gpus.count}")
        says = bed.worker.root / f"tmp/job-{first}"
        eventually("a job on the GPU", lambda: says.read_text() if says.exists() else None, equals("holds\n"))
        assert gpus.used_mib() >= before + HELD_MIB
        second = submitted(bed, "true", "--gpus=1")
        queue = ("squeue", "--noheader", "--format=%i %T %r")
        controller_of(bed).eventually("a second job waits", lambda: bed.cluster.run(*queue), has(f"{second} PENDING R"))
        bed.as_user("scancel", first)
        eventually_nothing("jobs", lambda: bed.cluster.run(*queue))
        eventually("its memory is free", gpus.used_mib, lambda used: used < before + HELD_MIB)
    held_by = [process for process in gpus.ask("compute-apps", "process_name") if PROGRAM in process]
    assert held_by == []


def test_a_job_that_takes_too_much_memory_is_ended(bed: ProofBed) -> None:
    takes = "head -c 1G /dev/zero | tail -c 1G | wc -c; exit 9"
    done = bed.cluster.controller.host.attempt(["srun", "--mem=200M", "sh", "-c", takes], user=JOB_USER)
    assert str(1 << 30) not in done.stdout
    assert "Out Of Memory" in done.stderr, done


def test_accounting_has_the_gpu_of_a_job(bed: ProofBed) -> None:
    job = bed.as_user("srun", "--quiet", "--gpus=1", "sh", "-c", "echo $SLURM_JOB_ID").strip()
    row = ("sacct", "--allocations", "--noheader", "--parsable2", f"--jobs={job}", "--format=State,AllocTRES")
    rows = controller_of(bed).eventually("a row", lambda: bed.cluster.run(*row), has("COMPLETED|"))
    assert "gres/gpu=1" in rows
