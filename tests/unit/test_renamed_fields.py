"""Fields under names that they had before."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

import pulumi_slurm.ack.model
import pulumi_slurm.gke.model
import pulumi_slurm.machines.ack
import pulumi_slurm.machines.gke  # noqa: F401
from pulumi_slurm import SpecError
from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.model.base import Model

GKE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}
ACK = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-i"]}
POOL = {"name": "l4", "machineType": "g2-standard-4", "maxNodes": 2}


def models(base: type[Model] = Model) -> Iterator[type[Model]]:
    for model in base.__subclasses__():
        yield model
        yield from models(model)


def test_every_new_name_is_that_of_a_field_and_no_old_one_is() -> None:
    renamed = [model for model in models() if model._renamed_fields]
    assert renamed
    for model in renamed:
        names = {to_camel(name) for name in model.model_fields}
        assert set(model._renamed_fields.values()) <= names, model
        assert not set(model._renamed_fields) & names, model


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"operator": "gke-addon"}, "operator: this field is called slurmOperator now."),
        ({"database": {"regional": True}}, "database.regional = true: this field is called highAvailability now."),
        (
            {"controlPlane": {"maintenanceWindow": {"end": "2026-01-03T10:00:00Z"}}},
            "controlPlane.maintenanceWindow.end: this field is called hours now. Write hours: "
            "how long a window is, in hours.",
        ),
        (
            {"catalogue": {"machineTypes": [{"name": "x", "gpus": {"type": "nvidia-l4", "gres": "l4", "count": 1}}]}},
            "catalogue.machineTypes[0].gpus.gres: this field is called gresType now. Write gresType: Slurm's "
            "GRES type.",
        ),
        ({"pools": [{**POOL, "ladder": []}]}, "pools[0].ladder = []: this field is called priorities now."),
    ],
)
def test_an_old_name_on_gke_is_refused_with_the_new_one(fields: dict[str, Any], line: str) -> None:
    with pytest.raises(SpecError) as refused:
        load_gke({**GKE, **fields})
    assert line in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"runtime": "slinky"}, "runtime: this field is called slurmOperator now. Write slurmOperator: "),
        (
            {"cluster": {}},
            "this field is called controlPlane now. Write controlPlane: ACK's control plane.",
        ),
        (
            {"database": {"backupHour": 3}},
            "database.backupHour: this field is called backupTime now. Write backupTime: when a backup begins, in "
            'UTC, on the hour: "18:00".',
        ),
        (
            {"slurm": {"ssh": {"private": False}}},
            "slurm.ssh.private = false: this field is called internal now. Write internal: keep the load balancer off "
            "the Internet.",
        ),
    ],
)
def test_an_old_name_on_ack_is_refused_with_the_new_one(fields: dict[str, Any], line: str) -> None:
    with pytest.raises(SpecError) as refused:
        load_ack({**ACK, **fields})
    assert line in str(refused.value)
