"""Invalid GKE specifications and their error messages: path, value, problem, fix.

The tests are in the other modules of this package, one for each subject, like the modules of rules and models. In their
tables, the key of a case describes the error.
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.model import SlurmSpec

BASE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}

Case = tuple[str, list[str]]
"""The fields of a specification in addition to BASE, and all errors that `load_gke` reports, in this order."""


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
