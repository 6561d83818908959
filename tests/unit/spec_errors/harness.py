"""Invalid specifications and their error messages: path, value, problem, fix.

The tests are in the modules beside this one, split by subject along the modules of rules and models. In each table, the
key of a case says what is wrong.
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load

Case = tuple[str, list[str]]
"""A stack configuration, and every error that `load` has to report, in this order.

The key "pools", where there is one, holds the node pools.
"""


def errors_of(text: str) -> list[str]:
    """Return the errors in a stack configuration."""
    data: Any = yaml.safe_load(dedent(text))
    pools = data.pop("pools", ()) if isinstance(data, dict) else ()
    with pytest.raises(SpecError) as caught:
        load(data, pools)
    return [str(error) for error in caught.value.errors]
