"""The Slurm clusters that one program makes, which may be on several Kubernetes clusters."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import pulumi
from pulumi.runtime.settings import get_monitor

from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.model import SlurmSpec

Clusters = defaultdict[Hashable, dict[tuple[str, str], SlurmSpec]]
"""Specifications by class and name of their components, by what stands for their Kubernetes cluster."""
_Check = Callable[[Sequence[SlurmSpec]], Iterable[FieldError]]

_by_monitor: WeakKeyDictionary[Any, Clusters] = WeakKeyDictionary()
"""Each run of a program has a monitor of its own; many can be in one process."""
_of_another_program: ContextVar[tuple[Clusters, Any, Hashable] | None]
_of_another_program = ContextVar("of_another_program", default=None)


@contextmanager
def of_another_program(clusters: Clusters, provider: pulumi.ProviderResource | None, urn: Hashable) -> Iterator[None]:
    """Let a cluster within the block be one of ``clusters``, which a plugin makes for a program elsewhere.

    ``provider`` is its provider for Kubernetes, another object for each cluster, and ``urn`` that provider's URN.
    """
    token = _of_another_program.set((clusters, provider, urn))
    try:
        yield
    finally:
        _of_another_program.reset(token)


def check_with_others(component: pulumi.Resource, name: str, spec: SlurmSpec, *checks: tuple[str, _Check]) -> None:
    """Refuse a cluster that is in the way of another one of the program on the same Kubernetes cluster.

    Two providers are two Kubernetes clusters; where they aren't, the API server refuses. Each of ``checks`` is for the
    clusters whose class ends in its text.

    Raises:
        SpecRunError: with all errors, whose paths begin with ``spec``.
    """
    kind = type(component).__name__
    clusters = _clusters_beside(component)
    clusters.pop((kind, name), None)
    errors: list[FieldError] = []
    for suffix, check in checks:
        others = [other for (other_kind, _), other in clusters.items() if other_kind.endswith(suffix)]
        errors += [error for error in check([*others, spec]) if error.path[0] == len(others)]
    if errors:
        raise SpecRunError([replace(error, path=("spec", *error.path[1:])) for error in errors], f"{kind}Args")
    clusters[kind, name] = spec


def _clusters_beside(component: pulumi.Resource) -> dict[tuple[str, str], SlurmSpec]:
    provider = component.get_provider("kubernetes:core/v1:Namespace")
    if elsewhere := _of_another_program.get():
        clusters, provider_elsewhere, urn = elsewhere
        return clusters[urn if provider is provider_elsewhere else provider]
    clusters = _by_monitor.setdefault(get_monitor(), defaultdict(dict))
    return clusters[provider]
