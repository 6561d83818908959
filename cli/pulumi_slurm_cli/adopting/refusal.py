"""What a stack can't take over."""

from dataclasses import dataclass
from typing import Any

from pulumi_slurm.secrecy import without_secrets

IN_THE_CHART = "Change it by `helm upgrade` first."


@dataclass(frozen=True, slots=True)
class Refusal:
    """A field of a live object that has no place in a specification."""

    path: str
    """Object and field, for example "NodeSet/slurm-worker-cpu: spec.volumeClaimTemplates"."""
    problem: str
    fix: str

    def __str__(self) -> str:
        """Return it as one line, without what looks like a secret."""
        return without_secrets(f"{self.path}: {self.problem}. {self.fix}")


def path_of(title: str, *steps: Any) -> str:
    """Return the path of a field of an object."""
    return f"{title}: {'.'.join(map(str, steps))}"
