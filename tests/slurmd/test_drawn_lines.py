"""What we accept starts: lines drawn from the whole catalogue, on slurmctld of each release.

`benchmarks/drawn_lines.py` draws more, with a seed of one's choice.
"""

from pathlib import Path

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.drawn_lines import draw
from tests.slurmd.verdicts import controllers, verdicts

HOSTS = 2
MANY = pytest.param(300, marks=pytest.mark.repeats("tests/slurmd/test_drawn_lines.py, with fewer lines"))


@pytest.mark.parametrize("count", [40, MANY])
def test_what_we_accept_starts_and_what_we_say_ends_slurmctld_ends_it(
    image: SlurmImage, tmp_path: Path, seed: int, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with controllers(image, tmp_path, HOSTS) as hosts:
        result = verdicts(hosts, draw(seed), Series.of(image.version), count)
    with capsys.disabled():
        print(f"\nSlurm {image.version}, {count} drawn lines: {dict(result.counts)}")
    assert not result.disagreements, "\n".join(result.disagreements)
