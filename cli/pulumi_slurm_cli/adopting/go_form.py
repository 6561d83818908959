"""The form in which the operator reads its objects, by which it decides whether pods stay.

Of a NodeSet it compares the template and containers as Go writes them, where an empty object can be more than none. Of
the others it compares the pods that come out, and drops what is empty before it merges anything. Source: getPatch in
internal/controller/nodeset/nodeset_history.go, and removeEmpty in internal/utils/structutils/kube.go of slurm-operator,
v1.1.0.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_OF_METADATA = frozenset({"annotations", "labels"})
"""Objects that the operator doesn't merge but copies, so that they keep what is empty."""
_WITH_FREE_KEYS = _OF_METADATA | {"nodeSelector"}
"""Objects whose values are texts, of which an empty one counts."""
_NEVER_A_POINTER = _WITH_FREE_KEYS | {"limits", "metadata", "requests"}
"""Objects of Kubernetes that Go leaves out where they are empty."""
_CONTAINERS = ("slurmd", "logfile")


def node_set_form(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a NodeSet's spec without what Go leaves out or writes anyway."""
    form = {key: _written(value) for key, value in spec.items()}
    for name in _CONTAINERS:
        if isinstance(form.get(name), dict) and form[name].get("resources") == {}:
            # A structure, which Go always writes.
            del form[name]["resources"]
    return {key: value for key, value in form.items() if not _is_nothing(value) and value != {}}


def merged_form(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec of an object of another kind without what is empty."""
    form = _not_empty(spec)
    assert isinstance(form, dict)
    return form


def dropped(data: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths of what `merged_form` leaves out and a reader could take for something: false."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from dropped(value, (*steps, str(key)))
    elif data is False:
        yield steps


def _written(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping):
        written = {name: _written(item, name) for name, item in value.items()}
        return {
            name: item
            for name, item in written.items()
            if not (_is_nothing(item) and key not in _WITH_FREE_KEYS) and not (item == {} and name in _NEVER_A_POINTER)
        }
    return value


def _not_empty(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping) and key in _OF_METADATA:
        return {**value}
    if isinstance(value, Mapping):
        items = {name: _not_empty(item, name) for name, item in value.items()}
        return {key: item for key, item in items.items() if not _is_nothing(item) and item != {} and item is not False}
    return value


def _is_nothing(value: Any) -> bool:
    return value is None or value in ("", [])
