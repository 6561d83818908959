"""Loading of an ACK specification from plain data, with all errors at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.names import region_of, zone_in
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.clouds.load import load_cloud
from pulumi_slurm.errors import Path, spelled_like

PLACEHOLDERS = MappingProxyType({"region": "cn-hangzhou", "zones": ("cn-hangzhou-h",)})
"""Values for required fields that are missing or invalid, so that rules can check the other fields."""


def load_ack(data: Mapping[str, Any], *, at: Path = ()) -> AckSpec:
    """Return the specification that plain data describes.

    ``at`` is the prefix of the paths of errors.

    Raises:
        SpecError: with all errors; invalid fields are removed, and the rules check the other ones.
    """
    with spelled_like(data):
        return load_cloud(
            AckSpec,
            data,
            check_ack,
            PLACEHOLDERS,
            region_of=region_of,
            zone_in=zone_in,
            at=at,
            subject="The ACK specification",
        )
