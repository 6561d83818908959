"""The rules of a specification, applied to the arguments of a component for one part of a cluster."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import chain
from typing import Any

from pydantic import ValidationError

from pulumi_slurm.errors import FieldError, Path, field_text, from_pydantic, raise_errors
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import RULES, RULES_OF_POOLS, RULES_WITH_POOLS
from pulumi_slurm.rules.hybrid import hybrid_is_complete
from pulumi_slurm.rules.replicas import autoscaled_partitions_exist
from pulumi_slurm.rules.run import run_rules

_OF_WHOLE_CLUSTERS = {
    # A part doesn't know the partitions of other parts: an argument names the partition.
    autoscaled_partitions_exist,
    # The user creates the Secrets with keys, whose default names are those of derived keys.
    hybrid_is_complete,
}
_RULES = [rule for rule in RULES if rule not in _OF_WHOLE_CLUSTERS]

_rules_have_run = ContextVar("rules_have_run", default=False)


@contextmanager
def rules_run_before() -> Iterator[None]:
    """Let arguments within the block run no rules: the rules of the whole cluster have run, with all of its parts."""
    token = _rules_have_run.set(True)
    try:
        yield
    finally:
        _rules_have_run.reset(token)


def check_part(
    cluster: ClusterRef,
    fields: Mapping[str, Any],
    arguments: Mapping[Path, Path],
    *,
    pool: NodePoolSpec | None = None,
    errors: Iterable[FieldError] = (),
) -> None:
    """Raise the errors of the rules as errors in the arguments of a component, after ``errors`` of its own.

    ``fields`` are the fields of a specification that the component has besides those of ``cluster``, and ``arguments``
    has the path of each argument by the path of its field. An error in another field, or one that depends on another
    field, comes from a default and not from the arguments, so it is left out.
    """
    if _rules_have_run.get():
        return
    of_cluster: dict[Path, Path] = {(field,): ("cluster", field) for field in ClusterRef.model_fields}
    rule_errors = _errors(cluster, fields, [pool] if pool else [])
    raise_errors([*errors, *_in_arguments(rule_errors, {**of_cluster, **arguments})])


def _errors(cluster: ClusterRef, fields: Mapping[str, Any], pools: Sequence[NodePoolSpec]) -> Iterable[FieldError]:
    shared = {field: getattr(cluster, field) for field in ClusterRef.model_fields}
    try:
        spec = SlurmSpec.model_validate({**shared, **fields})
    except ValidationError as error:
        return from_pydantic(error, SlurmSpec)
    of_pools = (
        replace(
            error,
            path=("pools", *error.path),
            depends_on_fields=tuple(("pools", *other) for other in error.depends_on_fields),
        )
        for error in run_rules(RULES_OF_POOLS, pools)
    )
    with_pools = run_rules(RULES_WITH_POOLS, spec, pools) if pools else ()
    return chain(run_rules(_RULES, spec), with_pools, of_pools)


def _in_arguments(errors: Iterable[FieldError], arguments: Mapping[Path, Path]) -> Iterator[FieldError]:
    for error in errors:
        path = _argument(error.path, arguments)
        others = [_argument(other, arguments) for other in error.depends_on_fields]
        if path is not None and None not in others:
            yield replace(error, path=path, depends_on_fields=())


def _argument(path: Path, arguments: Mapping[Path, Path]) -> Path | None:
    for field, argument in arguments.items():
        if _camel(path[: len(field)]) == _camel(field):
            return (*argument, *path[len(field) :])
    return None


def _camel(path: Path) -> Path:
    """Return a path with pydantic's aliases instead of the names of fields, which rules use."""
    return tuple(field_text(step) if isinstance(step, str) else step for step in path)
