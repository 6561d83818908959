"""The fields of an object for which its pods are replaced, in few words."""

from pulumi_slurm.manifests.objects import KEY_GENERATIONS, Manifest
from pulumi_slurm.model import OperatorVersion
from pulumi_slurm_cli.adopting.differences import differences

_METADATA = ("template", "metadata")
_STEPS = 2
"""The container and what it is of it, such as slurmd.image."""


def pod_fields(old: Manifest, new: Manifest, operator: OperatorVersion) -> list[str]:
    """Return each field once, for example "slurmd.image"; the generation of a key is "key"."""
    return [*dict.fromkeys(_shown(item.steps) for item in differences(old, new, operator) if item.is_of_pods)]


def _shown(steps: tuple[str, ...]) -> str:
    if steps[: len(_METADATA)] == _METADATA:
        name = steps[-1]
        return "key" if name == KEY_GENERATIONS else name
    return ".".join(steps[:_STEPS])
