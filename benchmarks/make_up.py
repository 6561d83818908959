"""How long `make up` takes: with the cache (three rounds), and on request with an empty one.

Usage: python benchmarks/make_up.py [--cold]
A round is `make down`, `make up`, `make up` again. `--cold` adds a `make up` with a cache folder of its own, made for
it and removed afterwards: that builds the whole toolchain. Memory is the sum over everything that make has started,
sampled twice a second, so shared pages count more than once and the true peak is lower.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PAGE = os.sysconf("SC_PAGE_SIZE")
GIB = 1024**3


@dataclass
class Run:
    seconds: float
    peak_bytes: int


def processes() -> dict[int, tuple[int, int]]:
    """Return parent and resident bytes of every process."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            found[int(folder.name)] = (int(fields[1]), int(fields[21]) * PAGE)
        except OSError:
            continue
    return found


def resident_below(root: int) -> int:
    """Return the resident bytes of a process and all below it."""
    table = processes()
    total, wanted = 0, {root}
    while wanted:
        total += sum(table[pid][1] for pid in wanted if pid in table)
        wanted = {pid for pid, (parent, _) in table.items() if parent in wanted}
    return total


def make(target: str, env: dict[str, str]) -> Run:
    """Run one make target; its output is shown only when it fails."""
    began = time.monotonic()
    peak = 0
    with tempfile.TemporaryFile("w+") as output:
        command = ["make", "--no-print-directory", target, f"PYTHON={sys.executable}"]
        process = subprocess.Popen(command, cwd=CHECKOUT, env=env, stdout=output, stderr=subprocess.STDOUT)
        done = threading.Event()

        def sample() -> None:
            nonlocal peak
            while not done.wait(0.5):
                peak = max(peak, resident_below(process.pid))

        sampler = threading.Thread(target=sample)
        sampler.start()
        code = process.wait()
        done.set()
        sampler.join()
        if code:
            output.seek(0)
            sys.exit(f"make {target} failed:\n{output.read()}")
    return Run(time.monotonic() - began, peak)


def warm(env: dict[str, str], rounds: int) -> None:
    make("up", env)
    first, again, down = [], [], []
    for _ in range(rounds):
        down.append(make("down", env).seconds)
        first.append(make("up", env).seconds)
        again.append(make("up", env).seconds)
    for name, values in (("from nothing running", first), ("second up", again), ("down", down)):
        shown = ", ".join(f"{value:.1f}" for value in values)
        print(f"with the cache, {name}: median {statistics.median(values):.1f} s ({shown})")
    make("down", env)


def cold(env: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="pulumi-slurm-cold-") as folder:
        own = {**env, "PULUMI_SLURM_CACHE": f"{folder}/cache", "PULUMI_SLURM_STATE": f"{folder}/state"}
        run = make("up", own)
        print(f"empty cache: {run.seconds / 60:.1f} min, at most {run.peak_bytes / GIB:.1f} GiB of memory")
        make("down", own)
        make("clean-cache", own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cold", action="store_true", help="also with an empty cache (over 15 minutes)")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    env = dict(os.environ)
    warm(env, arguments.rounds)
    if arguments.cold:
        cold(env)


if __name__ == "__main__":
    main()
