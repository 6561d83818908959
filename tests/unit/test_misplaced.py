"""A field that is written at the wrong level is told where it belongs."""

import pytest
from pydantic import BaseModel

from pulumi_slurm.errors import place_of
from pulumi_slurm.model import NodeSetSpec, SharedVolumeSpec, SlurmSpec
from pulumi_slurm_stacks.config import config_model


@pytest.mark.parametrize(
    ("model", "name", "place"),
    [
        (NodeSetSpec, "cpus", "machine.cpus"),
        (NodeSetSpec, "max_replicas", "autoscaling.maxReplicas"),
        (SharedVolumeSpec, "path", "nfs.path"),
        (SlurmSpec, "schedulerParameters", "slurmConf.schedulerParameters"),
        (SlurmSpec, "qos", 'partitions[].qos" or "accounting.qos'),
        (config_model("local"), "nodeSets", "cluster.nodeSets"),
    ],
)
def test_a_field_of_a_level_below_is_asked_for(model: type[BaseModel], name: str, place: str) -> None:
    assert place_of(model, name) == f'Did you mean "{place}"?'


@pytest.mark.parametrize("name", ["nodesets", "nodeSet", "partition", "replicas", "image", "nosuch", ""])
def test_what_is_nowhere_or_in_many_places_is_left_to_other_suggestions(name: str) -> None:
    assert place_of(SlurmSpec, name) is None
