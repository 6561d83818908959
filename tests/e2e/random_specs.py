"""Random valid specs, and whether the API server would take what they render to."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from devcluster.api import ApiError
from pulumi_slurm import model
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from tests.e2e.draws import draws
from tests.e2e.objects import Object, Objects, in_a_namespace_that_is_there
from tests.e2e.release_crds import of_release
from tests.unit.strategies import specs


@cache
def draw(operator_version: str, count: int, random_seed: int) -> list[tuple[SlurmSpec, list[NodePoolSpec]]]:
    """Return as many different valid specs, the same for the same seed."""
    drawn: dict[str, tuple[SlurmSpec, list[NodePoolSpec]]] = {}
    for number in itertools.count(1):
        # Few for each seed, because one drawn after another is often like it but for a detail.
        for spec, pools in draws(specs(operator_version=operator_version), 8, f"{random_seed}-{number}"):
            drawn[f"{spec!r}{pools!r}"] = spec, pools
        if len(drawn) >= count:
            break
    return list(drawn.values())[:count]


def check_accepted(objects: Objects, operator_version: str, count: int, random_seed: int, *, runs: bool) -> None:
    """Apply what ``count`` specs render to, as a dry run with strict validation, and fail with all that is refused.

    They go to the operator of that release itself where it ``runs``, and to its schemas otherwise.
    """
    # Of these specs alone: that of the test before may still be going.
    namespace = f"random-specs-{operator_version.replace('.', '-')}-{count}"
    objects.namespace(namespace)
    drawn = draw(operator_version, count, random_seed)
    assert len(drawn) >= count
    # One namespace for all, because a dry run needs it to be there.
    rendered = [list(render(spec.model_copy(update={"namespace": namespace}), pools)) for spec, pools in drawn]
    operator = model.operator_version(operator_version)
    items = [item if runs else of_release(item, operator) for manifests in rendered for item in manifests]
    # The webhook of the Controller reads the ConfigMaps that it refers to, so these are made for real, and beforehand.
    files = [item for item in items if item["kind"] == "ConfigMap"]
    others = [item for item in items if item["kind"] != "ConfigMap"]
    for item in others:
        in_a_namespace_that_is_there(item, namespace)
    with ThreadPoolExecutor(8) as pool:
        answers = [
            *pool.map(lambda item: _apply(objects, item, dry=False), files),
            *pool.map(lambda item: _apply(objects, item, dry=True), others),
        ]
    refused = [text for text in answers if text]
    assert not refused, f"{len(refused)} objects were refused:\n" + "\n".join(refused[:10])
    objects.delete("Namespace", None, namespace)


def _apply(objects: Objects, item: Object, *, dry: bool) -> str:
    try:
        objects.apply(item, fieldValidation="Strict", **({"dryRun": "All"} if dry else {}))
    except ApiError as error:
        return f"{error}\n{json.dumps(item)}"
    return ""
