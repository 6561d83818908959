"""In which order an engine makes what a program registers."""

from collections.abc import Iterable

from .conftest import Registered


def all_before(name: str, registered: Iterable[Registered]) -> set[str]:
    """Return the URNs of everything that is made before a resource, because of its dependencies or of theirs."""
    depends_on = {resource.name: resource.depends_on for resource in registered}
    found: set[str] = set()
    left = set(depends_on[name])
    while left:
        urn = left.pop()
        if urn not in found:
            found.add(urn)
            left |= depends_on.get(urn.rpartition("::")[2], frozenset())
    return found
