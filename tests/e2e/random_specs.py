"""Random valid specs, and whether the API server would take what they render to."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from hypothesis import HealthCheck, Phase, given, seed, settings

from devcluster.api import ApiError
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.spec import NodePool, SlurmSpec
from tests.e2e.objects import Object, Objects
from tests.unit.strategies import specs

NAMESPACE = "random-specs"


def draw(operator_version: str, count: int) -> list[tuple[SlurmSpec, list[NodePool]]]:
    """Return valid specs, the same in every run."""
    drawn: list[tuple[SlurmSpec, list[NodePool]]] = []

    @seed(1)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(specs(operator_version=operator_version))
    def collect(made: tuple[SlurmSpec, list[NodePool]]) -> None:
        drawn.append(made)

    collect()
    return drawn


def check_accepted(objects: Objects, operator_version: str, count: int) -> None:
    """Apply what ``count`` specs render to, as a dry run with strict validation, and fail with all that is refused."""
    objects.namespace(NAMESPACE)
    drawn = draw(operator_version, count)
    assert len(drawn) >= count
    with ThreadPoolExecutor(8) as pool:
        refused = [text for found in pool.map(lambda made: _refused(objects, *made), drawn) for text in found]
    assert not refused, f"{len(refused)} objects were refused:\n" + "\n".join(refused[:10])
    objects.delete("Namespace", None, NAMESPACE)


def _refused(objects: Objects, spec: SlurmSpec, pools: Sequence[NodePool]) -> list[str]:
    # One namespace for all, because a dry run needs it to be there.
    made = list(render(spec.model_copy(update={"namespace": NAMESPACE}), pools))
    # The webhook of the Controller reads the ConfigMaps that it refers to, so these are made for real.
    return [text for item in made if (text := _apply(objects, item, dry=item["kind"] != "ConfigMap"))]


def _apply(objects: Objects, item: Object, *, dry: bool) -> str:
    try:
        objects.apply(_without_astral(item), fieldValidation="Strict", **({"dryRun": "All"} if dry else {}))
    except ApiError as error:
        return f"{error}\n{json.dumps(item)}"
    return ""


def _without_astral(item: Object) -> Object:
    """Replace characters that JSON writes as two escapes, because the client of the tests sends JSON as YAML."""
    text = json.dumps(item, ensure_ascii=False)
    replaced: Object = json.loads("".join(character if ord(character) < 0x10000 else "?" for character in text))
    return replaced
