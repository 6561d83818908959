"""Machine types: that they exist, and that what is asked of them goes together."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.rules.pools import bounds_agree
from pulumi_slurm.errors import FieldError, Path, field_error_of
from pulumi_slurm.gke.model.pool import GkeDriver, GkeImageType
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.node_machine import node_machine
from pulumi_slurm.gke.rules.stated_pools import stated_pools
from pulumi_slurm.machines.gke import Architecture, GkeFabric, machine
from pulumi_slurm.model.machine import MIN_MEMORY_MIB
from pulumi_slurm.model.units import quantity


def machine_types_exist(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse machine types that we don't know, and GPUs that can't be attached to them."""
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index)
        try:
            plan.spec.catalogue.find(pool.machine_type)
        except PydanticCustomError as error:
            yield field_error_of(error, (*at, "machine_type"), pool.machine_type)
            continue
        if pool.accelerator:
            try:
                plan.spec.catalogue.with_gpus(pool.machine_type, pool.accelerator.type, pool.accelerator.count)
            except PydanticCustomError as error:
                yield field_error_of(
                    error, (*at, "accelerator"), pool.accelerator, depends_on_fields=((*at, "machine_type"),)
                )


def system_pool_is_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a system pool on which Slurm's daemons or GKE's pods would not run."""
    pool = plan.spec.system_pool
    at: Path = ("system_pool", "machine_type")
    try:
        kind = plan.spec.catalogue.find(pool.machine_type)
        machine(kind)
    except PydanticCustomError as error:
        yield field_error_of(error, at, pool.machine_type)
    else:
        tainted = "has GPUs" if kind.gpus else "is an Arm machine" if kind.architecture is Architecture.ARM64 else None
        if tainted:
            yield FieldError(
                at,
                pool.machine_type,
                f"this {tainted}, and GKE taints such nodes: Slurm's daemons would stay Pending",
                'Write for example "e2-standard-4".',
            )
    yield from bounds_agree(("system_pool",), pool.min_nodes, pool.max_nodes)


def something_is_left_for_slurmd(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse machines that are too small, and reserves that leave nothing beside image streaming."""
    for at, planned in stated_pools(plan):
        pool, kind = planned.pool, planned.machine_type
        try:
            offered = node_machine(planned)
        except PydanticCustomError as error:
            yield field_error_of(error, (*at, "machine_type"), pool.machine_type)
            continue
        leaves = f"GKE leaves {offered.cpus} CPUs and {offered.memory_mib}Mi of {kind.name}, and this takes them all"
        if pool.reserved_cpus >= offered.cpus:
            yield FieldError(
                (*at, "reserved_cpus"),
                pool.reserved_cpus,
                leaves,
                "Write less, or choose a larger machine type.",
                depends_on_fields=((*at, "machine_type"),),
            )
        if offered.memory_mib - quantity(pool.reserved_memory) / 1024**2 < MIN_MEMORY_MIB:
            yield FieldError(
                (*at, "reserved_memory"),
                pool.reserved_memory,
                leaves,
                "Write less, or choose a larger machine type.",
                depends_on_fields=((*at, "machine_type"),),
            )


def images_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse operating systems and drivers that the machine or the storage has no use for."""
    lustre = next((storage.name for storage in plan.spec.storage if storage.lustre), None)
    for at, planned in stated_pools(plan):
        pool, kind = planned.pool, planned.machine_type
        if pool.image_type is not GkeImageType.COS and lustre:
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                f'the storage "{lustre}" is Lustre, which GKE mounts on Container-Optimized OS alone',
                f"Write {GkeImageType.COS}.",
                depends_on_fields=(("storage",),),
            )
        elif (
            pool.image_type is not GkeImageType.COS and pool.fabric and kind.fabric in (GkeFabric.TCPX, GkeFabric.TCPXO)
        ):
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                f"GPUDirect-{kind.fabric} runs on Container-Optimized OS alone",
                f"Write {GkeImageType.COS}, or fabric: false.",
                depends_on_fields=((*at, "fabric"),),
            )
        elif pool.image_type is not GkeImageType.COS and pool.image_streaming:
            # https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                "image streaming, which is on unless it is switched off, runs on Container-Optimized OS alone",
                f"Write {GkeImageType.COS}, or imageStreaming: false.",
                depends_on_fields=((*at, "image_streaming"),),
            )
        if pool.driver is not GkeDriver.DEFAULT and not kind.gpus:
            yield FieldError(
                (*at, "driver"),
                pool.driver,
                f"{kind.name} has no GPUs, so no driver is installed",
                "Leave it out.",
                depends_on_fields=((*at, "machine_type"), (*at, "accelerator")),
            )
