"""Node pools that exist, as they would be written if they were ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field
from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model import AckCapacity, AckExistingPoolSpec, AckPoolSpec, AckSpec
from pulumi_slurm.ack.model.existing import MAX_EXISTING_NAME_LENGTH
from pulumi_slurm.ack.model.pool import MAX_NODES_IN_A_POOL
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.rules.machines import gpus_of, room_for_slurmd
from pulumi_slurm.errors import FieldError, Severity, SpecError
from pulumi_slurm.machines.ack import DRIVER_LABEL, AckCatalogueSpec, Architecture
from pulumi_slurm.model import TaintEffect, TaintSpec
from pulumi_slurm.rules.run import Rule, run_rules

_SHARING_LABEL = "ack.node.gpu.schedule"
"""How GPUs of a node are given to pods; with any value but "default" none is of the kind nvidia.com/gpu:
https://www.alibabacloud.com/help/en/container-service-for-kubernetes/latest/labels-used-by-ack-to-control-gpus."""


class FoundPoolSpec(AckPoolSpec):
    """A pool that ACK has said all of; its name may be longer than those of pools that are made here."""

    _max_name_length: ClassVar = MAX_EXISTING_NAME_LENGTH

    instance_types: list[str] = Field(min_length=1)
    """Its instance types, of which it may have more, too."""


def with_found_pools(spec: AckSpec, answers: Sequence[Any]) -> tuple[AckSpec, list[FieldError]]:
    """Return the specification with what ACK says of each existing pool, and an error for each that can't be used.

    ``answers`` are the cluster's pools.
    """
    errors = list(run_rules(RULES_OF_EXISTING_POOLS, spec, answers))
    unusable = {error.path[1] for error in errors if error.severity is Severity.ERROR}
    pools: list[AckExistingPoolSpec] = []
    for index, existing in enumerate(spec.existing_pools):
        if index in unusable:
            pools.append(existing)
        else:
            (pool,) = _called_so(existing, answers)
            pools.append(existing.with_found(_found(existing, pool), str(pool.node_pool_id)))
    updated = spec.model_copy(update={"existing_pools": pools})
    plan = AckPlan.of(updated)
    return updated, [*errors, *(error for planned in plan.pools if planned.exists for error in _no_room(plan, planned))]


def is_ordinary(catalogue: AckCatalogueSpec, pool: Any) -> bool:
    """Return whether pods start on a pool's nodes that ask for nothing, as Slurm's daemons and login pods do."""
    taints = any(taint.effect != TaintEffect.PREFER_NO_SCHEDULE for taint in pool.taints or [])
    if taints or pool.unschedulable or _is_windows(pool):
        return False
    try:
        types = [catalogue.find(name) for name in pool.instance_types or []]
    except PydanticCustomError:
        return True
    return all(machine_type.architecture is not Architecture.ARM64 for machine_type in types)


def existing_pools_are_usable(spec: AckSpec, answers: Sequence[Any]) -> Iterator[FieldError]:
    """Refuse existing pools that the cluster lacks, and those that Slurm's workers can't use; warn of what may hurt."""
    for index, existing in enumerate(spec.existing_pools):
        at = ("existing_pools", index, "id" if existing.id else "name")
        there = _called_so(existing, answers)
        problems = list(_not_one(there, answers)) or _unusable(spec, existing, there[0])
        for problem, fix, severity in problems:
            yield FieldError(at, existing.id or existing.name, problem, fix, severity=severity)


def _called_so(existing: AckExistingPoolSpec, answers: Sequence[Any]) -> list[Any]:
    """Return the cluster's pools that an existing one may mean."""
    if existing.id:
        return [pool for pool in answers if existing.id == pool.node_pool_id]
    return [pool for pool in answers if existing.name == pool.node_pool_name]


_Problem = tuple[str, str, Severity]
"""What is in the way of a pool's use, and what to do."""


def _not_one(there: Sequence[Any], answers: Sequence[Any]) -> Iterator[_Problem]:
    if not there:
        names = ", ".join(sorted(f"{pool.node_pool_name} ({pool.node_pool_id})" for pool in answers)) or "none"
        yield "the cluster has no such pool", f"Write one of those that it has: {names}.", Severity.ERROR
    elif len(there) > 1:
        ids = " or ".join(sorted(pool.node_pool_id for pool in there))
        yield "the cluster has several pools of this name", f"Write the id of one as well: {ids}.", Severity.ERROR


