"""Reading an ACK specification from plain data, with every error found in one go."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.names import region_of, zone_in
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.clouds.load import load_cloud
from pulumi_slurm.errors import Path

_STAND_INS = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"]}
"""What is taken for a required field that can't be read, so that the rules run on the rest."""


def load_ack(data: Mapping[str, Any], *, at: Path = ()) -> AckSpec:
    """Return the specification that plain data describes.

    ``at`` is where it stands in the user's file; paths of errors begin there.

    Raises:
        SpecError: with every error: wrong fields are set aside, and the rules run on what is left.
    """
    return load_cloud(
        AckSpec,
        data,
        check_ack,
        _STAND_INS,
        region_of=region_of,
        zone_in=zone_in,
        at=at,
        subject="The ACK specification",
    )
