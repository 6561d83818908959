"""The base of the arguments of all components for GKE: checks of values that may be Outputs, and rules for one part."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.errors import Path, in_arguments, raise_errors
from pulumi_slurm.gke.model import GkeSpec, GkeSystemPoolSpec, names
from pulumi_slurm.gke.rules import check_gke
from pulumi_slurm.kube.component import Args, are_checked
from pulumi_slurm.model.names import dns_label

_REGION = "us-central1"
"""The placeholder for a region that is still an Output."""
_MIN_SYSTEM_POOL = GkeSystemPoolSpec(min_nodes=1, max_nodes=1)
"""The placeholder for the system pool in components without one: no other pool needs fewer addresses."""


def when_known(check: Callable[[str], str]) -> Callable[[Any], Any]:
    """Return a validator of a ``pulumi.Input[str]``, which runs ``check`` unless the value is still an Output."""

    def validator(value: Any) -> Any:
        return check(value) if isinstance(value, str) else value

    return validator


def cluster_name(value: str) -> str:
    """Return the name of a GKE cluster, which is the prefix of the names of other resources."""
    return dns_label(value, names.MAX_CLUSTER_NAME_LENGTH)


def number_of(
    project: pulumi.Input[str], number: pulumi.Input[str] | None, component: pulumi.Resource
) -> pulumi.Output[str]:
    """Return the number of a project: the one that is given, or else Google's answer."""
    if number is not None:
        return pulumi.Output.from_input(number)
    return gcp.organizations.get_project_output(
        project_id=project, opts=pulumi.InvokeOutputOptions(parent=component)
    ).number


class GkeArgs(Args):
    """The base of the arguments of components that create resources in a Google Cloud project."""

    project: pulumi.Input[str]
    """The id of the Google Cloud project."""

    _project = field_validator("project")(when_known(names.project_id))


class GkeArgsWithNumber(GkeArgs):
    """The base of the arguments of components that name Google's service agents of the project."""

    project_number: pulumi.Input[str] | None = None
    """The project's number, `GkeNewProject.number` for example; by default Google is asked, in previews too. It can't
    be asked about a project that isn't there yet."""


def spec_of(location: pulumi.Input[str] | None, zones: Sequence[str], **parts: Any) -> GkeSpec:
    """Return a specification that has only these parts.

    ``location`` is a region or a zone. If it is an Output and there are no zones, the specification has a placeholder
    for the region.
    """
    if isinstance(location, str):
        region = names.region_of_location(location)
    else:
        region = names.region_of(zones[0]) if zones else _REGION
    fields = {"project": "unnamed", "system_pool": _MIN_SYSTEM_POOL, **parts}
    return GkeSpec(region=region, zones=list(zones) or [f"{region}-a"], **fields)


def check_part(spec: GkeSpec, arguments: Mapping[Path, Path]) -> None:
    """Raise the errors of the rules in a part of a specification; validators of arguments call this.

    ``arguments`` has the path of each argument by the path of its field, see `in_arguments`.
    """
    if are_checked():
        return
    derived_fields: list[Path] = [(field,) for field in spec.model_fields_set]
    raise_errors(in_arguments(check_gke(spec), arguments, derived_fields=derived_fields))
