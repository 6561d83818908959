"""Which quota a GPU takes from, as the preflight compares it."""

from pulumi_slurm.gke.plan.quotas import GPU_QUOTAS
from pulumi_slurm.machines.gke.attached_gpus import ATTACHABLE
from pulumi_slurm.machines.gke.gpu_types import gpu_types


def test_each_gpu_has_a_quota_or_none_that_is_known() -> None:
    of_types = {machine_type.gpus.google_type for machine_type in gpu_types().values() if machine_type.gpus}
    assert GPU_QUOTAS.keys() == {*of_types, *ATTACHABLE}, "write it into GPU_QUOTAS, or None"
