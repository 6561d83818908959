"""Slurm's records of nodes whose workers are gone."""

import pytest

from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from tests.unit.manifests.rendered import MACHINE, rendered_by_kind

WITH_DAEMON_SETS = [release for release in RELEASES if operator_version(release).minor >= (1, 1)]


@pytest.mark.parametrize("release", WITH_DAEMON_SETS)
def test_those_of_nodes_that_never_come_back_go_where_the_pod_leaves_them(release: str) -> None:
    """Workers of a DaemonSet are named after their nodes, and until 1.1 each deletes its record when it stops."""
    assert prune(release, "DaemonSet") == ("NodeNotFound" if operator_version(release).minor >= (1, 2) else None)
    assert prune(release, "StatefulSet") is None


def prune(release: str, mode: str) -> str | None:
    node_set = {"name": "cpu", "machine": MACHINE, "scalingMode": mode}
    spec = rendered_by_kind(operatorVersion=release, nodeSets=[node_set])["NodeSet"]["spec"]
    word: str | None = spec.get("pruneSlurmNodeRecords")
    return word
