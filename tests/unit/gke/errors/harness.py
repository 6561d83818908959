"""Invalid GKE specifications and their error messages: path, value, problem, fix.

The cases are in `tests/unit/refused/gke`; the tests beside this are of all else. The key of a case says what is wrong.
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.model import SlurmSpec

BASE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}


def with_base(text: str) -> dict[str, Any]:
    """Return a GKE specification: BASE and the fields of a case."""
    return {**BASE, **yaml.safe_load(dedent(text))}


def slurm_spec(text: str) -> SlurmSpec:
    return SlurmSpec.model_validate({"name": "c", **yaml.safe_load(dedent(text))})


def errors_of(text: str) -> list[str]:
    """Return the errors in a GKE specification."""
    with pytest.raises(SpecError) as caught:
        load_gke(with_base(text))
    return [str(error) for error in caught.value.errors]
