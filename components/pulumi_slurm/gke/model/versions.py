"""GKE's versions: "1.35", "1.35.2" or "1.35.2-gke.1842000"; a short one means the newest that starts with it."""

import re

from pulumi_slurm.errors import field_error

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})(?:\.(\d{1,5})(?:-gke\.(\d{1,12}))?)?", re.ASCII)


def parse(text: str) -> tuple[int, ...]:
    """Return a version's numbers; raise the field's error if the text isn't a version."""
    match = _VERSION.fullmatch(text)
    if not match:
        raise field_error("this is not a version of GKE", 'Write for example "1.35" or "1.35.2-gke.1842000".')
    return tuple(int(number) for number in match.groups() if number is not None)


def is_before(version: str, min_version: str) -> bool:
    """Return whether even the newest release that ``version`` can mean is older than ``min_version``."""
    numbers = parse(version)
    return numbers < parse(min_version)[: len(numbers)]
