"""Instance types: that they exist, that those of a pool are alike, and that something is left for slurmd."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.plan.pod_capacity import pod_capacity
from pulumi_slurm.clouds.rules.pools import bounds_agree
from pulumi_slurm.errors import FieldError, Path, field_error_of
from pulumi_slurm.machines.ack import AckMachineTypeSpec, Architecture, check_driver, check_terway
from pulumi_slurm.model.machine import MIN_MEMORY_MIB
from pulumi_slurm.model.units import quantity


def instance_types_exist(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse instance types that we don't know."""
    for index, pool in enumerate(plan.spec.pools):
        yield from _exist(plan, pool.instance_types, ("pools", index, "instance_types"))
    yield from _exist(plan, plan.spec.system_pool.instance_types, ("system_pool", "instance_types"))


def instance_types_are_alike(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse types in one pool between which jobs would see a difference other than in CPUs and memory."""
    for planned in plan.pools:
        first, *others = planned.machine_types
        for position, kind in enumerate(others, 1):
            at: Path = (*planned.at, "instance_types", position)
            depends_on_fields = ((*planned.at, "instance_types", 0),)
            if kind.architecture is not first.architecture:
                yield FieldError(
                    at,
                    kind.name,
                    f"its instruction set is {kind.architecture}, and that of {first.name} is {first.architecture}",
                    "Put it into a pool of its own.",
                    depends_on_fields,
                )
            elif _gpus(kind) != _gpus(first):
                yield FieldError(
                    at,
                    kind.name,
                    f"it has {_gpus(kind)}, and {first.name} has {_gpus(first)}: slurmd would find other GPUs than "
                    "slurm.conf says, and the node would be drained",
                    "Put it into a pool of its own.",
                    depends_on_fields,
                )


def system_pool_is_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a system pool on which Slurm's daemons or ACK's pods would not run."""
    pool = plan.spec.system_pool
    for position, name in enumerate(pool.instance_types):
        at: Path = ("system_pool", "instance_types", position)
        stated = name if "instance_types" in pool.model_fields_set else FieldError.ABSENT
        try:
            kind = plan.spec.catalogue.find(name)
        except PydanticCustomError:
            continue  # `instance_types_exist` says so.
        try:
            pod_capacity(plan, (kind,))
        except PydanticCustomError as error:
            yield field_error_of(error, at, stated)
            continue
        unfit = "has GPUs" if kind.gpus else "is an Arm machine" if kind.architecture is Architecture.ARM64 else None
        if unfit:
            yield FieldError(
                at,
                stated,
                f"this {unfit}, and Slurm's daemons have no use for it"
                if kind.gpus
                else f"this {unfit}, and images of Slurm's daemons and of ACK's components are for amd64",
                'Write for example "ecs.g8i.xlarge".',
            )
    yield from bounds_agree(("system_pool",), pool.min_nodes, pool.max_nodes)


def nodes_can_join(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse machines with so few network interfaces that with Terway their nodes can't join the cluster."""
    if plan.spec.control_plane.cni is not Cni.TERWAY:
        return
    types = [(planned.at, planned.pool.instance_types) for planned in plan.pools]
    for at, names in [*types, (("system_pool",), plan.spec.system_pool.instance_types)]:
        for position, name in enumerate(names):
            try:
                kind = plan.spec.catalogue.find(name)
            except PydanticCustomError:
                continue
            try:
                check_terway(kind)
            except PydanticCustomError as error:
                yield field_error_of(
                    error, (*at, "instance_types", position), name, depends_on_fields=(("control_plane", "cni"),)
                )


def something_is_left_for_slurmd(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse machines that are too small, and reserves that leave nothing."""
    for planned in plan.pools:
        small = list(_too_small(plan, planned))
        yield from small
        if small:
            continue
        pool, offered = planned.pool, pod_capacity(plan, planned.machine_types)
        names = " or ".join(kind.name for kind in planned.machine_types)
        leaves = f"ACK leaves {offered.cpus} CPUs and {offered.memory_mib}Mi of an {names}, and this takes them all"
        at, depends_on_fields = planned.at, ((*planned.at, "instance_types"),)
        fix = "Write less, or choose a larger instance type."
        if pool.reserved_cpus >= offered.cpus:
            stated = pool.reserved_cpus if "reserved_cpus" in pool.model_fields_set else FieldError.ABSENT
            yield FieldError((*at, "reserved_cpus"), stated, leaves, fix, depends_on_fields)
        if offered.memory_mib - quantity(pool.reserved_memory) / 1024**2 < MIN_MEMORY_MIB:
            written = pool.reserved_memory if "reserved_memory" in pool.model_fields_set else FieldError.ABSENT
            yield FieldError((*at, "reserved_memory"), written, leaves, fix, depends_on_fields)


def drivers_fit(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse versions of the driver that one of the pool's machines can't take."""
    for planned in plan.pools:
        version = planned.pool.driver_version
        if version is None:
            continue
        for kind in planned.machine_types:
            try:
                check_driver(kind, version)
            except PydanticCustomError as error:
                yield field_error_of(
                    error,
                    (*planned.at, "driver_version"),
                    version,
                    depends_on_fields=((*planned.at, "instance_types"),),
                )
                break


def _exist(plan: AckPlan, names: list[str], at: Path) -> Iterator[FieldError]:
    for position, name in enumerate(names):
        try:
            plan.spec.catalogue.find(name)
        except PydanticCustomError as error:
            yield field_error_of(error, (*at, position), name)


def _too_small(plan: AckPlan, planned: AckPlannedPool) -> Iterator[FieldError]:
    for position, kind in enumerate(planned.machine_types):
        try:
            pod_capacity(plan, (kind,))
        except PydanticCustomError as error:
            yield field_error_of(error, (*planned.at, "instance_types", position), kind.name)


def _gpus(kind: AckMachineTypeSpec) -> str:
    return f"{kind.gpus.count} {kind.gpus.nvidia_name}" if kind.gpus else "no GPUs"
