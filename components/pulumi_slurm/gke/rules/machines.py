"""Machine types: that they exist, and that they suit the fields of their pool."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.rules.pools import bounds_agree
from pulumi_slurm.errors import FieldError, Path, field_error_of
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.gke.model.pool import GkeDriver, GkeImageType
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.node_machine import node_machine
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.machines.gke import Architecture, machine as allocatable_machine
from pulumi_slurm.model.machine import MIN_MEMORY_MIB
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.run import Rule


def machine_types_exist(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse machine types that aren't in the catalogue, and GPUs that can't be attached to them."""
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
        machine_type = plan.spec.catalogue.find(pool.machine_type)
        allocatable_machine(machine_type)
    except PydanticCustomError as error:
        yield field_error_of(error, at, pool.machine_type)
    else:
        is_arm = machine_type.architecture is Architecture.ARM64
        reason = "has GPUs" if machine_type.gpus else "is an Arm machine" if is_arm else None
        if reason:
            yield FieldError(
                at,
                pool.machine_type,
                f"this {reason}, and GKE taints such nodes: Slurm's daemons would stay Pending",
                'Write for example "e2-standard-4".',
            )
    yield from bounds_agree(("system_pool",), pool.min_nodes, pool.max_nodes)


def nodes_have_room_for_slurmd(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse machines that are too small, and reserves that leave slurmd no CPUs or memory."""
    for at, planned in configured_pools(plan):
        yield from room_for_slurmd(at, planned)


def room_for_slurmd(at: Path, planned: GkePlannedPool) -> Iterator[FieldError]:
    """Yield what leaves slurmd no room on the nodes of a pool, which is at a path."""
    pool = planned.pool
    try:
        machine = node_machine(planned)
    except PydanticCustomError as error:
        yield field_error_of(error, (*at, "machine_type"), pool.machine_type)
        return
    problem = (
        f"GKE leaves {counted(machine.cpus, 'CPU')} and {machine.memory_mib}Mi of {planned.machine_type.name}, "
        "and this takes them all"
    )
    fix = f"Write less, or {'name another pool' if planned.exists else 'choose a larger machine type'}."
    if pool.reserved_cpus >= machine.cpus:
        yield FieldError(
            (*at, "reserved_cpus"),
            pool.reserved_cpus,
            problem,
            fix,
            depends_on_fields=((*at, "machine_type"),),
        )
    if machine.memory_mib - quantity(pool.reserved_memory) / 1024**2 < MIN_MEMORY_MIB:
        yield FieldError(
            (*at, "reserved_memory"),
            pool.reserved_memory,
            problem,
            fix,
            depends_on_fields=((*at, "machine_type"),),
        )


def images_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse operating systems and drivers that don't suit the machine type or the storage."""
    lustre = next((storage.name for storage in plan.spec.storage if storage.lustre), None)
    for at, planned in configured_pools(plan):
        pool, machine_type = planned.pool, planned.machine_type
        if pool.image_type is not GkeImageType.COS and lustre:
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                f'the storage "{lustre}" is Lustre, which GKE mounts only on Container-Optimized OS',
                f"Write {GkeImageType.COS}.",
                depends_on_fields=(("storage",),),
            )
        elif pool.image_type is not GkeImageType.COS and uses_fabric(planned):
            # RDMA: https://cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute, and for H4D
            # https://cloud.google.com/kubernetes-engine/docs/how-to/run-hpc-workloads.
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                f"its network of {machine_type.fabric} runs only on Container-Optimized OS",
                f"Write {GkeImageType.COS}, or fabric: false.",
                depends_on_fields=((*at, "fabric"),),
            )
        elif pool.image_type is not GkeImageType.COS and pool.image_streaming:
            # https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements
            yield FieldError(
                (*at, "image_type"),
                pool.image_type,
                "image streaming, which is on by default, runs only on Container-Optimized OS",
                f"Write {GkeImageType.COS}, or imageStreaming: false.",
                depends_on_fields=((*at, "image_streaming"),),
            )
        if pool.preloaded_images and not pool.image_streaming:
            # https://cloud.google.com/kubernetes-engine/docs/how-to/data-container-image-preloading#requirements
            yield FieldError(
                (*at, "preloaded_images"),
                pool.preloaded_images,
                "GKE reads container images on such disks by image streaming",
                "Write imageStreaming: true, or leave it out.",
                depends_on_fields=((*at, "image_streaming"),),
            )
        if pool.driver is not GkeDriver.DEFAULT and not machine_type.gpus:
            yield FieldError(
                (*at, "driver"),
                pool.driver,
                f"{machine_type.name} has no GPUs, so no driver is installed",
                "Leave it out.",
                depends_on_fields=((*at, "machine_type"), (*at, "accelerator")),
            )


RULES: tuple[Rule, ...] = (
    machine_types_exist,
    system_pool_is_fit,
    nodes_have_room_for_slurmd,
    images_fit,
)
