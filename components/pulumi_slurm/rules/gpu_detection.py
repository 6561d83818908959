"""A rule on GPUs that slurmd doesn't detect by itself: a node with fewer than its Gres has is invalid."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.gpus import AUTODETECT, NVIDIA, gpu_resources
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.images import Daemon, ImagesSpec
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec


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
                'Add configFiles["gres.conf"] with the nodes\' device files, for example "NodeName=gpu-[0-3] Name=gpu '
                'File=/dev/dri/renderD[128-135]".',
                depends_on_fields=(("config_files",), ("node_sets", index, "image"), ("images",)),
            )


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
