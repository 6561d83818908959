"""Node pools that exist, as they would be written if they were ours."""

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.gke.existing.blocks import is_windows, only
from pulumi_slurm.gke.model import GkeCapacity, GkeExistingPoolSpec, GkeImageType, GkePoolSpec, GkeSpec
from pulumi_slurm.gke.model.existing import MAX_EXISTING_NAME_LENGTH
from pulumi_slurm.gke.model.pool import MAX_RUN_SECONDS
from pulumi_slurm.gke.plan.planned_pool import machine_type_of, planned_pools
from pulumi_slurm.gke.rules.machines import room_for_slurmd
from pulumi_slurm.machines.gke import GkeCatalogueSpec, machine
from pulumi_slurm.model import TaintSpec
from pulumi_slurm.model.units import quantity

_EFFECTS: Mapping[str, str] = MappingProxyType(
    {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}
)

_COS = frozenset({"COS", "COS_CONTAINERD"})


class FoundPoolSpec(GkePoolSpec):
    """A pool that Google has said all of; its name may be longer than those of pools that are made here."""

    _max_name_length: ClassVar = MAX_EXISTING_NAME_LENGTH


def with_found_pools(spec: GkeSpec, answer: Any) -> tuple[GkeSpec, list[FieldError]]:
    """Return the specification with what Google says of each existing pool, and an error for each that can't be used.

    ``answer`` is what Google's provider says of the cluster.
    """
    by_name = {pool.name: pool for pool in answer.node_pools or []}
    errors: list[FieldError] = []
    pools: list[GkeExistingPoolSpec] = []
    for index, existing in enumerate(spec.existing_pools):
        problems = list(_unusable(spec, existing, by_name))
        errors += [
            FieldError(("existing_pools", index, "name"), existing.name, problem, fix) for problem, fix in problems
        ]
        pools.append(existing if problems else existing.with_found(_found(spec.catalogue, existing, by_name)))
    updated = spec.model_copy(update={"existing_pools": pools})
    errors += [
        error for planned in planned_pools(updated) if planned.exists for error in room_for_slurmd(planned.at, planned)
    ]
    return updated, errors


