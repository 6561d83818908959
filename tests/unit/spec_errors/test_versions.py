"""Versions of Slurm and slurm-operator: unknown ones, and fields that a release doesn't support."""

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster


def test_a_series_that_came_after_the_operator_is_accepted_with_a_warning() -> None:
    spec = SlurmSpec.model_validate({"name": "c", "operatorVersion": "1.1.2", "slurmVersion": "26.05"})
    (error,) = check_cluster(spec)
    assert error.severity is Severity.WARNING
    assert str(error) == (
        'slurm_version = "26.05": slurm-operator 1.1.2 is older than this series, and its makers have not run the two. '
        "Write one of: 25.11, or choose a later operator_version."
    )


def test_a_series_that_the_operator_no_longer_supports_is_accepted_with_a_warning() -> None:
    spec = SlurmSpec.model_validate({"name": "c", "operatorVersion": "1.3.0", "slurmVersion": "25.11"})
    (error,) = check_cluster(spec)
    assert error.severity is Severity.WARNING
    assert str(error) == (
        'slurm_version = "25.11": slurm-operator 1.3.0 supports no series before 26.05. '
        "Write one of: 26.05, or choose an earlier operator_version."
    )
