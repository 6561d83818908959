"""Fields that the release's table lacks, as of a newer operator: they become overrides, or are refused.

Adoption once had no end with some of them, so each test has a time limit.
"""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.adopting import LiveObjects, adopt
from pulumi_slurm_cli.adopting.draft import FILES, MAIN
from pulumi_slurm_cli.adopting.go_form import merged_form
from pulumi_slurm_cli.adopting.live import title
from tests.unit.adopting.chart import Object, adopted, objects, release
from tests.unit.adopting.test_live_objects import NODE_SET, changed

_ENDS = pytest.mark.timeout(120)


SCHEDULED = {"type": "ScheduledUpdate", "scheduledUpdate": {"startTime": "2027-01-01T00:00:00Z", "duration": "1h"}}
RESOURCES = {"image": "ghcr.io/slinkyproject/slurmd:25.11-ubuntu24.04", "resources": {"shares": 3}}
NO_SUCH_FIELD = "slurm-operator 1.1.0 knows no such field of a"


@_ENDS
@pytest.mark.parametrize(
    ("kind", "name", "spec", "refusal"),
    [
        (
            "NodeSet",
            NODE_SET,
            {"updateStrategy": SCHEDULED},
            f"updateStrategy.scheduledUpdate: {NO_SUCH_FIELD} NodeSet.",
        ),
        (
            "NodeSet",
            NODE_SET,
            {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}},
            f"updateStrategy.rollingUpdate.partition: {NO_SUCH_FIELD} NodeSet.",
        ),
        (
            "NodeSet",
            NODE_SET,
            {"slurmd": RESOURCES},
            "slurmd.resources.shares: Kubernetes has no such field here, and drops it.",
        ),
        (
            "NodeSet",
            NODE_SET,
            {"partition": {"enabled": False, "tier": 3}},
            "partition: pulumi-slurm derives this, and an override breaks the cluster.",
        ),
        (
            "RestApi",
            "slurm",
            {"template": {"metadata": {"finalizers": ["a"]}}},
            f"template.metadata.finalizers: {NO_SUCH_FIELD} RestApi.",
        ),
    ],
)
def test_a_field_that_the_release_lacks_is_refused(kind: str, name: str, spec: Object, refusal: str) -> None:
    refused = [*map(str, adopted({}, changed(kind, name, **spec)).refused)]
    assert refused == [f"{kind}/{name}: spec.{refusal} Change it by `helm upgrade` first."]


VALUES = {
    "accounting": {"enabled": True},
    "loginsets": {"slinky": {"enabled": True}},
    "configFiles": {"gres.conf": "AutoDetect=nvidia\n"},
    "nodesets": {"slinky": {"ssh": {"enabled": True}, "slurmd": {"volumeMounts": [{"name": "a", "mountPath": "/a"}]}}},
}
LIVE = objects(VALUES)
RELEASE = release(objects(VALUES, helm=False))


def mappings(data: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all mappings in an object."""
    if isinstance(data, dict):
        yield steps
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from mappings(value, (*steps, key))


PATHS = [(index, steps) for index, item in enumerate(LIVE) for steps in mappings(item)]
NAMES = st.from_regex(r"[a-z][A-Za-z]{2,12}", fullmatch=True) | st.sampled_from(["overrides", "pod", "state"])
SCALARS = st.sampled_from([None, False, True, 0, 3, "", "a", "a: b=\n", "1Gi"])
WHATEVER = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2), max_leaves=4
)


NOT_COMPARED: Mapping[str, list[tuple[str, ...]]] = {
    "Accounting": [("spec", "template", "metadata")],
    "Controller": [("spec", "metrics", "serviceMonitor"), *(("spec", reference) for reference in FILES)],
}
"""What the operator doesn't read, or isn't on; and references to ConfigMaps, of which it reads the names alone."""


def at(data: Any, steps: tuple[str | int, ...]) -> Any:
    """Return the mapping at a path; one of no use where another field has been drawn in its place."""
    for step in steps:
        try:
            data = data[step]
        except (LookupError, TypeError):
            return {}
    return data if isinstance(data, dict) else {}


@_ENDS
@pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
@given(st.lists(st.tuples(st.sampled_from(PATHS), NAMES, WHATEVER), min_size=1, max_size=3))
@settings(deadline=None, max_examples=20)
def test_any_field_becomes_overrides_or_is_refused(
    fields: list[tuple[tuple[int, tuple[str | int, ...]], str, Any]],
) -> None:
    live = copy.deepcopy(LIVE)
    for (index, steps), name, value in fields:
        at(live[index], steps)[name] = value
    adoption = adopt(RELEASE, LiveObjects(live))
    if adoption.refused:
        assert all(str(refusal).isprintable() for refusal in adoption.refused)
        return
    rendered = {title(item): item for item in render(load(adoption.data)[0])}
    for (index, steps), name, value in fields:
        kind, kept = live[index]["kind"], at(live[index], steps).get(name) is value
        not_compared = [path for path in NOT_COMPARED.get(kind, ()) if steps[: len(path)] == path]
        if kind in MAIN and steps[:1] == ("spec",) and kept and not not_compared:
            ours = at(rendered[title(live[index])], steps)
            assert merged_form({name: ours.get(name)}) == merged_form({name: value})
