"""What sets the number of pods: replicas, an autoscaler, or the number of Kubernetes nodes."""

import pytest

from pulumi_slurm import SpecWarning, load


def test_partitions_whose_jobs_start_no_workers_or_those_of_others_are_warned_of() -> None:
    scaling = {"maxReplicas": 4}
    machine = {"cpus": 4, "memory": "8Gi"}
    node_sets = [{"name": name, "machine": machine, "autoscaling": scaling} for name in ("a", "b")]
    partitions = [{"name": "all", "nodeSets": ["ALL"], "defMemPerCpu": "1G"}, {"name": "a", "nodeSets": ["a"]}]
    settings = {"name": "c", "nodeSets": node_sets, "partitions": partitions, "monitoring": {"prometheus": {}}}
    with pytest.warns(SpecWarning) as shown:
        load(settings)
    at = 'nodeSets[{}].autoscaling.partition = "all"'
    sharing = (
        "each of its pending jobs would start workers of a, b, whichever it can run on. Give the node set a partition "
        "of its own. [autoscaled-partitions-are-counted-once]"
    )
    assert [str(warning.message) for warning in shown] == [
        f"{at.format(0)}: only its pending jobs start workers, those of a start none. Put the node set into one "
        "partition, or write a query. [autoscaled-partitions-are-counted-once]",
        f"{at.format(0)}: {sharing}",
        f"{at.format(1)}: {sharing}",
    ]
