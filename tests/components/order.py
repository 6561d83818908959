"""In which order an engine makes what a program registers."""

from collections.abc import Collection, Iterable
from functools import cache

from tests.components.conftest import Registered

MOST_STEPS = 30_000_000
"""How many steps `steps` may count from one resource: an engine makes them within seconds."""


def all_before(name: str, registered: Collection[Registered]) -> set[str]:
    """Return the URNs of everything that is made before a resource: its dependencies and its provider, and theirs."""
    leads_to = {resource.urn: resource.leads_to for resource in registered}
    found: set[str] = set()
    left = {urn for resource in registered if resource.name == name for urn in resource.leads_to}
    while left:
        urn = left.pop()
        if urn not in found:
            found.add(urn)
            left.update(leads_to.get(urn, ()))
    return found


def made_by(kinds: Collection[str], registered: Iterable[Registered]) -> set[str]:
    """Return the URNs of what components of these kinds make, themselves or by components of theirs."""
    inside = {f"slurm:index:{kind}" for kind in kinds}
    components: set[str] = set()
    found: set[str] = set()
    for resource in registered:  # A parent comes before its children.
        if resource.typ in inside or resource.parent in components:
            (components if resource.typ.startswith("slurm:index:") else found).add(resource.urn)
    return found


def steps(registered: Iterable[Registered]) -> dict[str, int]:
    """Return for each resource, by URN, how many steps an engine makes to find all that comes before it.

    It looks for that when the resource can't be deleted, and goes from each resource to its provider and to all that
    its dependencies name, however often it has been there: see `markAsDependency` in Pulumi's
    pkg/resource/graph/dependency_graph.go, v3.259. So steps multiply wherever several resources depend on several.
    """
    leads_to = {resource.urn: resource.leads_to for resource in registered}

    @cache
    def count(urn: str) -> int:
        return 1 + sum(count(each) for each in leads_to.get(urn, ()))

    return {urn: count(urn) for urn in leads_to}
