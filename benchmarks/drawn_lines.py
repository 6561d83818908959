"""Thousands of drawn lines of slurm.conf on real slurmctld: how many we accept, and whether slurmctld agrees.

Needs what the tests in tests/slurmd need. Prints counts, and each line about which slurmctld and we disagree.

    PYTHONPATH=components:stacks:cli:. python benchmarks/drawn_lines.py [SEED [COUNT [SERIES]]]
"""

import sys
import tempfile
import time
from pathlib import Path

from devcluster.slurm_images import ensure_images
from pulumi_slurm.slurmconf.version import SERIES, Series
from tests.slurmd.drawn_lines import draw
from tests.slurmd.verdicts import controllers, verdicts

HOSTS = 2


def main(seed: int = 1, count: int = 1000, only: str = "") -> int:
    """Draw for each release and return how many disagreements there are."""
    disagreements = 0
    for name, image in ensure_images().items():
        if only not in ("", name) or Series.of(name) not in SERIES:
            continue
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, controllers(image, Path(folder), HOSTS) as hosts:
            result = verdicts(hosts, draw(seed), Series.of(image.version), count)
        seconds = time.monotonic() - started
        print(f"Slurm {image.version}, seed {seed}: {dict(result.counts)}, {seconds:.0f} s")
        print("".join(f"{text}\n" for text in result.disagreements), end="")
        disagreements += len(result.disagreements)
    return disagreements


if __name__ == "__main__":
    arguments = dict(zip(("seed", "count", "only"), sys.argv[1:], strict=False))
    sys.exit(main(int(arguments.get("seed", 1)), int(arguments.get("count", 1000)), arguments.get("only", "")) and 1)
