"""Invalid specifications and their error messages: path, value, problem, fix.

The cases are in `tests/unit/refused/slurm`; the tests beside this are of what is not one specification and its errors.
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load


def errors_of(text: str) -> list[str]:
    """Return the errors in a stack configuration."""
    data: Any = yaml.safe_load(dedent(text))
    pools = data.pop("pools", ()) if isinstance(data, dict) else ()
    with pytest.raises(SpecError) as caught:
        load(data, pools)
    return [str(error) for error in caught.value.errors]
