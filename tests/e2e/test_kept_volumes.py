"""Volumes that are there stay as they are made, whatever their size is said to be later; a review says so."""

from typing import Any

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from tests.e2e.changed_pods import Bed
from tests.e2e.objects import Objects
from tests.waiting import eventually

NAME = "volumes"


def side(size: str, replicas: int) -> ClusterSide:
    claims = [{"name": "local", "mountPath": "/local", "size": size, "storageClass": "standard"}]
    node_set = {"name": "cpu", "machine": {"cpus": 1, "memory": "1Gi"}, "replicas": replicas, "volumeClaims": claims}
    stated: dict[str, Any] = {"name": NAME, "namespace": NAME, "operatorVersion": "1.1.0", "accounting": {}}
    return ClusterSide(*load({**stated, "controller": {"state": {"size": size}}, "nodeSets": [node_set]}))


@pytest.mark.repeats("tests/unit/review/test_effects.py, by the operator's source")
def test_claims_that_are_there_stay_and_later_ones_are_others(objects: Objects) -> None:
    bed = Bed(objects, NAME)

    def sizes() -> dict[str, str]:
        claims = objects.all("PersistentVolumeClaim", NAME)
        return {item["metadata"]["name"]: item["spec"]["resources"]["requests"]["storage"] for item in claims}

    bed.prepare(side("1Gi", 1))
    pods = bed.pods(side("1Gi", 1))
    before = eventually("both claims", sizes, lambda seen: len(seen) == 2)
    assert {*before.values()} == {"1Gi"}
    assert bed.pods(side("2Gi", 1)) == pods
    assert bed.pods(side("2Gi", 2)) == pods
    after = eventually("the claim of another worker", sizes, lambda seen: len(seen) > len(before))
    assert before.items() <= after.items()
    assert [after[name] for name in after.keys() - before.keys()] == ["2Gi"]
    bed.close()
