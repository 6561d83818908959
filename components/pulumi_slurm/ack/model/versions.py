"""ACK's versions of Kubernetes: "1.32.1-aliyun.1". ACK takes one whole, as its list of versions has it."""

import re

from pulumi_slurm.errors import field_error

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,5})-aliyun\.(\d{1,5})", re.ASCII)


def parse(text: str) -> tuple[int, ...]:
    """Return a version's numbers; raise the field's error where it is none."""
    match = _VERSION.fullmatch(text)
    if not match:
        raise field_error("this is not a version of ACK", 'Write all of it, for example "1.32.1-aliyun.1".')
    return tuple(map(int, match.groups()))


def is_before(version: str, floor: str) -> bool:
    """Return whether a version comes before ``floor``, a release of Kubernetes such as "1.26"."""
    least = tuple(map(int, floor.split(".")))
    return parse(version)[: len(least)] < least
