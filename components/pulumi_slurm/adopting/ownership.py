"""Helm's share of objects: it owns the fields that it wrote, and would keep a stack from changing and removing them.

An entry is left with the mapping of labels alone: where no entry is left, the first apply finds "before-first-apply" to
be the owner of all fields. Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/, "Transferring
ownership", and skipnonapplied.go in util/managedfields/internal of https://github.com/kubernetes/apimachinery.
"""

import json
import shlex
from collections.abc import Iterator

from pulumi_slurm.adopting.live import CONFIG_MAP, KINDS, SLINKY, LiveObjects, Object
from pulumi_slurm.adopting.release import RECORDS, Release

_STAY = ("pulumi-kubernetes", "slurm-operator")
"""Owners that a stack lives with, by how their names begin."""


_TAKEN_OVER = (*KINDS, CONFIG_MAP)


def commands(release: Release, live: LiveObjects, *, context: str | None, records: str) -> list[str]:
    """Return the commands by which Helm, and who else wrote to the objects of a release, owns them no more.

    ``records`` is the namespace of Helm's records, which the last command deletes.
    """
    kubectl = ["kubectl", *([f"--context={context}"] if context else [])]
    lines = []
    for item in release.objects:
        found = live.find(item["kind"], item["metadata"]["name"]) if item["kind"] in _TAKEN_OVER else None
        for patch in _patches(found) if found else ():
            where = [f"--namespace={release.namespace}", "patch", _resource(item), item["metadata"]["name"]]
            lines.append(shlex.join([*kubectl, *where, "--type=json", f"--patch={json.dumps(patch)}"]))
    selector = RECORDS.format(name=release.name)
    return [*lines, shlex.join([*kubectl, f"--namespace={records}", "delete", "secret", f"--selector={selector}"])]


def _patches(item: Object) -> Iterator[list[Object]]:
    for index, entry in enumerate(item["metadata"].get("managedFields") or []):
        manager = str(entry.get("manager"))
        if entry.get("subresource") or manager.startswith(_STAY) or entry.get("fieldsV1") == _nothing():
            continue
        at = f"/metadata/managedFields/{index}"
        yield [
            {"op": "test", "path": f"{at}/manager", "value": manager},
            {"op": "replace", "path": f"{at}/fieldsV1", "value": _nothing()},
        ]


def _resource(item: Object) -> str:
    return "configmap" if item["kind"] == CONFIG_MAP else f"{item['kind'].lower()}s.{SLINKY}"


def _nothing() -> Object:
    return {"f:metadata": {"f:labels": {".": {}}}}
