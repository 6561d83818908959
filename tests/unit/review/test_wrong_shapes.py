"""Events and inputs of a wrong shape: told by line, path and value, and no traceback."""

import contextlib
import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.ack.resources import NODE_POOL as ACK_POOL
from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.gke.resources import NODE_POOL as GKE_POOL
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.cluster_side import COMPONENT
from pulumi_slurm_cli.review.engine_events import UnreadableEventsError, read_events
from pulumi_slurm_cli.review.markdown import markdown
from pulumi_slurm_cli.review.picture import svg
from pulumi_slurm_cli.review.report import Review, now
from tests.unit.review.test_effects import DATA
from tests.unit.wrong_shapes import WRONG, Steps, paths, put

CONTROLLER = "kubernetes:slinky.slurm.net/v1beta1:Controller"
INPUTS: Mapping[str, Any] = {
    CONTROLLER: {"metadata": {"name": "slurm", "namespace": "slurm"}, "spec": {"external": True}},
    "kubernetes:core/v1:Namespace": {"metadata": {"name": "slurm"}},
    "kubernetes:helm.sh/v4:Chart": {"chart": "slurm-operator", "version": "1.2.1"},
    GKE_POOL: {
        "name": "gpu",
        "nodeConfig": {"machineType": "a3-highgpu-8g", "spot": True},
        "nodeLocations": ["us-central1-a"],
        "autoscaling": {"minNodeCount": 0, "maxNodeCount": 2},
    },
    ACK_POOL: {
        "nodePoolName": "gpu",
        "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"],
        "scalingConfig": {"enable": True, "minSize": 0, "maxSize": 2},
    },
    COMPONENT: {"spec": DATA["base"], "pools": []},
}
SUMMARY = '{"sequence": 3, "summaryEvent": {"result": "succeeded"}}'


def event(resource_type: str, new: Any, op: str = "update") -> Any:
    urn = f"urn:pulumi:prod::hpc::{resource_type}::a"
    metadata = {"op": op, "urn": urn, "type": resource_type, "old": {"inputs": INPUTS[resource_type]}, "new": new}
    return {"sequence": 1, "resourcePreEvent": {"metadata": metadata}}


@spelled(Spelling.CAMEL_CASE)
def reviewed(*events: Any) -> Review:
    preview = read_events([*map(json.dumps, events), SUMMARY])
    found = review(preview, {}, source="preview", commit=None, made_at=now())
    assert markdown(found, 60_000)
    svg(found.clusters)
    return found


@pytest.mark.parametrize(
    ("resource_type", "inputs", "told"),
    [
        (CONTROLLER, 3, "inputs = 3: this is not a mapping"),
        (CONTROLLER, {"metadata": 3}, "inputs.metadata = 3: this is not a mapping"),
    ],
)
def test_inputs_of_a_wrong_shape_are_told(resource_type: str, inputs: Any, told: str) -> None:
    with pytest.raises(UnreadableEventsError) as raised:
        reviewed(event(resource_type, {"inputs": inputs}))
    assert str(raised.value) == f"line 1 is no event of the engine: resourcePreEvent.metadata.new.{told}"


@pytest.mark.parametrize("text", [UNKNOWN, SECRET])
@pytest.mark.parametrize(
    ("resource_type", "field"),
    [(CONTROLLER, "metadata"), *((GKE_POOL, field) for field in INPUTS[GKE_POOL]), (ACK_POOL, "scalingConfig")],
)
def test_what_is_not_known_yet_is_no_wrong_shape(resource_type: str, field: str, text: str) -> None:
    assert not reviewed(event(resource_type, {"inputs": {**INPUTS[resource_type], field: text}})).errors


def test_a_specification_of_a_wrong_shape_is_told() -> None:
    assert reviewed(event(COMPONENT, {"inputs": {"spec": {**DATA["base"], "controller": 3}}})).errors == [
        "the specification of a, as another release wrote it: spec.controller: this is not a mapping"
    ]
    assert reviewed(event(COMPONENT, {"inputs": {"spec": DATA["base"], "pools": True}})).errors == [
        "the specification of a, as another release wrote it: pools = true: this is not a list"
    ]


def test_a_cluster_that_goes_and_has_no_inputs_is_told() -> None:
    imported = event(COMPONENT, None, "delete")
    imported["resourcePreEvent"]["metadata"]["old"] = {"inputs": {}}
    assert reviewed(imported).errors == [
        "the specification of a, as another release wrote it: spec: this field is required"
    ]


PLACES = [(resource_type, steps) for resource_type, inputs in INPUTS.items() for steps in paths(inputs)]


@pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
@given(st.sampled_from(PLACES), WRONG, st.sampled_from(["create", "update", "replace", "delete"]))
@settings(deadline=None, max_examples=80)
def test_no_shape_of_inputs_ends_in_a_traceback(place: tuple[str, Steps], value: Any, op: str) -> None:
    resource_type, steps = place
    new: Any = {"inputs": copy.deepcopy(INPUTS[resource_type])}
    put(new, ("inputs", *steps), value)
    made = event(resource_type, new, op)
    if op == "delete":
        made["resourcePreEvent"]["metadata"] |= {"old": new, "new": None}
    with contextlib.suppress(UnreadableEventsError):
        reviewed(made)
