"""The bridge needs a version of Kubernetes that not every cloud has by default.

All clouds share this rule, and the rules of each cloud call it; it is not one of `check_cluster`.

Source: `kubeVersion` in helm/slurm-bridge/Chart.yaml of https://github.com/SlinkyProject/slurm-bridge, in all releases
from 1.0.0 to 1.2.1.
"""

from collections.abc import Callable, Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec

MIN_KUBERNETES = "1.34"


def kubernetes_runs_the_bridge(
    slurm: SlurmSpec, version: str | None, is_before: Callable[[str, str], bool], field: str
) -> Iterator[FieldError]:
    """Refuse a bridge on a version of Kubernetes, if it is configured, that is too old for it.

    ``is_before`` compares the cloud's versions; ``field`` is where the cluster's version is written.
    """
    if slurm.bridge and version and is_before(version, MIN_KUBERNETES):
        yield FieldError(
            ("bridge",),
            FieldError.ABSENT,
            f'slurm-bridge needs Kubernetes {MIN_KUBERNETES}, and {field} is "{version}"',
            f"Write {MIN_KUBERNETES} or a later version there, or leave bridge out.",
        )
