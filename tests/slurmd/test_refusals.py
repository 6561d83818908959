"""What we refuse, slurmctld refuses: each specification is told its error, and its lines end slurmctld at once.

What slurmctld takes and does not do is in `test_refusals_misread.py`; what only jobs show, in `test_refusals_jobs.py`.
"""

import re

import pytest

from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import NODE_SETS, Refusal, refused_at
from tests.slurmd.refused_options import OPTIONS
from tests.slurmd.refused_partitions import PARTITIONS, PREEMPTION

REFUSALS = {**OPTIONS, **PREEMPTION, **PARTITIONS}
WRONG_FILES = {
    "cgroup.conf": ("ConstrainCore=yes\n", "", "unrecognized key: ConstrainCore"),
    "topology.conf": ("SwitchName=s Node=cpu-0\n", "TopologyPlugin=topology/tree\n", "unrecognized key: Node"),
}
"""Wrong lines of other files that slurmctld reads, the line of slurm.conf that has it read them, and its words."""


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS.keys())
def test_slurmctld_refuses_what_we_refuse(cluster: Cluster, refusal: Refusal) -> None:
    assert refused_at(refusal.spec) == [refusal.path]
    assert re.search(refusal.message, cluster.refusal(files(f"{NODE_SETS}{refusal.lines}\n")))


@pytest.mark.parametrize("name", WRONG_FILES)
def test_slurmctld_refuses_the_files_that_we_refuse(cluster: Cluster, name: str) -> None:
    text, line, message = WRONG_FILES[name]
    assert refused_at(f"configFiles: {{{name}: '{text}'}}") == [f'configFiles["{name}"]']
    assert message in cluster.refusal({**files(NODE_SETS + line), name: text})
