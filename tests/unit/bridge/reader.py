"""What slurm-bridge makes of annotations, as its documentation and `parseAnnotations` of v1.2.1 say."""

import re
from collections.abc import Callable, Mapping
from typing import Any

PREFIX = "slurmjob.slinky.slurm.net/"


def number(text: str) -> int:
    assert re.fullmatch(r"[+-]?[0-9]+", text), text
    assert -(2**31) <= int(text) < 2**31, text
    return int(text)


def quantity(text: str) -> int:
    """Return whole units: the fractions of a quantity round up, and these forms have none."""
    match = re.fullmatch(r"([0-9]+)(Mi)?", text)
    assert match, text
    value = int(match[1]) * (1024**2 if match[2] else 1)
    assert value < 2**63, text
    return value


READERS: dict[str, Callable[[str], Any]] = {
    "cpu-per-task": quantity,
    "exclusive": lambda text: text.strip().lower() != "false",
    "max-nodes": number,
    "min-nodes": number,
    "mem-per-node": lambda text: quantity(text) // 1024**2,
    "priority": number,
    "timelimit": number,
}
TEXTS = {
    "account",
    "constraints",
    "gres",
    "group-id",
    "job-name",
    "licenses",
    "partition",
    "qos",
    "reservation",
    "user-id",
    "wckey",
}


def read(annotations: Mapping[str, str]) -> dict[str, Any]:
    """Return what the bridge submits, by the suffix; it takes no notice of other annotations, so none may be there."""
    read_values = {}
    for key, text in annotations.items():
        suffix = key.removeprefix(PREFIX)
        assert suffix != key
        assert suffix in {*READERS, *TEXTS}
        assert text
        read_values[suffix] = READERS.get(suffix, str)(text)
    return read_values
