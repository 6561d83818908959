"""ACK's versions of Kubernetes, such as "1.32.1-aliyun.1"; ACK accepts only complete versions from its list."""

import re

from pulumi_slurm.errors import field_error

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,5})-aliyun\.(\d{1,5})", re.ASCII)


def parse(text: str) -> tuple[int, ...]:
    """Return the numbers of a version, or raise a field error."""
    match = _VERSION.fullmatch(text)
    if not match:
        raise field_error("this is not a version of ACK", 'Write all of it, for example "1.32.1-aliyun.1".')
    return tuple(map(int, match.groups()))


def is_before(version: str, minimum: str) -> bool:
    """Return whether a version is older than ``minimum``, a release of Kubernetes such as "1.26"."""
    minimum_numbers = tuple(map(int, minimum.split(".")))
    return parse(version)[: len(minimum_numbers)] < minimum_numbers
