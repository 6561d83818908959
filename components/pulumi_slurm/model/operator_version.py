"""A table of the releases of slurm-operator and what differs between them.

Source: release notes and CRDs of https://github.com/SlinkyProject/slurm-operator.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from pulumi_slurm.errors import field_error


class Feature(StrEnum):
    """A feature that only newer releases of the operator have."""

    SCALING_MODE = "scalingMode"
    SSH = "ssh"
    ORDINAL_PADDING = "ordinalPadding"
    DISRUPTION_PROTECTION = "workloadDisruptionProtection"
    JWKS = "jwks"


@dataclass(frozen=True)
class OperatorVersion:
    """One release of slurm-operator."""

    version: str
    """The release, for example "1.1.0"."""
    jwt_field: str
    """The field of Controller, Accounting and Token that refers to the JWT key."""
    references_carry_namespace: bool
    """Whether references between objects must have a namespace; if false, they must not."""
    rest_api_has_budget: bool
    """Whether the operator creates a PodDisruptionBudget for slurmrestd."""
    writes_plugins: bool
    """Whether the operator writes the lines of slurm.conf for GRES, cgroups and job accounting; if not, we do."""
    slurm_series: tuple[str, ...]
    """The Slurm series that the release supports, the default first."""
    features: frozenset[Feature] = frozenset()
    """The features that the release has in addition to those of the oldest one."""


_ROW_1_0 = OperatorVersion(
    "1.0.0",
    "jwtHs256KeyRef",
    references_carry_namespace=True,
    rest_api_has_budget=False,
    writes_plugins=True,
    slurm_series=("25.11",),
)
_ROW_1_1 = replace(_ROW_1_0, jwt_field="jwtKeyRef", features=frozenset(Feature))
_ROW_1_2 = replace(
    _ROW_1_1,
    references_carry_namespace=False,
    rest_api_has_budget=True,
    writes_plugins=False,
    slurm_series=("26.05", "25.11"),
)

_ROW_BY_FIRST_RELEASE = {
    (1, 0, 0): _ROW_1_0,
    (1, 0, 4): replace(_ROW_1_0, references_carry_namespace=False),
    (1, 1, 0): _ROW_1_1,
    (1, 1, 1): replace(_ROW_1_1, references_carry_namespace=False),
    (1, 2, 0): _ROW_1_2,
}
RELEASES = ("1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.5", "1.1.0", "1.1.1", "1.1.2", "1.2.0", "1.2.1")
"""All supported releases, the oldest first."""

DEFAULT_OPERATOR = "1.1.2"
"""The release that is installed by default."""


def operator_version(text: str) -> OperatorVersion:
    """Return the row for a release; raise a field error if the release is not in the table."""
    if text not in RELEASES:
        raise field_error("this release of slurm-operator is not known here", f"Write one of: {', '.join(RELEASES)}.")
    release = tuple(int(part) for part in text.split("."))
    first = max(start for start in _ROW_BY_FIRST_RELEASE if start <= release)
    return replace(_ROW_BY_FIRST_RELEASE[first], version=text)
