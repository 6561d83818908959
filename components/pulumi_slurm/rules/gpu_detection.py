"""Rules on the GPUs that slurmd detects: a node with fewer than its Gres is invalid, and of more it takes the first."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.gpus import AUTODETECT, NVIDIA, gpu_resources
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.images import Daemon, ImagesSpec
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


def slurmd_detects_the_gpus(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse GPUs that slurmd doesn't detect by itself, unless there is a gres.conf that names their devices."""
    if "gres.conf" in spec.config_files or spec.controller.external:
        return
    resources = [*gpu_resources(spec, pools)]
    plugins = {AUTODETECT.get(resource) for _, _, resource in resources}
    for index, node_set, resource in resources:
        plugin = AUTODETECT.get(resource)
        problem = _problem(spec, node_set, plugin, is_alone=len(plugins) == 1)
        if problem:
            has_machine = node_set.machine is not None
            at: Path = ("node_sets", index, *(("machine", "gpus", "resource") if has_machine else ("pool",)))
            yield FieldError(
                at,
                resource if has_machine else node_set.pool,
                problem if has_machine else f"its nodes offer {resource}, and {problem}",
                f'Add configFiles["gres.conf"] with the nodes\' device files, for example "NodeName=gpu-[0-3] '
                f'{_example(resource)}".',
                depends_on_fields=(("config_files",), ("node_sets", index, "image"), ("images",)),
            )


@warns
def workers_have_all_gpus_of_their_nodes(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn of workers with a part of their node's GPUs: their jobs may use those that Kubernetes gave to other pods.

    Workers are privileged and find all devices, and slurmd keeps the first ones: _merge_system_gres_conf in
    src/plugins/gres/gpu/gres_gpu.c of SchedMD/slurm, branch slurm-25.11. A gres.conf may name others.
    """
    if "gres.conf" in spec.config_files:
        return
    by_name = {pool.name: pool for pool in pools}
    for index, node_set in enumerate(spec.node_sets):
        pool = by_name.get(node_set.pool or "")
        machine = machine_of(node_set, pools)
        if pool is None or machine is None or machine.gpus is None or node_set.bridged:
            continue
        of_node = pool.machine.gpus.count if pool.machine.gpus else 0
        if machine.gpus.count < of_node:
            field: Path = ("gpus",) if node_set.gpus else ("machine", "gpus", "count")
            yield FieldError(
                ("node_sets", index, *field),
                machine.gpus.count,
                f"slurmd takes the first of the {of_node} GPUs of its node, whichever Kubernetes gives to its pod, so "
                "jobs may share GPUs with other pods there",
                f'Leave it out, or let no other pod request {machine.gpus.resource} on nodes of "{pool.name}".',
                (("config_files",),),
            )


def _example(resource: str) -> str:
    """Return a line for such devices. Slices of GPUs have a file of the GPU and two of capabilities.

    Source: https://slurm.schedmd.com/gres.html#MIG_Management.
    """
    if "/mig-" in resource:
        slices = "MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap21,/dev/nvidia-caps/nvidia-cap22"
        return f"Name=gpu Type={resource.partition('/mig-')[2]} {slices}"
    if resource.startswith("nvidia.com/"):
        return "Name=gpu File=/dev/nvidia[0-7]"
    return "Name=gpu File=/dev/dri/renderD[128-135]"


def _problem(spec: SlurmSpec, node_set: NodeSetSpec, plugin: str | None, *, is_alone: bool) -> str | None:
    if plugin is None:
        return "slurmd can't detect such devices by itself, so the nodes would be invalid"
    if plugin == NVIDIA:
        return None
    image = node_set.image or spec.images.of(Daemon.SLURMD, spec.slurm_version)
    if image.startswith(f"{ImagesSpec().registry}/"):
        # No package for them in the Dockerfiles of https://github.com/SlinkyProject/containers (2026-06-25).
        return f"slurmd in Slinky's image lacks {plugin}, so it would detect no GPUs, and nodes would be invalid"
    if node_set.scaling_mode is ScalingMode.DAEMON_SET and not is_alone:
        return "with GPUs of several vendors gres.conf needs node names, and those of a DaemonSet aren't known here"
    return None


RULES_WITH_POOLS: tuple[Rule, ...] = (
    slurmd_detects_the_gpus,
    workers_have_all_gpus_of_their_nodes,
)
