"""Random changes of a cluster with jobs on real slurmctld: what a review says of each job, and what becomes of it.

Needs what the tests in tests/slurmd need. Prints a table at the end, and each job about which the review was wrong.

    PYTHONPATH=components:stacks:cli:. python benchmarks/review_oracle.py [SEED [COUNT [SERIES]]]
"""

import sys
import tempfile
import time
from pathlib import Path

from devcluster.slurm_images import ensure_images
from pulumi_slurm.slurmconf.version import SERIES, Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.review_bed import ReviewBed
from tests.slurmd.site import Site


def main(seed: int = 1, count: int = 1000, only: str = "") -> int:
    """Draw for each release, and return how many jobs became something else than was said."""
    mistakes = 0
    for name, image in ensure_images().items():
        if only not in ("", name) or Series.of(name) not in SERIES:
            continue
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, Site(image, Path(folder)) as site:
            cluster = Cluster(site)
            cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
            bed = ReviewBed(cluster)
            for number in range(seed, seed + count):
                missed, wrong = len(bed.score.missed), len(bed.score.wrong)
                bed.run(number)
                for text in (*bed.score.missed[missed:], *bed.score.wrong[wrong:]):
                    print(text, flush=True)
        score = bed.score
        seconds = time.monotonic() - started
        print(
            f"Slurm {image.version}, {count} changes, {seconds:.0f} s: {dict(score.right)}, "
            f"{len(score.missed)} not named, {len(score.wrong)} named in vain",
            flush=True,
        )
        mistakes += len(score.missed) + len(score.wrong)
    return mistakes


if __name__ == "__main__":
    arguments = dict(zip(("seed", "count", "only"), sys.argv[1:], strict=False))
    sys.exit(main(int(arguments.get("seed", 1)), int(arguments.get("count", 1000)), arguments.get("only", "")) and 1)
