"""Invalid ACK specifications and their error messages: path, value, problem, fix.

The cases are in `tests/unit/refused/ack`; the tests beside this are of all else. The key of a case says what is wrong.

A case whose name begins with a number is about that subject in `tests.unit.ack_slurm.errors.harness.SUBJECTS`.
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked

BASE = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"]}


def with_base(text: str) -> dict[str, Any]:
    """Return a ACK specification: BASE, and what a case adds to it."""
    return {**BASE, **yaml.safe_load(dedent(text))}


def slurm_spec(text: str) -> SlurmSpec:
    """Return a Slurm cluster, whose state has a StorageClass as ACK wants it, unless a case says otherwise."""
    state = {"controller": {"state": {"storageClass": "slurm-disk"}}}
    return checked(SlurmSpec.model_validate({"name": "c", **state, **yaml.safe_load(dedent(text))}))


def errors_of(text: str) -> list[str]:
    """Return the errors in a ACK specification."""
    with pytest.raises(SpecError) as caught:
        load_ack(with_base(text))
    return [str(error) for error in caught.value.errors]


def warnings_of(text: str) -> list[str]:
    """Return the warnings about an ACK specification without errors."""
    with collected_warnings() as warned:
        load_ack(with_base(text))
    return [str(warning) for warning in warned]
