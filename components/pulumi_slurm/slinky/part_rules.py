"""The rules of a specification, applied to the arguments of a component for one part of a cluster."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from pydantic import ValidationError

from pulumi_slurm.errors import FieldError, Path, from_pydantic, in_arguments, raise_errors
from pulumi_slurm.kube.component import are_checked
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.rules import RULES, RULES_OF_POOLS, RULES_WITH_POOLS
from pulumi_slurm.rules.autoscalers import autoscaled_partitions_exist
from pulumi_slurm.rules.bridge_nodes import bridge_nodes_are_in_partitions
from pulumi_slurm.rules.bridge_partitions import bridge_partition_exists, partitions_of_namespaces_exist
from pulumi_slurm.rules.bridged_node_sets import bridged_node_sets_have_a_bridge
from pulumi_slurm.rules.hybrid import hybrid_is_complete
from pulumi_slurm.rules.run import run_rules

_OF_WHOLE_CLUSTERS = frozenset(
    {
        # A part doesn't know the partitions of other parts: an argument names the partition.
        autoscaled_partitions_exist,
        bridge_partition_exists,
        partitions_of_namespaces_exist,
        bridge_nodes_are_in_partitions,
        # Nor does it know the bridge.
        bridged_node_sets_have_a_bridge,
        # The user creates the Secrets with keys, whose default names are those of derived keys.
        hybrid_is_complete,
    }
)
_RULES = tuple(rule for rule in RULES if rule not in _OF_WHOLE_CLUSTERS)


def check_part(
    cluster: ClusterRef,
    fields: Mapping[str, Any],
    arguments: Mapping[Path, Path],
    *,
    pools: Sequence[NodePoolSpec] = (),
    errors: Iterable[FieldError] = (),
) -> None:
    """Raise the errors of the rules as errors in the arguments of a component, after ``errors`` of its own.

    ``fields`` are the fields of a specification that the component has besides those of ``cluster``, and ``arguments``
    has the path of each argument by the path of its field, see `in_arguments`.
    """
    if are_checked():
        return
    of_cluster: dict[Path, Path] = {(field,): ("cluster", field) for field in ClusterRef.model_fields}
    rule_errors = _errors(cluster, fields, pools)
    raise_errors([*errors, *in_arguments(rule_errors, {**of_cluster, **arguments})])


def _errors(cluster: ClusterRef, fields: Mapping[str, Any], pools: Sequence[NodePoolSpec]) -> Iterable[FieldError]:
    shared = {field: getattr(cluster, field) for field in ClusterRef.model_fields}
    try:
        spec = SlurmSpec.model_validate({**shared, **fields})
    except ValidationError as error:
        return from_pydantic(error, SlurmSpec)
    of_pools = (error.below("pools") for error in run_rules(RULES_OF_POOLS, pools))
    with_pools = run_rules(RULES_WITH_POOLS, spec, pools) if pools else ()
    return chain(run_rules(_RULES, spec), with_pools, of_pools)
