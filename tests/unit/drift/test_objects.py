"""Objects in Kubernetes: every edit of what we wrote is found and named, and nothing else."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from devcluster.folders import CHECKOUT
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.drift import Kind
from pulumi_slurm_cli.drift.objects import COMPARED, of_objects
from tests.unit.drift.worlds import STACK, stated

LOCAL = yaml.safe_load((CHECKOUT / "Pulumi.local.yaml").read_text())
LOCAL["config"] |= {"slurm:rootKey": {"secure": "AAABAI"}, "slurm:kind": "kubernetes"}
SPEC, POOLS = stated(yaml.safe_dump(LOCAL))
PULUMI = {"manager": "pulumi-kubernetes-1a2b", "operation": "Apply", "time": "2026-11-01T00:00:00Z", "fieldsV1": {}}


def world() -> list[dict[str, Any]]:
    """Return the objects as the API server would have them, with what it adds."""
    found = [json.loads(json.dumps(item)) for item in render(SPEC, POOLS) if item["kind"] in COMPARED]
    for item in found:
        item["metadata"] |= {"uid": "1", "managedFields": [PULUMI]}
        item["metadata"].setdefault("annotations", {})["added"] = "by-others"
        item.setdefault("spec", {})["revisionHistoryLimit"] = 10
        item["status"] = {"replicas": 1}
    return found


def leaves(value: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not isinstance(value, dict | list):
        yield steps
    for step, inner in pairs:
        yield from leaves(inner, (*steps, step))


WRITTEN = [
    (number, ("metadata", *steps) if part == "metadata" else (part, *steps))
    for number, item in enumerate(item for item in render(SPEC, POOLS) if item["kind"] in COMPARED)
    for part, content in (
        *((part, item[part]) for part in item if part in ("spec", "data")),
        ("metadata", {"labels": item["metadata"]["labels"]}),
    )
    for steps in leaves(copy.deepcopy(content))
]


def test_nothing_is_found_in_an_untouched_world() -> None:
    assert [item.line for item in of_objects(SPEC, POOLS, world())] == []


def edit(item: dict[str, Any], steps: tuple[str | int, ...], *, editor: bool) -> None:
    value: Any = item
    for step in steps[:-1]:
        value = value[step]
    old = value[steps[-1]]
    value[steps[-1]] = (
        old + 7
        if isinstance(old, int) and not isinstance(old, bool)
        else not old
        if isinstance(old, bool)
        else f"{old}-edited"
    )
    fields: dict[str, Any] = {}
    inner = fields
    for step in steps:
        if isinstance(step, int):
            break
        inner = inner.setdefault(f"f:{step}", {})
    if editor:
        entry = {"manager": "kubectl-edit", "operation": "Update", "time": "2026-11-25T00:00:00Z", "fieldsV1": fields}
        item["metadata"]["managedFields"] = [PULUMI, entry]


@given(st.sampled_from(WRITTEN), st.booleans())
def test_an_edit_is_found_and_named(at: tuple[int, tuple[str | int, ...]], editor: bool) -> None:
    number, steps = at
    objects = world()
    edit(objects[number], steps, editor=editor)
    random.shuffle(objects)
    (finding,) = of_objects(SPEC, POOLS, objects)
    edited = world()[number]
    assert finding.subject == f"{edited['kind']} {edited['metadata']['name']}"
    assert finding.problem.startswith(".".join(map(str, steps)))
    assert finding.kind is (Kind.DANGEROUS if editor else Kind.OURS)
    assert ("kubectl-edit wrote it behind Pulumi" in finding.problem) == editor


@given(st.integers(0, len(world()) - 1))
def test_an_object_that_is_gone_is_found(number: int) -> None:
    objects = world()
    gone = objects.pop(number)
    (finding,) = of_objects(SPEC, POOLS, objects)
    assert (finding.kind, finding.subject) == (Kind.OURS, f"{gone['kind']} {gone['metadata']['name']}")


def test_quantities_are_compared_by_what_they_mean() -> None:
    objects = world()
    for item in objects:
        for steps in [*leaves({key: item[key] for key in item if key == "spec"})]:
            value: Any = item
            for step in steps[:-1]:
                value = value[step]
            if value[steps[-1]] == "1Gi":
                value[steps[-1]] = "1024Mi"
    assert [*of_objects(SPEC, POOLS, objects)] == []


def test_a_change_of_the_file_that_is_not_applied_is_ours() -> None:
    spec, pools = stated(yaml.safe_dump(LOCAL).replace("weight: 10", "weight: 11"))
    (finding,) = of_objects(spec, pools, world())
    assert (finding.kind, finding.subject) == (Kind.OURS, "NodeSet slurm-worker-gpu")
    assert finding.problem.endswith(", which isn't applied")
    assert finding.way_back == "pulumi up --refresh"


def test_no_long_text_is_shown() -> None:
    objects = world()
    (config,) = (item for item in objects if item["metadata"]["name"].startswith("slurm-config-"))
    name = next(iter(config["data"]))
    config["data"][name] = "x" * 1000
    (finding,) = of_objects(SPEC, POOLS, objects)
    assert finding.problem == f"data.{name} is another text, and another text by the specification, which isn't applied"


@pytest.mark.parametrize("live", [[], [{"kind": "NodeSet", "metadata": {"name": "other"}}]])
def test_a_cluster_without_them_lacks_all(live: list[dict[str, Any]]) -> None:
    spec, pools = stated(STACK)
    found = [*of_objects(spec, pools, live)]
    assert len(found) == len([item for item in render(spec, pools) if item["kind"] in COMPARED])
