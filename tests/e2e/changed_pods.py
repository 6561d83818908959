"""Single changes of drawn specifications, and for which of them the operator makes other pods."""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.immutable import made_anew_for
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_cli.adopting.adoption import IN_KUBERNETES_FORM
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from tests.e2e.objects import Objects, uid
from tests.unit.wrong_shapes import Steps, at, paths, put
from tests.waiting import eventually, eventually_nothing

STEP = "example.org/step"
"""An annotation that the operator passes on to pods' templates: where it has arrived, so has all the rest."""
WORKLOADS = {
    "Controller": "StatefulSet",
    "Accounting": "StatefulSet",
    "RestApi": "Deployment",
    "LoginSet": "Deployment",
}
"""What the operator makes of its objects, those first which the others ask for."""
KINDS = (*WORKLOADS, "NodeSet")
OWN_PATHS = ("name", "namespace", "operatorVersion")
"""Fields that are the same on both sides."""

Drawn = tuple[SlurmSpec, list[NodePoolSpec]]


def single_changes(
    one: Drawn, other: Drawn, namespace: str, count: int, seen: Counter[str], numbers: random.Random
) -> Iterator[tuple[str, ClusterSide, ClusterSide]]:
    """Yield accepted changes of one specification at one path, to what the other has there or to nothing.

    Of the paths those come first of which ``seen`` has the fewest; each change is the path, and both sides. All have
    accounting: the operator that runs here crashes beside a cluster without it.
    """
    base, wanted = _data(one, namespace), _data(other, namespace)
    before = ClusterSide(*load(base, one[1]))
    every = [steps for steps in paths(wanted) if steps and steps[0] not in OWN_PATHS and not _is_within_a_whole(steps)]
    numbers.shuffle(every)
    for steps in sorted(every, key=lambda steps: seen[path_name(steps)]):
        if not count:
            return
        for change in (_put_as_in(wanted), _remove):
            changed = copy.deepcopy(base)
            try:
                change(changed, steps)
                after = ClusterSide(*load(changed, one[1]))
            except (LookupError, TypeError, SpecError):
                # The path leads nowhere in this one, or the change isn't accepted.
                continue
            common = before.objects.keys() & after.objects.keys()
            is_made_anew = any([*made_anew_for(before.objects[key], after.objects[key])] for key in common)
            if changed == base or is_made_anew or not after.spec.accounting:
                continue
            seen[path_name(steps)] += 1
            count -= 1
            yield path_name(steps), before, after
            break


def path_name(steps: Steps) -> str:
    """Return a path without the numbers of items."""
    return ".".join("*" if isinstance(step, int) else step for step in steps)


def _data(drawn: Drawn, namespace: str) -> dict[str, Any]:
    data = drawn[0].model_dump(mode="json", by_alias=True, exclude_unset=True)
    # The operator that runs here confuses clusters of one name.
    return {**data, "name": namespace, "namespace": namespace}


def _is_within_a_whole(steps: Steps) -> bool:
    """Return whether a path is within a field of Kubernetes' API, which has rules of its own between its fields."""
    return any(step in IN_KUBERNETES_FORM for step in steps[:-1])


def _put_as_in(wanted: Any) -> Callable[[Any, Steps], None]:
    return lambda data, steps: put(data, steps, at(wanted, steps))


def _remove(data: Any, steps: Steps) -> None:
    del at(data, steps[:-1])[steps[-1]]


class Bed:
    """A namespace in which the operator makes pods of a cluster's objects."""

    def __init__(self, objects: Objects, namespace: str) -> None:
        self._objects = objects
        self._namespace = namespace
        self._step = 0
        objects.namespace(namespace)

    def close(self) -> None:
        """Remove all, and wait until it is gone: beside an Accounting the operator crashes for others' Controllers."""
        self._objects.delete("Namespace", None, self._namespace)
        eventually_nothing(
            f"namespace {self._namespace}", lambda: self._objects.find("Namespace", None, self._namespace)
        )

    def prepare(self, *sides: ClusterSide) -> None:
        """Make the Secrets and ConfigMaps that objects refer to and that others make in a real cluster."""
        wanted: dict[tuple[str, str], set[str]] = {}
        for side in sides:
            for key, item in side.objects.items():
                if key[0] in KINDS:
                    for kind, name, entry in _references(item["spec"]):
                        if (kind, name) not in side.objects:
                            wanted.setdefault((kind, name), set()).add(entry)
        for (kind, name), entries in wanted.items():
            field = "stringData" if kind == "Secret" else "data"
            data = dict.fromkeys(sorted(entries), "x" * 32)
            metadata = {"name": name, "namespace": self._namespace}
            self._objects.apply({"apiVersion": "v1", "kind": kind, "metadata": metadata, field: data})

    def pods(self, side: ClusterSide) -> dict[tuple[str, str], Any]:
        """Apply the objects, and return by object what its pods are made of: a template, or a NodeSet's revision.

        Twice, since the operator reads files that it has just written from a cache, which may have the last ones.
        """
        self._applied(side)
        return self._applied(side)

    def _applied(self, side: ClusterSide) -> dict[tuple[str, str], Any]:
        self._step += 1
        for (kind, _), item in side.objects.items():
            if kind == "ConfigMap":
                self._objects.apply(item)
        of_operator = [key for kind in KINDS for key in side.objects if key[0] == kind]
        for key in of_operator:
            item = copy.deepcopy(side.objects[key])
            if key[0] in WORKLOADS:
                item["metadata"].setdefault("annotations", {})[STEP] = str(self._step)
            self._objects.apply(item)
        return {key: self._pods(*key) for key in of_operator if not side.objects[key]["spec"].get("external")}

    def _pods(self, kind: str, name: str) -> Any:
        subject = f"what the operator makes of {kind} {name}"
        if kind == "NodeSet":

            def status() -> Any:
                item = self._objects.get(kind, self._namespace, name)
                seen = item.get("status", {})
                is_seen = seen.get("observedGeneration") == item["metadata"]["generation"]
                return seen["nodeSetHash"] if is_seen else None

            return eventually(subject, status)

        owner = uid(self._objects.get(kind, self._namespace, name))

        def template() -> Any:
            for item in self._objects.all(WORKLOADS[kind], self._namespace):
                owners = {reference["uid"] for reference in item["metadata"].get("ownerReferences", [])}
                made: Any = item["spec"]["template"]
                if owner in owners and made["metadata"].get("annotations", {}).get(STEP) == str(self._step):
                    del made["metadata"]["annotations"][STEP]
                    return made
            return None

        return eventually(subject, template)


def _references(data: Any, field: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and key of what an object of the operator refers to."""
    if isinstance(data, Mapping):
        if field.endswith("Ref") and {"name", "key"} <= data.keys():
            yield ("ConfigMap" if field == "jwksKeyRef" else "Secret"), data["name"], data["key"]
        for key, value in data.items():
            yield from _references(value, key)
    elif isinstance(data, list):
        for item in data:
            yield from _references(item)
