"""What a change of a specification means for jobs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from pulumi_slurm.loading import load
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_effects import cluster_effects
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.worker_fates import Fate, worker_fates
from tests.unit.strategies import specs

NOW = datetime(2026, 12, 1, tzinfo=UTC)
DATA = yaml.safe_load((Path(__file__).parent / "effects.yaml").read_text())


def side(changes: dict[str, Any] | None) -> ClusterSide | None:
    """Return the base with changes: of a list, item by item, and only as many as there are."""
    return None if changes is None else ClusterSide(*load(changed(DATA["base"], changes)))


def changed(base: Any, changes: Any) -> Any:
    if isinstance(base, dict) and isinstance(changes, dict):
        return {**base, **{key: changed(base.get(key), value) for key, value in changes.items()}}
    if isinstance(base, list) and isinstance(changes, list):
        return [changed(base[index] if index < len(base) else None, item) for index, item in enumerate(changes)]
    return changes


@pytest.mark.parametrize("name", DATA["cases"])
def test_what_a_change_means(name: str) -> None:
    case = DATA["cases"][name]
    change = ClusterChange("c", side(case.get("before", {})), side(case.get("after", {})))
    assert [f"{effect.verdict} | {effect.line}" for effect in cluster_effects(change, NOW)] == case["effects"]


@settings(max_examples=12)
@given(specs())
def test_the_same_means_nothing(drawn: Any) -> None:
    same = ClusterChange("c", ClusterSide(*drawn), ClusterSide(*drawn))
    assert list(cluster_effects(same, NOW)) == []
    assert {fate.fate for fate in worker_fates(same)} <= {Fate.STAY}


@settings(max_examples=12)
@given(specs(), specs())
def test_every_pair_of_specifications_has_effects(one: Any, other: Any) -> None:
    there, back = (ClusterChange("c", ClusterSide(*a), ClusterSide(*b)) for a, b in ((one, other), (other, one)))
    assert (list(cluster_effects(there, NOW)) == []) == (list(cluster_effects(back, NOW)) == [])
