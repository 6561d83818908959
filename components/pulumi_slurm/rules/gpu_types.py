"""Rules on the types of GPUs: slurmd finds GPUs of a type by a part of the name that their driver has.

slurmd writes the name in small letters and with "_" for spaces: gpu_common_underscorify_tolower in
src/plugins/gpu/common/gpu_common.c; the type has to be a part of it: _find_type_in_gres_list in
src/plugins/gres/gpu/gres_gpu.c of SchedMD/slurm, slurm-26-05-3-1. Labels of Kubernetes have "-" for spaces, and
further parts: https://github.com/NVIDIA/k8s-device-plugin/blob/main/docs/gpu-feature-discovery/README.md.
"""

import re
from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.gres_conf import detects_gpus, types_in_gres_conf
from pulumi_slurm.rules.run import Rule, warns

_SLICE = re.compile(r"mig[-_]?([0-9]+g\.[0-9]+gb)")
_MODEL = re.compile(r"[a-z]{1,3}[0-9]{1,4}[a-z]{0,2}|[0-9]{4}(?:ti)?")
"""Such as h100, mi300x, l40s, gh200, and 4090 of "RTX 4090"; not 80gb, hbm3 or sxm4."""
_NO_MODEL = re.compile(r"(?:hbm|sxm|gddr|ddr)[0-9]+[a-z]?")
_HYPHEN_OF_DRIVER = re.compile(
    r"(?:(?:nvidia|tesla|grid)_)?(?:k[0-9]+[a-z]?|p[0-9]+|v100s?|a100|a800)-(?:sxm[0-9]?|pcie|fhhl|dgxs)(?:-[0-9]+gb)?"
    r"|(?:nvidia_)?h20-3e|(?:(?:nvidia|grid)_)?[a-z]{1,3}[0-9]{1,4}[a-z]{0,2}-[0-9]+[abcq]"
)
"""Names of drivers with a hyphen of their own, as NVIDIA's "A100-SXM4-80GB", "H20-3e", and "A10-24Q" of a vGPU:
https://docs.nvidia.com/vgpu/latest/grid-vgpu-user-guide/index.html."""
_UNDERSCORE_OF_NOBODY = re.compile(r"(?:^|_)(?:p[0-9]+|v100s?|a100|a800)_(?:sxm|pcie_|fhhl|dgxs)|_sxm|^nvidia_tesla_")


@warns
def gpus_have_types_that_slurmd_finds(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn of types of GPUs that read like a label of a node, such as NVIDIA-H100-80GB-HBM3; slurmd finds none."""
    if not spec.controller.external and detects_gpus(spec):
        for index, node_set in enumerate(spec.node_sets):
            machine = machine_of(node_set, pools)
            if machine and machine.gpus and machine.gpus.type and (short := short_type(machine.gpus.type)):
                is_own = node_set.machine is not None
                at: Path = ("node_sets", index, *(("machine", "gpus", "type") if is_own else ("pool",)))
                yield _warning(at, machine.gpus.type if is_own else node_set.pool, machine.gpus.type, short)
            yield from _warnings_of_gres(("node_sets", index, "extra_gres"), node_set.extra_gres)
        for gpu_type in types_in_gres_conf(spec):
            if short := short_type(gpu_type):
                yield _warning(("config_files", "gres.conf"), f"Type={gpu_type}", gpu_type, short)
    for index, nodes in enumerate(spec.external_nodes):
        yield from _warnings_of_gres(("external_nodes", index, "gres"), nodes.gres)


def short_type(gpu_type: str) -> str | None:
    """Return a part of the driver's name for a type that is none, as a label or a trade name; None for others."""
    text = gpu_type.lower()
    if not ("-" in text and not _HYPHEN_OF_DRIVER.fullmatch(text)) and not _UNDERSCORE_OF_NOBODY.search(text):
        return None
    if match := _SLICE.search(text):
        return match[1]
    words = [word for word in re.split("[-_]", text) if _MODEL.fullmatch(word) and not _NO_MODEL.fullmatch(word)]
    return words[0] if words else None


def _warnings_of_gres(at: Path, gres: Sequence[str]) -> Iterator[FieldError]:
    for position, item in enumerate(gres):
        name, _, type_and_count = item.partition(":")
        gpu_type = type_and_count.partition(":")[0]
        if name.lower() == "gpu" and (short := short_type(gpu_type)):
            yield _warning((*at, position), item, gpu_type, short)


def _warning(at: Path, value: object, gpu_type: str, short: str) -> FieldError:
    problem = (
        f'a type has to be a part of the name that slurmd reads from the driver, such as "nvidia_h100_80gb_hbm3", and '
        f"{gpu_type} reads like a label, so slurmd may find none of these GPUs and Slurm drains their nodes"
    )
    return FieldError(at, value, problem, f'Write "{short}".', (("config_files",),))


RULES_WITH_POOLS: tuple[Rule, ...] = (gpus_have_types_that_slurmd_finds,)
