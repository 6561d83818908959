"""The result of an import."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.secrecy import without_secrets
from pulumi_slurm.slurmconf.conf_error import Location


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something in the files that is not in the specification."""

    location: Location
    text: str
    """The text in the file, for example "PartitionName=gpu QOS=normal"."""
    reason: str
    """Why it is left out, and where there is one, what to do instead."""
    routine: bool = False
    """It is so in every import, and there is nothing to do about it."""

    def __post_init__(self) -> None:
        """Keep out what looks like a secret: the text becomes a comment in the stack's file."""
        for name in ("text", "reason"):
            object.__setattr__(self, name, without_secrets(getattr(self, name)))

    def __str__(self) -> str:
        """Return it as one line."""
        return f"{self.location}: {self.text}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Imported:
    """A specification, and notes on how it was made."""

    spec: SlurmSpec | None
    """The specification; None where errors remain."""
    data: Mapping[str, Any]
    """The same as plain data in the form of stack configuration."""
    left_out: list[LeftOut] = field(default_factory=list)
    """In the order of the files."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old names of nodes to new ones, both as hostlists of equal length and order; without names that stay."""
    to_do: list[str] = field(default_factory=list)
    """What to check or to make before the specification is used; sentences."""
    errors: list[FieldError] = field(default_factory=list)
    """What keeps the data from being a specification."""