def _unusable(spec: AckSpec, existing: AckExistingPoolSpec, answer: Any) -> Iterator[_Problem]:
    if _is_windows(answer):
        yield "its nodes run Windows", "Name a pool of Linux nodes.", Severity.ERROR
    if not answer.instance_types:
        yield "ACK doesn't say of which types its machines are", "Name a pool with instance types.", Severity.ERROR
        return
    if not _is_scaled(answer) and not str(answer.desired_size or "").isdecimal():
        yield (
            "ACK doesn't say how many nodes it has: they were added by hand",
            "Name a pool with an expected number of nodes, or one that ACK scales.",
            Severity.ERROR,
        )
    try:
        first, *others = [spec.catalogue.find(name) for name in answer.instance_types]
        _found(existing, answer)
    except PydanticCustomError as error:
        yield (
            f"its machines can't be used: {error.message()}",
            "Describe them in catalogue.machineTypes.",
            Severity.ERROR,
        )
        return
    except SpecError as error:
        problem = f"what ACK says of it can't be used: {error.errors[0].problem}"
        yield problem, "Leave the pool out.", Severity.ERROR
        return
    sharing = _labels(answer).get(_SHARING_LABEL, "default")
    if first.gpus and sharing != "default":
        problem = f'its nodes give out their GPUs by the label {_SHARING_LABEL} "{sharing}", and Slurm would see none'
        yield problem, "Name a pool without this label.", Severity.ERROR
    for other in others:
        if (other.architecture, gpus_of(other)) != (first.architecture, gpus_of(first)):
            problem = f"it has machines with {gpus_of(first)} and with {gpus_of(other)}"
            yield problem, "Name a pool whose machines are alike.", Severity.ERROR
            break
    if answer.unschedulable:
        problem = "its new nodes take no pods until somebody says so"
        yield problem, "Make its nodes schedulable in ACK's console.", Severity.WARNING
    kubelet = answer.kubelet_configuration
    if getattr(kubelet, "kube_reserved", None) or getattr(kubelet, "system_reserved", None):
        yield (
            "its kubelets reserve CPUs and memory as they were told, and nodes may offer less to workers than ACK's",
            "Compare reservedCpus and reservedMemory with `kubectl describe node`.",
            Severity.WARNING,
        )


def _no_room(plan: AckPlan, planned: AckPlannedPool) -> Iterator[FieldError]:
    """Yield errors of machines that are too small, at the field of the existing pool that they belong to."""
    existing = plan.spec.existing_pools[int(planned.at[1])]
    for error in room_for_slurmd(plan, planned):
        if error.path[-1] in ("reserved_cpus", "reserved_memory"):
            yield error
        else:
            yield replace(error, path=(*planned.at, "name"), value=existing.name, fix="Name another pool.")


def _found(existing: AckExistingPoolSpec, answer: Any) -> AckPoolSpec:
    labels = _labels(answer)
    return FoundPoolSpec(
        name=existing.name,
        instance_types=list(answer.instance_types),
        reserved_cpus=existing.reserved_cpus,
        reserved_memory=existing.reserved_memory,
        node_labels=labels,
        taints=[
            TaintSpec(key=taint.key, value=taint.value or None, effect=taint.effect or TaintEffect.NO_SCHEDULE)
            for taint in answer.taints or []
        ],
        dedicated=False,
        driver_version=labels.get(DRIVER_LABEL),
        capacity=AckCapacity.ON_DEMAND if answer.spot_strategy in (None, "", "NoSpot") else AckCapacity.SPOT,
        **_numbers(answer),
    )


def _numbers(answer: Any) -> dict[str, int]:
    if not _is_scaled(answer):
        return {"nodes": min(int(answer.desired_size or 0), MAX_NODES_IN_A_POOL)}
    limits = answer.scaling_config
    min_nodes, max_nodes = limits.min_size or 0, limits.max_size or 0
    return {"min_nodes": min(min_nodes, MAX_NODES_IN_A_POOL), "max_nodes": min(max_nodes, MAX_NODES_IN_A_POOL)}


def _is_scaled(answer: Any) -> bool:
    return bool(getattr(answer.scaling_config, "enable", False))


def _labels(answer: Any) -> dict[str, str]:
    return {label.key: label.value or "" for label in answer.labels or []}


def _is_windows(answer: Any) -> bool:
    return str(answer.image_type or answer.platform or "").startswith("Windows")


RULES_OF_EXISTING_POOLS: tuple[Rule, ...] = (existing_pools_are_usable,)
