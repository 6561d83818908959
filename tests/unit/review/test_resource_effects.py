"""What changes of resources mean for jobs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange, changed_fields
from pulumi_slurm_cli.review.resource_effects import resource_effects
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate

CASES = yaml.safe_load((Path(__file__).parent / "resources.yaml").read_text())


def change(case: dict[str, Any]) -> ResourceChange:
    operation = Operation.REPLACE if "replacedFor" in case else Operation.UPDATE if "new" in case else Operation.DELETE
    return ResourceChange(
        urn=f"urn:pulumi:s::p::{case.get('within', 'x')}${case['type']}::r",
        type=case["type"],
        name="r",
        operation=operation,
        old=case["old"],
        new=case.get("new"),
        replaced_for=tuple(case.get("replacedFor", ())),
        protected=case.get("protected", False),
        retained=case.get("retained", False),
    )


@pytest.mark.parametrize("name", CASES)
def test_what_a_resource_means(name: str) -> None:
    case = CASES[name]
    pools = {
        pool: [WorkerFate(node_set, node_set, None, None, Fate(fate)) for node_set, fate in node_sets.items()]
        for pool, node_sets in case.get("pools", {}).items()
    }
    found = resource_effects([change(case)], {("NodeSet", "explained")}, pools)
    assert [f"{effect.verdict} | {effect.line}" for effect in found] == case["effects"]


def test_a_namespace_that_goes_while_another_resource_makes_it() -> None:
    kind, old = "kubernetes:core/v1:Namespace", {"metadata": {"name": "slurm"}}
    goes = change({"type": kind, "old": old})
    comes = replace(goes, urn="urn:pulumi:s::p::x::new", operation=Operation.CREATE, old=None, new=old)
    other = replace(comes, new={"metadata": {"name": "other"}})
    (kept,), (refused,) = ([*resource_effects([goes, new], (), {})] for new in (other, comes))
    assert kept.line == "Namespace slurm: is deleted. Everything in it goes."
    assert refused.line == (
        "Namespace slurm: is deleted. Everything in it would go, the cluster that is made in it too. The update "
        "refuses to make that."
    )
    assert kept.verdict is refused.verdict is Verdict.ENDS


def test_no_secret_and_no_text_of_many_lines_is_shown() -> None:
    old = {"a": "x", "b": {"c": SECRET, "d": [1], "e": False}, "f": 1}
    new = {"a": UNKNOWN, "b": {"c": "y", "d": [2], "e": True}}
    found = changed_fields(change({"type": "a:b:C", "old": old, "new": new}))
    assert found == [("a", "a"), ("b.c", "b.c"), ("b.d", "b.d"), ("b.e", "e false → true"), ("f", "f 1 → not set")]


@pytest.mark.parametrize("metadata", [UNKNOWN, {"name": UNKNOWN}, {}])
def test_an_object_whose_name_is_not_known_is_called_as_its_resource(metadata: object) -> None:
    sides = {"old": {"metadata": metadata}, "new": {"metadata": metadata}}
    (effect,) = resource_effects(
        [change({"type": "kubernetes:core/v1:PersistentVolume", **sides, "replacedFor": ["m"]})], (), {}
    )
    assert effect.line.startswith("PersistentVolume r: is replaced")


@pytest.mark.parametrize("name", [UNKNOWN, "other"])
def test_an_object_that_is_made_anew_under_another_name_goes_by_its_old_one(name: str) -> None:
    sides = {"old": {"metadata": {"name": "slurm"}}, "new": {"metadata": {"name": name}}}
    (effect,) = resource_effects(
        [change({"type": "kubernetes:core/v1:Namespace", **sides, "replacedFor": ["metadata.name"]})], (), {}
    )
    assert effect.line.startswith("Namespace slurm: is replaced")
