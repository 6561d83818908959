"""What a specification is refused for, beside a plain cluster with the node sets `cpu` and `gpu`."""

from textwrap import dedent
from typing import Any, NamedTuple

import pytest
import yaml

from pulumi_slurm.errors import SpecError, format_path
from pulumi_slurm.loading import load

NODE_SETS = "NodeSet=cpu Feature=cpu\nNodeSet=gpu Feature=gpu\n"
"""What the operator writes of the node sets."""
PLAIN: dict[str, Any] = {
    "name": "c",
    "nodeSets": [
        {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}},
        {"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2}}},
    ],
}


class Refusal(NamedTuple):
    """A specification beside the node sets `cpu` and `gpu`, and what it would come to."""

    spec: str
    path: str
    """The field that we refuse."""
    lines: str
    """What slurm.conf would have."""
    message: str
    """slurmctld's message, as a regular expression."""


def refused_at(text: str) -> list[str]:
    """Return the paths at which a specification is refused; `text` is what it has beside name and node sets."""
    with pytest.raises(SpecError) as caught:
        load({**PLAIN, **yaml.safe_load(dedent(text))})
    return [format_path(error.path) for error in caught.value.errors]


def is_accepted(text: str) -> bool:
    """Whether a specification is valid."""
    try:
        load({**PLAIN, **yaml.safe_load(dedent(text))})
    except SpecError:
        return False
    return True
