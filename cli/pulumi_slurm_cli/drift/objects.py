"""Objects in Kubernetes against those that the stack's file comes to.

Only what we write is compared: the API server, webhooks and the operator add the rest. Whose an other value is, the
managers of fields tell, since Pulumi applies on the server's side.
Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.units import quantity
from pulumi_slurm_cli.drift.finding import Finding, Kind
from pulumi_slurm_cli.shapes import Fields, Shape

Object = Mapping[str, Any]

COMPARED: Mapping[str, str] = MappingProxyType(
    {
        "Accounting": "accountings.slinky.slurm.net",
        "ConfigMap": "configmaps",
        "Controller": "controllers.slinky.slurm.net",
        "LoginSet": "loginsets.slinky.slurm.net",
        "NodeSet": "nodesets.slinky.slurm.net",
        "PodDisruptionBudget": "poddisruptionbudgets.policy",
        "RestApi": "restapis.slinky.slurm.net",
        "Service": "services",
    }
)
"""The kinds that are compared, as kubectl calls them. Jobs go after their time, and claims grow."""
_OURS = "pulumi"
"""How managers of Pulumi's fields begin."""
_LONGEST = 60


class _ManagedFields(Shape):
    manager: str | None = None
    time: str | None = None
    fields_v1: Fields | None = None


class _Metadata(Shape):
    name: str
    managed_fields: list[_ManagedFields] | None = None


class _Object(Shape):
    kind: str
    metadata: _Metadata


class LiveList(Shape):
    """What kubectl has to print, as far as it is read here."""

    items: list[_Object]


def of_objects(spec: SlurmSpec, pools: Sequence[NodePoolSpec], live: Iterable[Object]) -> Iterator[Finding]:
    """Yield how the live objects of `COMPARED` in the cluster's namespace differ from what the file describes.

    They are in the form of `LiveList`.
    """
    there = {(str(item["kind"]), str(item["metadata"]["name"])): item for item in live}
    for item in render(spec, pools):
        kind, name = str(item["kind"]), str(item["metadata"]["name"])
        if kind not in COMPARED:
            continue
        if live_object := there.get((kind, name)):
            yield from _differences(f"{kind} {name}", item, live_object)
        else:
            problem = "it isn't there: not applied, or somebody deleted it"
            yield Finding(Kind.OURS, f"{kind} {name}", problem, _WAY_BACK)


_WAY_BACK = "pulumi up --refresh"


def _differences(subject: str, rendered: Object, live: Object) -> Iterator[Finding]:
    written = {key: value for key, value in rendered.items() if key not in ("apiVersion", "kind", "metadata")}
    written["metadata"] = {
        key: value for key, value in rendered["metadata"].items() if key in ("labels", "annotations")
    }
    for steps, wanted, live_value in _compare(written, live, ()):
        path = ".".join(map(str, steps))
        problem = f"{path} is {_shown(live_value)}, and {_shown(wanted)} by the specification"
        if editor := _editor(live, steps):
            yield Finding(Kind.DANGEROUS, subject, f"{problem}; {editor} wrote it behind Pulumi", _WAY_BACK)
        else:
            yield Finding(Kind.OURS, subject, f"{problem}, which isn't applied", _WAY_BACK)


def _compare(
    rendered: Any, live: Any, steps: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """Yield where something that we wrote is not so; what others add is left out."""
    if isinstance(rendered, Mapping) and (isinstance(live, Mapping) or (live is None and not rendered)):
        for key, value in rendered.items():
            yield from _compare(value, (live or {}).get(key), (*steps, key))
    elif isinstance(rendered, list | tuple) and isinstance(live, list) and len(rendered) == len(live):
        for index, (one, other) in enumerate(zip(rendered, live, strict=True)):
            yield from _compare(one, other, (*steps, index))
    elif not _same(rendered, live):
        yield steps, rendered, live


def _same(rendered: Any, live: Any) -> bool:
    """Return whether values are the same: the API server writes quantities in its own way, and drops what is empty."""
    if (
        rendered == live
        or str(rendered) == str(live)
        or (live is None and rendered in ("", [], (), {}, None, False, 0))
    ):
        return True
    try:
        return quantity(str(rendered)) == quantity(str(live))
    except (ValueError, ArithmeticError):
        return False


def _editor(live: Object, steps: tuple[str | int, ...]) -> str | None:
    """Return who other than Pulumi wrote a field last, or what is around it; None if nobody did."""
    editors = [
        (str(entry.get("time")), str(entry.get("manager")))
        for entry in live["metadata"].get("managedFields") or []
        if not entry.get("subresource")
        and not str(entry.get("manager")).startswith(_OURS)
        and _owns(entry.get("fieldsV1") or {}, steps)
    ]
    return max(editors)[1] if editors else None


def _owns(fields: Any, steps: tuple[str | int, ...]) -> bool:
    for step in steps:
        if isinstance(step, int):
            # Items of lists are known by keys of their own.
            break
        if not isinstance(fields, Mapping) or f"f:{step}" not in fields:
            return False
        fields = fields[f"f:{step}"]
    return True


def _shown(value: Any) -> str:
    if value is None:
        return "not there"
    text = str(value)
    return text if len(text) <= _LONGEST and text.isprintable() else "another text"
