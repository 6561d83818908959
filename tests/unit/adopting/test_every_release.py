"""The chart of each minor release with default values, as the API server stores it, comes to a stack without overrides.

No pod restarts, or a note says which.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import operator_version
from pulumi_slurm_cli.adopting import Adoption
from pulumi_slurm_cli.adopting.differences import differences
from pulumi_slurm_cli.adopting.draft import MAIN
from pulumi_slurm_cli.adopting.live import title
from tests.unit.adopting.chart import Object
from tests.unit.adopting.released import RELEASES, SETS, adopted, manifest, stored

pytestmark = pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
RESTARTS = (
    "slurmctld restarts once: controller.inplaceReconfigure is false, so the operator replaces its pod where "
    "slurm.conf changes. Jobs go on."
)
EMPTY: Object = {"template": {"spec": {"affinity": {}, "resources": {}}}}
"""Overrides of a NodeSet in which the operator compares empty objects, too."""
LOAD_BALANCER = {"service": {"spec": {"type": "LoadBalancer"}}}
"""That of the chart's login sets, whose address would be another with a Service of the stack's."""

SAID = {"Controller/slurm": {"clusterName"}}
"""What a stack says that was not said: the name that the operator gives the cluster, which is no pod's."""


def chart(release: str, which: str, **controller: object) -> tuple[Adoption, list[Object]]:
    """Return what a chart comes to, and its live objects, with other fields of the Controller."""
    objects = manifest(release, which)
    live = [stored(release, item) for item in objects]
    for item in live:
        if item["kind"] == "Controller":
            item["spec"] |= controller
    return adopted(release, objects, live), live


def overrides(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the overrides of a specification, by where they are."""
    for name in ("controller", "accounting", "restApi", "nodeSets", "loginSets"):
        parts = data.get(name, {})
        for part in parts if isinstance(parts, list) else [parts]:
            if "overrides" in part:
                yield name, part["overrides"]


def unequal(adoption: Adoption, live: list[Object]) -> dict[str, set[str]]:
    """Return the fields of the operator's objects that a stack would change, by object."""
    spec = load(adoption.data)[0]
    rendered = {title(item): item for item in render(spec)}
    found = {
        title(item): {".".join(one.steps) for one in differences(item, rendered[title(item)], spec.operator)}
        for item in live
        if item["kind"] in MAIN
    }
    return {name: paths for name, paths in found.items() if paths}


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("release", RELEASES)
def test_a_chart_is_adopted_without_overrides(release: str, which: str) -> None:
    adoption, live = chart(release, which)
    assert [*map(str, adoption.refused)] == []
    needed = {"nodeSets": EMPTY, "loginSets": LOAD_BALANCER}
    kinds = {item["kind"] for item in live}
    assert dict(overrides(adoption.data)) == {
        name: needed[name] for kind, name in (("NodeSet", "nodeSets"), ("LoginSet", "loginSets")) if kind in kinds
    }
    assert unequal(adoption, live) == SAID


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("release", RELEASES)
def test_a_restart_is_told(release: str, which: str) -> None:
    adoption, live = chart(release, which)
    changes = [note for note in adoption.notes if note.startswith("`up` changes slurm.conf")]
    in_place = operator_version(release.removesuffix("-rc1")).minor < (1, 2)
    assert (RESTARTS in adoption.notes) == (bool(changes) and not in_place)
    if not in_place:
        adoption, live = chart(release, which, inplaceReconfigure=True)
        assert (adoption.refused, unequal(adoption, live)) == ([], SAID)
        assert RESTARTS not in adoption.notes
