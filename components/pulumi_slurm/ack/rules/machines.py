"""Instance types, which have to exist, to be alike within a pool, and to have room for slurmd."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.plan.pod_capacity import pod_capacity
from pulumi_slurm.clouds.rules.pools import bounds_agree
from pulumi_slurm.errors import FieldError, Path, field_error_of
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.machines.ack import AckMachineTypeSpec, Architecture, check_driver, check_terway
from pulumi_slurm.model.machine import MIN_MEMORY_MIB
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.run import Rule, warns

_GPU_MODE = "ack.node.gpu.schedule"
_WHOLE_GPUS = "default"
"""The mode that nodes without the label have."""


def instance_types_exist(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse instance types that aren't in the catalogue."""
    for index, pool in enumerate(plan.spec.pools):
        yield from _unknown_types(plan, pool.instance_types, ("pools", index, "instance_types"))
    yield from _unknown_types(plan, plan.spec.system_pool.instance_types, ("system_pool", "instance_types"))


def instance_types_are_alike(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse types in one pool that differ in more than CPUs and memory."""
    for planned in plan.new_pools:
        first, *others = planned.machine_types
        for index, machine_type in enumerate(others, 1):
            at: Path = (*planned.at, "instance_types", index)
            depends_on_fields = ((*planned.at, "instance_types", 0),)
            if machine_type.architecture is not first.architecture:
                yield FieldError(
                    at,
                    machine_type.name,
                    f"its architecture is {machine_type.architecture}, that of {first.name} is {first.architecture}",
                    "Put it into another pool.",
                    depends_on_fields,
                )
            elif gpus_of(machine_type) != gpus_of(first):
                yield FieldError(
                    at,
                    machine_type.name,
                    f"it has {gpus_of(machine_type)}, and {first.name} has {gpus_of(first)}: slurmd would find other "
                    "GPUs than in slurm.conf, and the node would be drained",
                    "Put it into another pool.",
                    depends_on_fields,
                )


@warns
def scaled_pools_have_one_size(plan: AckPlan) -> Iterator[FieldError]:
    """Warn about types of different sizes in a pool that ACK scales: its autoscaler doesn't take the first one.

    Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/faq-about-node-instant-scaling.
    """
    for planned in plan.new_pools:
        first, *others = planned.machine_types
        for index, machine_type in enumerate(others, 1):
            if planned.pool.is_scaled and _size(machine_type) != _size(first):
                yield FieldError(
                    (*planned.at, "instance_types", index),
                    machine_type.name,
                    f"its size is {_size(machine_type)}, that of {first.name} is {_size(first)}: ACK's autoscaler "
                    "takes whichever costs less per vCPU, and Slurm uses as much of it as the smallest has",
                    "Write types of one size, or put it into another pool.",
                    depends_on_fields=((*planned.at, "instance_types", 0), (*planned.at, "nodes")),
                )


def system_pool_is_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a system pool on which Slurm's daemons or ACK's pods could not run."""
    pool = plan.spec.system_pool
    for index, name in enumerate(pool.instance_types):
        at: Path = ("system_pool", "instance_types", index)
        value = name if "instance_types" in pool.model_fields_set else FieldError.ABSENT
        try:
            machine_type = plan.spec.catalogue.find(name)
        except PydanticCustomError:
            continue  # `instance_types_exist` reports it.
        try:
            pod_capacity(plan, (machine_type,))
        except PydanticCustomError as error:
            yield field_error_of(error, at, value)
            continue
        fix = 'Write for example "ecs.g8i.xlarge".'
        if machine_type.gpus:
            yield FieldError(at, value, "this has GPUs, and Slurm's daemons don't use any", fix)
        elif machine_type.architecture is Architecture.ARM64:
            problem = "this is an Arm machine, and images of Slurm's daemons and of ACK's components are for amd64"
            yield FieldError(at, value, problem, fix)
    yield from bounds_agree(("system_pool",), pool.min_nodes, pool.max_nodes)


def nodes_can_join(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse machines that have too few network interfaces for Terway, so that their nodes can't join the cluster."""
    if plan.spec.control_plane.cni is not Cni.TERWAY or plan.awaits_the_cluster:
        return
    pools = [(planned.at, planned.pool.instance_types) for planned in plan.new_pools]
    for at, names in [*pools, (("system_pool",), plan.spec.system_pool.instance_types)]:
        for index, name in enumerate(names):
            try:
                machine_type = plan.spec.catalogue.find(name)
            except PydanticCustomError:
                continue
            try:
                check_terway(machine_type)
            except PydanticCustomError as error:
                yield field_error_of(
                    error, (*at, "instance_types", index), name, depends_on_fields=(("control_plane", "cni"),)
                )


def nodes_have_room_for_slurmd(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse machines that are too small, and reserves that leave nothing for slurmd."""
    for planned in plan.new_pools:
        yield from room_for_slurmd(plan, planned)


def room_for_slurmd(plan: AckPlan, planned: AckPlannedPool) -> Iterator[FieldError]:
    """Refuse machines of one pool that are too small, and reserves that leave nothing for slurmd."""
    errors = list(_too_small(plan, planned))
    yield from errors
    if errors:
        return
    pool, capacity = planned.pool, pod_capacity(plan, planned.machine_types)
    names = " or ".join(machine_type.name for machine_type in planned.machine_types)
    cpus_left = counted(capacity.cpus, "CPU")
    problem = f"ACK leaves {cpus_left} and {capacity.memory_mib}Mi of an {names}, and this reserves them all"
    at, depends_on_fields = planned.at, ((*planned.at, "instance_types"),)
    fix = f"Write less, or {'name another pool' if planned.exists else 'choose a larger instance type'}."
    if pool.reserved_cpus >= capacity.cpus:
        cpus = pool.reserved_cpus if "reserved_cpus" in pool.model_fields_set else FieldError.ABSENT
        yield FieldError((*at, "reserved_cpus"), cpus, problem, fix, depends_on_fields)
    if capacity.memory_mib - quantity(pool.reserved_memory) / 1024**2 < MIN_MEMORY_MIB:
        memory = pool.reserved_memory if "reserved_memory" in pool.model_fields_set else FieldError.ABSENT
        yield FieldError((*at, "reserved_memory"), memory, problem, fix, depends_on_fields)


def drivers_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse driver versions that one of the pool's instance types doesn't support."""
    for planned in plan.new_pools:
        version = planned.pool.driver_version
        if version is None:
            continue
        for machine_type in planned.machine_types:
            try:
                check_driver(machine_type, version)
            except PydanticCustomError as error:
                yield field_error_of(
                    error,
                    (*planned.at, "driver_version"),
                    version,
                    depends_on_fields=((*planned.at, "instance_types"),),
                )
                break


def gpus_are_given_out_whole(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse labels by which ACK gives out parts of GPUs, or GPUs by where they are: it then has no nvidia.com/gpu.

    Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/use-labels-to-schedule-pods-to-gpu-accelerated-nodes.
    """
    for planned in plan.new_pools:
        mode = planned.pool.node_labels.get(_GPU_MODE, _WHOLE_GPUS)
        if planned.machine_type.gpus and mode != _WHOLE_GPUS:
            yield FieldError(
                (*planned.at, "node_labels", _GPU_MODE),
                mode,
                "with it ACK's nodes have no nvidia.com/gpu, so workers wait for their GPUs",
                "Leave it out; Slurm gives out parts of GPUs by itself, as docs/gpu-parts.md says.",
                depends_on_fields=((*planned.at, "instance_types"),),
            )


def _unknown_types(plan: AckPlan, names: list[str], at: Path) -> Iterator[FieldError]:
    for index, name in enumerate(names):
        try:
            plan.spec.catalogue.find(name)
        except PydanticCustomError as error:
            yield field_error_of(error, (*at, index), name)


def _too_small(plan: AckPlan, planned: AckPlannedPool) -> Iterator[FieldError]:
    for index, machine_type in enumerate(planned.machine_types):
        try:
            pod_capacity(plan, (machine_type,))
        except PydanticCustomError as error:
            yield field_error_of(error, (*planned.at, "instance_types", index), machine_type.name)


def _size(machine_type: AckMachineTypeSpec) -> str:
    return f"{machine_type.vcpus} vCPUs, {machine_type.memory_gib:g} GiB"


def gpus_of(machine_type: AckMachineTypeSpec) -> str:
    """Return number and type of a machine's GPUs, in words."""
    return f"{machine_type.gpus.count} {machine_type.gpus.nvidia_name}" if machine_type.gpus else "no GPUs"


RULES: tuple[Rule, ...] = (
    instance_types_exist,
    instance_types_are_alike,
    scaled_pools_have_one_size,
    system_pool_is_fit,
    nodes_can_join,
    nodes_have_room_for_slurmd,
    drivers_fit,
    gpus_are_given_out_whole,
)
