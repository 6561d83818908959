"""Helm's share of objects: it owns the fields that it wrote, and would keep a stack from changing and removing them.

An entry is left with the mapping of labels alone: where no entry is left, the first apply finds "before-first-apply" to
be the owner of all fields. Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/, "Transferring
ownership", and skipnonapplied.go in util/managedfields/internal of https://github.com/kubernetes/apimachinery.
"""

import json
import shlex
from collections.abc import Iterator, Mapping

from pulumi_slurm.visible import visible_json
from pulumi_slurm_cli.adopting.live import CONFIG_MAP, KINDS, SLINKY, LiveObjects, Object, title
from pulumi_slurm_cli.adopting.release import RECORDS, Release

_STAY = ("pulumi-kubernetes", "slurm-operator")
"""Owners that a stack lives with, by how their names begin."""


_TAKEN_OVER = (*KINDS, CONFIG_MAP)


def commands(release: Release, live: LiveObjects, cluster: Mapping[str, str]) -> list[str]:
    """Return the commands by which Helm, and who else wrote to the objects of a release, owns them no more.

    ``cluster`` has kubectl's context and kubeconfig, as far as they are given. The last command deletes Helm's records.
    """
    kubectl = ["kubectl", *(f"--{name}={value}" for name, value in cluster.items())]
    lines = []
    for item in release.objects:
        live_object = live.find(item["kind"], item["metadata"]["name"]) if item["kind"] in _TAKEN_OVER else None
        for patch in _patches(live_object) if live_object else ():
            where = [f"--namespace={release.namespace}", "patch", _resource(item), item["metadata"]["name"]]
            lines.append(shlex.join([*kubectl, *where, "--type=json", f"--patch={visible_json(json.dumps(patch))}"]))
    selector = RECORDS.format(name=release.name)
    return [
        *lines,
        shlex.join([*kubectl, f"--namespace={release.records}", "delete", "secret", f"--selector={selector}"]),
    ]


def without_owners(release: Release, live: LiveObjects) -> list[str]:
    """Return the objects of a release of which nothing says who owns their fields, as kubectl shows them by itself."""
    named = [(item["kind"], item["metadata"]["name"]) for item in release.objects if item["kind"] in _TAKEN_OVER]
    live_objects = [live.find(*one) for one in named]
    return [title(item) for item in live_objects if item and "managedFields" not in item["metadata"]]


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
