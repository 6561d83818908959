"""The rules of an ACK specification, applied to the arguments of a component."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.names import region_of
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.errors import FieldError, Path, from_pydantic, in_arguments, raise_errors
from pulumi_slurm.kube.component import are_checked


def check_part(fields: Mapping[str, Any], arguments: Mapping[Path, Path]) -> None:
    """Raise the errors of the rules as errors in the arguments of a component.

    ``fields`` are the fields of an ACK specification that the component has; without a region, it is that of the first
    zone. ``arguments`` has the path of each argument by the path of its field, see `in_arguments`.
    """
    if are_checked():
        return
    derived_fields: list[Path] = []
    if "region" not in fields:
        fields = {"region": _region(fields["zones"]), **fields}
        derived_fields.append(("region",))
    raise_errors(in_arguments(_errors(fields), arguments, derived_fields=derived_fields))


def _errors(fields: Mapping[str, Any]) -> Iterable[FieldError]:
    try:
        spec = AckSpec.model_validate(fields)
    except ValidationError as error:
        return from_pydantic(error, AckSpec)
    return check_ack(spec)


def _region(zones: list[str]) -> str:
    # If this isn't a zone, the model refuses it and no rule runs.
    return region_of(zones[0]) if zones else ""
