"""Which NVIDIA drivers an instance type can take.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/customize-the-gpu-driver-version-of-the-node-by-specifying-the-version-number.
The label has an effect on nodes that join afterwards. A version that is not on ACK's list for the cluster and its
operating system is replaced by the default one, or keeps the node from joining; the list changes and is not kept here.
"""

import re

from pulumi_slurm.errors import field_error
from pulumi_slurm.machines.ack.machine_type import AckMachineTypeSpec

DRIVER_LABEL = "ack.aliyun.com/nvidia-driver-version"
"""The label of a node pool that asks for a version of the driver."""

_VERSION = re.compile(r"[0-9]{3}(\.[0-9]{1,3}){1,2}")


def check_driver(machine_type: AckMachineTypeSpec, version: str) -> str:
    """Return a driver's version that this type can take; raise the field's error for one that it can't.

    gn7 and ebmgn7 can't take 510 and 515. Alibaba advises versions before 510 with GSP off, or from 525.125.06 on, so
    that nothing between is accepted for them. ebmgn7 and ebmgn7e need 460.32.03 or later.
    """
    if machine_type.gpus is None:
        raise field_error(f"{machine_type.name} has no GPU, and so no driver", "Leave the driver's version out.")
    if not _VERSION.fullmatch(version):
        raise field_error("this is not the version of an NVIDIA driver", 'Write all of it, e.g. "550.144.03".')
    numbers = _numbers(version)
    if machine_type.family in ("gn7", "ebmgn7") and (510,) <= numbers < _numbers("525.125.06"):
        raise field_error(
            f"{machine_type.name} does not work with drivers 510 and 515, nor safely with others before 525.125.06",
            "Write 525.125.06 or later, or a version before 510 and turn GSP off.",
        )
    if machine_type.family in ("ebmgn7", "ebmgn7e") and numbers < _numbers("460.32.03"):
        raise field_error(
            f"{machine_type.name} needs driver 460.32.03 or later", 'Write a later one, e.g. "550.144.03".'
        )
    return version


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
