"""What differs between versions of slurm-operator, in one table.

Source: release notes and CRDs of https://github.com/SlinkyProject/slurm-operator.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from pulumi_slurm.errors import field_error


class Feature(StrEnum):
    """Something that only newer operators know."""

    SCALING_MODE = "scalingMode"
    SSH = "ssh"
    ORDINAL_PADDING = "ordinalPadding"
    DISRUPTION_PROTECTION = "workloadDisruptionProtection"
    JWKS = "jwks"


@dataclass(frozen=True)
class OperatorVersion:
    """One row of the table."""

    version: str
    """The release, for example "1.1.0"."""
    jwt_field: str
    """The field of Controller, Accounting and Token that names the JWT key."""
    references_carry_namespace: bool
    """Whether references between objects have to carry a namespace, or may not."""
    rest_api_has_budget: bool
    """Whether the operator makes a PodDisruptionBudget for slurmrestd."""
    writes_plugins: bool
    """Whether the operator writes lines on GRES, cgroups and what is gathered of jobs, or leaves them to us."""
    slurm_series: tuple[str, ...]
    """Slurm series that this operator speaks to, the default first."""
    features: frozenset[Feature] = frozenset()
    """What this version knows beyond the oldest."""


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

_FIRST_OF_ROW = {
    (1, 0, 0): _ROW_1_0,
    (1, 0, 4): replace(_ROW_1_0, references_carry_namespace=False),
    (1, 1, 0): _ROW_1_1,
    (1, 1, 1): replace(_ROW_1_1, references_carry_namespace=False),
    (1, 2, 0): _ROW_1_2,
}
RELEASES = ("1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.5", "1.1.0", "1.1.1", "1.1.2", "1.2.0", "1.2.1")
"""Every release in the table, the oldest first."""

DEFAULT_OPERATOR = "1.1.2"
"""The release that is installed when none is named."""


def operator_version(text: str) -> OperatorVersion:
    """Return the row of a release; raise the field's error for one that is not in the table."""
    if text not in RELEASES:
        raise field_error("this release of slurm-operator is not known here", f"Write one of: {', '.join(RELEASES)}.")
    release = tuple(int(part) for part in text.split("."))
    first = max(start for start in _FIRST_OF_ROW if start <= release)
    return replace(_FIRST_OF_ROW[first], version=text)
