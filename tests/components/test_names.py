"""Each name of an argument or an output means one thing, on all clouds; docs/glossary.md has the names."""

import collections.abc
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import pulumi
import pytest

from pulumi_slurm.kube.component import Component
from pulumi_slurm.model.base import Model
from tests.component_examples import components

OF_A_CLOUD = ("Gke", "Ack", "CloudSql", "Rds")
"""What both clouds have as a model of their own is one thing: GkeNetworkSpec and AckNetworkSpec."""
TWO_MEANINGS = {
    # Of a workload it is the spec of the Kubernetes object.
    "spec": {"SlurmSpec", "dict"},
    # Node sets run on one, and the clouds make them.
    "pool": {"NodePoolSpec", "PoolSpec", "SystemPoolSpec"},
    # Components of whole clusters take what stands in a stack's file, by its keys there.
    "ack": {"SlurmSpec", "Spec"},
    "cluster": {"SlurmSpec", "ClusterRef"},
    "operator": {"OperatorChartSpec", "OperatorSpec"},
}


def plain(annotation: Any) -> Iterator[str]:
    """Yield what an annotation takes, without Outputs and None, and without what a cloud adds to a model's name."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        for part in get_args(annotation):
            yield from plain(part)
    elif origin is collections.abc.Mapping:
        yield "dict"
    elif isinstance(origin or annotation, type) and (origin or annotation) not in (
        NoneType,
        pulumi.Output,
        collections.abc.Awaitable,
    ):
        name = (origin or annotation).__name__
        yield next((name.removeprefix(cloud) for cloud in OF_A_CLOUD if name.startswith(cloud)), name)


def named() -> Mapping[str, set[str]]:
    """Return what each name of an argument or an output takes or is, in all components."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for component in components():
        assert issubclass(component, Component)
        for name, field in component.args_model().model_fields.items():
            found[name] |= {*plain(field.annotation)}
        for name, hint in component.__annotations__.items():
            origin: Any = get_origin(hint)
            if origin is pulumi.Output:
                found[name] |= {*plain(get_args(hint)[0])}
    return found


NAMED = named()


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_name_means_one_thing(name: str) -> None:
    assert len(NAMED[name]) == 1 or NAMED[name] == TWO_MEANINGS[name]


def test_a_model_has_one_name() -> None:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for component in components():
        assert issubclass(component, Component)
        for name, field in component.args_model().model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, Model):
                names[field.annotation.__name__].add(name)
    # It is `cluster` where there is also a Kubernetes cluster, as in a stack's file.
    assert names.pop("SlurmSpec") == {"spec", "cluster"}
    assert not {model: several for model, several in names.items() if len(several) > 1}
