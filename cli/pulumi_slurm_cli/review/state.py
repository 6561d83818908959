"""The Slurm clusters in a stack's state: the inputs with which `up` has last registered their components."""

import json
from collections.abc import Mapping

from pydantic import Field, ValidationError

from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.review.cluster_change import why_unread
from pulumi_slurm_cli.review.cluster_side import COMPONENT, ClusterSide, side_of
from pulumi_slurm_cli.shapes import Fields, Shape, shape_errors


class _Resource(Shape):
    urn: str = Field(pattern=r"^urn:pulumi:[^:]+::[^:]+::.")
    type: str = ""
    inputs: Fields | None = None


class _Deployment(Shape):
    resources: list[_Resource] | None = None


class _State(Shape):
    deployment: _Deployment


def clusters_in_state(text: str, name: str) -> Mapping[str, ClusterSide]:
    """Return the clusters in what ``pulumi stack export`` prints, by their names; messages show the file's ``name``.

    Raises:
        UnreadableFileError: if it is something else, or a specification in it can't be read.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _not_a_state(name, "it is no JSON") from None
    if errors := shape_errors(_State, data):
        where = f"{errors[0].where}: " if errors[0].path else ""
        raise _not_a_state(name, f"{where}{errors[0].problem}")
    clusters: dict[str, ClusterSide] = {}
    for resource in _State.model_validate(data).deployment.resources or []:
        if resource.type != COMPONENT:
            continue
        try:
            side = side_of(resource.inputs)
        except ValidationError as error:
            raise UnreadableFileError(f"{name}: {why_unread(resource.urn.rpartition('::')[2], error)}") from None
        clusters[side.spec.name] = side
    return clusters


def _not_a_state(name: str, problem: str) -> UnreadableFileError:
    return UnreadableFileError(f"{name}: this is not what `pulumi stack export` prints: {problem}")
