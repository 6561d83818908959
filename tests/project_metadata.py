"""What pyproject.toml says."""

import tomllib
from typing import Any

from devcluster.folders import CHECKOUT


def pyproject() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text())


def project() -> dict[str, Any]:
    """Return the metadata of the package: its name, version, dependencies and extras."""
    metadata: dict[str, Any] = pyproject()["project"]
    return metadata
