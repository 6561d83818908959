"""When the operator that runs here crashes for a Slurm cluster without accounting beside one with it.

See `OperatorDefect.CRASHES_WITHOUT_ACCOUNTING`, and what a review says of it.
"""

import pytest

from devcluster.cluster import Cluster
from devcluster.slurm_operator import MANAGER
from pulumi_slurm.loading import load
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from tests.e2e.changed_pods import Bed
from tests.e2e.objects import Objects
from tests.waiting import eventually

NAME = "crash"


def side(*, has_accounting: bool) -> ClusterSide:
    stated = {"name": NAME, "namespace": NAME, "operatorVersion": "1.1.0"}
    return ClusterSide(*load({**stated, "accounting": {}} if has_accounting else stated))


@pytest.mark.repeats("tests/unit/test_rules_of_clusters.py, by the operator's source")
def test_it_crashes_until_both_have_accounting_or_none(cluster: Cluster, objects: Objects) -> None:
    without, with_accounting = side(has_accounting=False), side(has_accounting=True)
    accounting = with_accounting.objects["Accounting", NAME]
    bed = Bed(objects, NAME)
    bed.prepare(without, with_accounting)

    def crashes() -> None:
        eventually("the end of the operator", lambda: not cluster.running, promptly=True)

    try:
        bed.pods(without)
        objects.apply(accounting)
        crashes()
        cluster.start_process(MANAGER)
        crashes()

        objects.apply(with_accounting.objects["Controller", NAME])
        cluster.start_process(MANAGER)
        bed.pods(with_accounting)

        objects.apply(without.objects["Controller", NAME])
        objects.delete("Accounting", NAME, NAME)
        crashes()
        cluster.start_process(MANAGER)
        bed.pods(without)
    finally:
        bed.close()
