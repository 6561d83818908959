"""Which pods a change replaces: what a review says of drawn changes, and what the operator does."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.login_sets import login_pod_fields
from pulumi_slurm_cli.review.pod_fields import pod_fields
from tests.e2e.changed_pods import Bed, single_changes
from tests.e2e.objects import Objects
from tests.e2e.random_specs import draw

RELEASE = "1.1.0"
"""The one that runs here."""
SPECIFICATIONS, CHANGES = 20, 8
"""How many specifications, and how many changes of each."""


@pytest.mark.repeats("tests/unit/review/test_effects.py, with fields of pods as the operator's source has them")
def test_the_operator_replaces_the_pods_that_a_review_names(objects: Objects, seed: int) -> None:
    numbers, seen = random.Random(seed), Counter[str]()
    # See `OperatorDefect.CRASHES_WITHOUT_ACCOUNTING`.
    drawn = [pair for pair in draw(RELEASE, 3 * SPECIFICATIONS, seed) if pair[0].accounting]
    wrong: list[str] = []
    for number, (one, other) in enumerate(pairwise(drawn[: SPECIFICATIONS + 1])):
        namespace = f"pods-{number}"
        bed = Bed(objects, namespace)
        for path, before, after in single_changes(one, other, namespace, CHANGES, seen, numbers):
            bed.prepare(before, after)
            pods_before, pods_after = bed.pods(before), bed.pods(after)
            for key in pods_before.keys() & pods_after.keys():
                named = _named(key, before, after)
                if (pods_before[key] != pods_after[key]) != bool(named):
                    what = f"is said to be replaced for {named}" if named else "isn't said to be replaced"
                    wrong.append(f"{path}: {key} {what}; before:\n{pods_before[key]}\nafter:\n{pods_after[key]}")
        bed.close()
    print(f"{sum(seen.values())} changes at {len(seen)} paths")
    assert len(seen) > SPECIFICATIONS
    assert not wrong, "\n\n".join(wrong)


def _named(key: tuple[str, str], before: ClusterSide, after: ClusterSide) -> list[str]:
    kind, name = key
    if kind == "LoginSet":
        return login_pod_fields(before, after, name)
    return pod_fields(before.objects[key], after.objects[key], before.spec.operator)
