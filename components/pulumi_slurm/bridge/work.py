"""The annotations of a Slurm job alone, for workloads that are made by other means."""

from typing import Any

from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import FieldError, SpecError, field_error_of
from pulumi_slurm.model.bridge_work import DEFAULT_BRIDGE, BridgedGpusSpec, BridgedWorkSpec, GpuResource, check_priority
from pulumi_slurm.model.releases.bridge_version import bridge_version

__all__ = ["BridgedGpusSpec", "BridgedWorkSpec", "GpuResource", "annotations"]

_SUBJECT = "A workload for Slurm"


def annotations(*, version: str = DEFAULT_BRIDGE, **fields: Any) -> dict[str, str]:
    """Return the annotations of a Slurm job, from the fields of `BridgedWorkSpec`, for a release of the bridge.

    They belong on the Job, JobSet, PodGroup, LeaderWorkerSet or bare Pod itself, not on a template of pods.

    Raises:
        SpecError: with all errors.
    """
    errors: list[FieldError] = []
    work = BridgedWorkSpec()
    try:
        work = BridgedWorkSpec(**fields)
    except SpecError as error:
        errors += error.errors
    try:
        bridge_version(version)
    except PydanticCustomError as error:
        raise SpecError([field_error_of(error, ("version",), version), *errors], _SUBJECT) from None
    try:
        check_priority(fields.get("priority"), version)
    except PydanticCustomError as error:
        errors.append(field_error_of(error, ("priority",), fields["priority"]))
    if errors:
        raise SpecError(errors, _SUBJECT)
    return work.annotations()