def _unusable(spec: GkeSpec, existing: GkeExistingPoolSpec, by_name: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is in the way of a pool's use, and what to do."""
    if existing.name not in by_name:
        names = ", ".join(sorted(by_name)) or "none"
        yield "the cluster has no such pool", f"Write one of those that it has: {names}."
        return
    yield from _unusable_nodes(spec, only(by_name[existing.name].node_configs))
    try:
        pool = _found(spec.catalogue, existing, by_name)
        machine_type = machine_type_of(spec, pool)
        machine(machine_type)
    except PydanticCustomError as error:
        yield f"its machines can't be used: {error.message()}", "Describe them in catalogue.machineTypes."
    except SpecError as error:
        first = error.errors[0]
        yield f"what Google says of it can't be used: {first.problem}", "Leave the pool out."
    else:
        if any(storage.bucket for storage in spec.storage) and not _has_metadata_server(by_name[existing.name]):
            yield (
                "its nodes don't run GKE's metadata server, by which pods with buckets reach Google",
                f"Switch it on: gcloud container node-pools update {existing.name} {_place(spec)} "
                "--workload-metadata=GKE_METADATA.",
            )


def _unusable_nodes(spec: GkeSpec, nodes: Any) -> Iterator[tuple[str, str]]:
    """Yield what the nodes are that slurmd or its GPUs can't be on, and what to do."""
    if is_windows(nodes):
        yield "its nodes run Windows", "Name a pool of Linux nodes."
    gpus = only(nodes.guest_accelerators)
    if gpus and (gpus.gpu_partition_size or gpus.gpu_sharing_configs):
        problem = "its GPUs are divided or shared, and Slurm would take each part for a whole one"
        yield problem, "Name a pool whose GPUs are neither."
    lustre = any(storage.lustre for storage in spec.storage)
    if lustre and not is_windows(nodes) and str(nodes.image_type).upper() not in _COS:
        yield f"its nodes run {nodes.image_type}, and GKE mounts Lustre on COS_CONTAINERD alone", "Name another pool."


def _place(spec: GkeSpec) -> str:
    cluster = spec.existing_cluster
    return f"--cluster={cluster.name} --location={cluster.location} --project={spec.project}" if cluster else ""


def _found(catalogue: GkeCatalogueSpec, existing: GkeExistingPoolSpec, by_name: Mapping[str, Any]) -> GkePoolSpec:
    answer = by_name[existing.name]
    nodes = only(answer.node_configs)
    return FoundPoolSpec(
        name=existing.name,
        zones=list(answer.node_locations or []),
        machine_type=nodes.machine_type,
        reserved_cpus=existing.reserved_cpus,
        reserved_memory=_reserved_memory(existing, nodes),
        node_labels=dict(nodes.labels or {}),
        taints=list(_taints(nodes)),
        dedicated=False,
        # Which networks of pods lead to its interfaces isn't known.
        fabric=False,
        image_streaming=bool(getattr(only(nodes.gcfs_configs), "enabled", False)),
        image_type=GkeImageType.COS if str(nodes.image_type).upper() in _COS else GkeImageType.UBUNTU,
        max_pods_per_node=answer.max_pods_per_node or 110,
        threads_per_core=1 if getattr(only(nodes.advanced_machine_features), "threads_per_core", 0) == 1 else None,
        compact_placement=getattr(only(answer.placement_policies), "type", None) == "COMPACT",
        **_attached_gpus(catalogue, nodes),
        **_numbers(answer),
        **_capacity(answer, nodes),
    )


def _reserved_memory(existing: GkeExistingPoolSpec, nodes: Any) -> str:
    """Return what nobody's pods get of the memory: the reserve, and huge pages."""
    pages = only(getattr(only(nodes.linux_node_configs), "hugepages_configs", None))
    two, thousand = getattr(pages, "hugepage_size2m", 0) or 0, getattr(pages, "hugepage_size1g", 0) or 0
    huge_mib = 2 * two + 1024 * thousand
    if not huge_mib:
        return existing.reserved_memory
    return f"{huge_mib + math.ceil(quantity(existing.reserved_memory) / 1024**2)}Mi"


def _taints(nodes: Any) -> Iterator[TaintSpec]:
    """Yield the taints of its nodes, with those that GKE has added."""
    for taint in nodes.effective_taints or nodes.taints or []:
        if taint.effect in _EFFECTS:
            yield TaintSpec(key=taint.key, value=taint.value or None, effect=_EFFECTS[taint.effect])


def _attached_gpus(catalogue: GkeCatalogueSpec, nodes: Any) -> dict[str, Any]:
    """Return the GPUs that are attached to N1 machines; other machine types include theirs."""
    gpus = only(nodes.guest_accelerators)
    try:
        included = catalogue.find(nodes.machine_type).gpus
    except PydanticCustomError:
        included = None
    if gpus is None or not gpus.count or included:
        return {}
    return {"accelerator": {"type": gpus.type, "count": gpus.count}}


def _numbers(answer: Any) -> dict[str, int]:
    """Return how many nodes it has in all zones together, or may have."""
    zones = len(answer.node_locations or []) or 1
    autoscaling = only(answer.autoscalings)
    if autoscaling is None:
        nodes = (answer.node_count or 0) * zones
        # Google's provider divides their number by that of the zones, and leaves a remainder out.
        return {"nodes": nodes} if zones == 1 else {"min_nodes": nodes, "max_nodes": nodes + zones - 1}
    if autoscaling.total_max_node_count:
        return {"min_nodes": autoscaling.total_min_node_count or 0, "max_nodes": autoscaling.total_max_node_count}
    return {"min_nodes": (autoscaling.min_node_count or 0) * zones, "max_nodes": autoscaling.max_node_count * zones}


def _capacity(answer: Any, nodes: Any) -> dict[str, Any]:
    affinity = only(nodes.reservation_affinities)
    if getattr(only(answer.queued_provisionings), "enabled", False):
        return {"capacity": GkeCapacity.QUEUED, **_longest_run(nodes)}
    if nodes.flex_start:
        return {"capacity": GkeCapacity.FLEX_START, **_longest_run(nodes)}
    if nodes.spot or nodes.preemptible:
        return {"capacity": GkeCapacity.SPOT}
    if affinity and affinity.consume_reservation_type == "SPECIFIC_RESERVATION" and affinity.values:
        return {"capacity": GkeCapacity.RESERVATION}
    return {"capacity": GkeCapacity.ON_DEMAND}


def _longest_run(nodes: Any) -> dict[str, str]:
    """Return how long its nodes live, which Google says in seconds: "3600s"."""
    seconds = str(nodes.max_run_duration or "").removesuffix("s")
    if not seconds.isdecimal() or not 0 < int(seconds) <= MAX_RUN_SECONDS:
        return {}
    days, remaining = divmod(int(seconds), 24 * 3600)
    return {"max_run_duration": f"{days}-{remaining // 3600:02}:{remaining // 60 % 60:02}:{remaining % 60:02}"}


def _has_metadata_server(pool: Any) -> bool:
    config = only(only(pool.node_configs).workload_metadata_configs)
    return getattr(config, "mode", None) == "GKE_METADATA"
