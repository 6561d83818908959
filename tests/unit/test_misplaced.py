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
        (NodeSetSpec, "max_replicas", "autoscaling.max_replicas"),
        (SharedVolumeSpec, "path", "nfs.path"),
        (SlurmSpec, "schedulerParameters", "slurm_conf.scheduler_parameters"),
        (SlurmSpec, "qos", 'partitions[].qos" or "accounting.qos'),
    ],
)
def test_a_field_of_a_level_below_is_asked_for(model: type[BaseModel], name: str, place: str) -> None:
    assert place_of(model, name) == f'Did you mean "{place}"?'


@pytest.mark.usefixtures("spelled_as_in_files")
def test_a_key_of_a_stacks_file_has_its_spelling() -> None:
    assert place_of(config_model("local"), "nodeSets") == 'Did you mean "cluster.nodeSets"?'


@pytest.mark.parametrize("name", ["nodesets", "nodeSet", "partition", "replicas", "image", "nosuch", ""])
def test_what_is_nowhere_or_in_many_places_is_left_to_other_suggestions(name: str) -> None:
    assert place_of(SlurmSpec, name) is None
