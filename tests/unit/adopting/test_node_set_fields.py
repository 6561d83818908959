"""What a field of a node set makes of a NodeSet comes back as this field, and not as overrides."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm.model.node_set_fields import NODE_SET_FIELDS
from tests.unit.adopting.chart import Object
from tests.unit.adopting.released import adopted, manifest, stored

pytestmark = pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
RELEASE = "1.2.1"
SCHEDULED = {"type": "ScheduledUpdate", "startTime": "2027-01-09T22:00:00Z", "duration": "2h", "flags": ["WEEKLY"]}
VALUES: Mapping[str, Any] = {
    "replicas": 3,
    "scaling_mode": "DaemonSet",
    "features": ["fast", "new"],
    "weight": 7,
    "extra_gres": ["tmpdisk:100G"],
    "slurmd_options": {"Parameters": "l3cache_as_socket"},
    "partition": {"maxTime": "12:00:00"},
    "ssh": {"extraSshdConfig": "LogLevel VERBOSE"},
    "pin_to_node": True,
    "oversubscribe_node": True,
    "ordinal_padding": 3,
    "claims_when_deleted": "Delete",
    "claims_when_scaled": "Delete",
    "host_name_prefix": "worker-",
    "extra_volumes": [{"name": "a", "emptyDir": {}}],
    "extra_volume_mounts": [{"name": "a", "mountPath": "/a"}],
    "update_strategy": SCHEDULED,
    "min_ready_seconds": 5,
    "revision_history_limit": 3,
    "workload_disruption_protection": False,
    "image": "mirror.example.com/slurmd:26.05-ubuntu26.04",
}
"""A value of each field that comes back."""
OTHERWISE: Mapping[str, str] = {
    "name": "it is in the name of the object",
    "pool": "a chart has none: what it sets comes back as `pod` and overrides",
    "machine": "the same",
    "gpus": "the same",
    "autoscaling": "replicas come back, and a note says who has set them",
    "bridged": "a chart has no bridge",
    "volume_claims": "refused: see test_live_objects.py",
    "host_paths": "as extraVolumes and extraVolumeMounts",
    "shared_memory": "as extraVolumes and extraVolumeMounts",
    "sidecars": "as overrides of initContainers",
    "pod": "in parts: see releases.yaml",
    "wait": "it is Pulumi that waits",
    "overrides": "what has no field comes back in them",
}
"""Fields that don't, and what becomes of what they set."""


def test_every_field_is_here() -> None:
    assert VALUES.keys() | OTHERWISE.keys() == NODE_SET_FIELDS.keys()
    assert not VALUES.keys() & OTHERWISE.keys()


@pytest.mark.parametrize("name", VALUES)
def test_a_field_comes_back(name: str) -> None:
    objects = manifest(RELEASE, "one of each")
    live = [stored(RELEASE, item) for item in objects]
    data: Any = copy.deepcopy(adopted(RELEASE, objects, live).data)
    (node_set,) = data["nodeSets"]
    alias = str(NodeSetSpec.model_fields[name].alias)
    others = {key: value for key, value in node_set.items() if not (name == "scaling_mode" and key == "replicas")}
    data["nodeSets"] = [{**others, alias: VALUES[name], **WITH.get(name, {})}]
    made = [stored(RELEASE, item) for item in render(load(data)[0]) if item["kind"] == "NodeSet"]
    again = adopted(RELEASE, objects, [*(item for item in live if item["kind"] != "NodeSet"), *made])
    assert [*map(str, again.refused)] == []
    (found,) = again.data["nodeSets"]
    assert (found[alias], found["overrides"]) == (VALUES[name], node_set["overrides"])


WITH: Mapping[str, Object] = {"extra_volume_mounts": {"extraVolumes": VALUES["extra_volumes"]}}
"""Other fields that a field needs."""
