"""What a cloud is to the rest of the package: its specification, and how that and a Slurm cluster go together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import Field, field_validator

from pulumi_slurm.clouds.resources import Gpus
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.issue import Check, Issue
from pulumi_slurm.keys import ROOT_KEY_BYTES, SET_ROOT_KEY, decode_root_key
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.rules.run import Rule


class CloudSpec(Model):
    """The base of the specification of a Kubernetes cluster on a cloud, with storage and database for Slurm."""

    region: str
    """The region of everything."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes; pools may have zones of their own."""
    name: str | None = None
    """The name of the Kubernetes cluster, and the prefix of the names of all else; the Slurm cluster's by default."""
    deletion_protection: bool = True
    """Let `pulumi destroy` refuse to delete the cluster, storage and the database. Write false and run `pulumi up`
    before a destroy."""

    _max_name_length: ClassVar[int]
    """The maximum number of characters in its name."""

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str | None) -> str | None:
        return value if value is None else dns_label(value, cls._max_name_length)

    @property
    def cluster_name(self) -> str:
        """The name of the Kubernetes cluster, with which the names of all that is created begin."""
        return self.name or "slurm"


S = TypeVar("S", bound=CloudSpec)
P = TypeVar("P")
S_co = TypeVar("S_co", bound=CloudSpec, covariant=True)


class Load(Protocol[S_co]):
    """Reads a cloud's specification from plain data."""

    def __call__(self, data: Mapping[str, Any], *, at: Path = ()) -> S_co:
        """Return the specification; raise SpecError with every error in it, whose paths begin with ``at``."""


@dataclass(frozen=True)
class NeededSecret:
    """A secret that a configuration can't do without."""

    why: str
    """What it is for: "SSSD binds as ..."."""
    check: Check = lambda _: None
    """Returns what is wrong with a value that can't be used, without repeating it."""
    set_by: str = ""
    """The command that sets it, if a value is more than a text that somebody has."""

    def command(self, key: str) -> str:
        """Return the command that sets it, as the stack's secret of this key."""
        return self.set_by or f"pulumi config set --secret slurm:{key}"

    def issue(self, key: str, value: str | None) -> Issue | None:
        """Return what is wrong with its value, None where it is not set; ``key`` is that of the stack's secret."""
        if value is None:
            return Issue(f"it is not set, and {self.why}", f"Set it: {self.command(key)}")
        return self.check(value)


def _root_key_issue(text: str) -> Issue | None:
    try:
        decode_root_key(text)
    except ValueError:
        return Issue(f"it is not the base64 form of {ROOT_KEY_BYTES} bytes", f"Set it anew: {SET_ROOT_KEY}")
    return None


ROOT_KEY = NeededSecret("every key is derived from it", _root_key_issue, SET_ROOT_KEY)
"""The root key, which every stack needs that makes a Slurm cluster."""


@dataclass(frozen=True, kw_only=True)
class MachinePrice:
    """The list price of one machine an hour, before discounts and taxes; what isn't known is None, or empty."""

    on_demand: float | None = None
    """The price without a commitment."""
    spot: float | None = None
    """The price of one that the cloud may take back."""
    currency: str = ""
    """The code of its currency: "USD"."""
    region: str = ""
    """The region that it is for."""
    as_of: date | None = None
    """The day it was read."""


def no_errors(*_: Any) -> Iterator[FieldError]:
    """Find nothing, where a cloud has nothing to check."""
    yield from ()


@dataclass(frozen=True)
class Cloud(Generic[S, P]):
    """A cloud. Where nothing else is said, paths of errors begin below ``slurm:``."""

    key: str
    """The key of its row in `pulumi_slurm.clouds.registry`."""
    cluster: str
    """What its Kubernetes clusters are called: "GKE cluster"."""
    spec: type[S]
    """Its specification."""
    load: Load[S]
    """Reads its specification, with every error found in one go."""
    check: Callable[[S], Iterable[FieldError]]
    """Yields what its rules say of its specification; paths begin there."""
    rules: Sequence[Rule]
    """All its rules, those between it and a Slurm cluster and those on what exists among them."""
    plan: Callable[[S], P]
    """Returns what follows from the specification, for all that is below."""
    placeholders: Mapping[str, Any]
    """Values for the fields that the specification requires, so that the rest can be looked at without them."""
    example: str
    """What to write where the specification is missing."""
    pool_label: str
    """The label of nodes that says their pool."""
    pools_to_name: Callable[[P], Iterable[NodePoolSpec]]
    """The pools that node sets can name."""
    pools: Callable[[P], Sequence[NodePoolSpec]]
    """The pools as they are made."""
    check_slurm: Callable[[P, SlurmSpec], Iterable[FieldError]]
    """Yields what is wrong between it and a Slurm cluster, which may have errors of its own; paths begin there."""
    complete: Callable[[P, SlurmSpec], SlurmSpec]
    """Returns the Slurm cluster as it is built: with the cloud's storage and database. Raises SpecError."""
    price_of: Callable[[str, Gpus | None, str], MachinePrice]
    """Returns the price of a machine type that is built in, with the GPUs that are attached to it: in a region, or in
    another one, which the price names, where the list has none."""
    rules_on_answers: Sequence[Rule] = ()
    """Those of its rules that only a preview runs, on what it answers."""
    asks: Callable[[S], bool] = lambda _: False
    """Whether a preview asks it for clusters or networks that exist, so that all rules may say more there."""
    price_has_disks: Callable[[str], bool] = lambda _: True
    """Whether the price of a machine type has all local disks that its nodes can have."""
    other_release: Callable[[P], str | None] = lambda _: None
    """Returns the release of Slurm that ack-slurm-operator runs, or None where Slinky's slurm-operator runs Slurm."""
    check_together: Callable[[P, SlurmSpec, Sequence[NodePoolSpec]], Iterable[FieldError]] = no_errors
    """Yields what shows only when the Slurm cluster has no errors of its own."""
    check_built: Callable[[P, SlurmSpec, Sequence[NodePoolSpec]], Iterable[FieldError]] = no_errors
    """Yields what is wrong with the Slurm cluster as it is built, beyond the rules of Slurm specifications."""
    check_settings: Callable[[P, Mapping[str, Any]], Iterable[FieldError]] = no_errors
    """Yields what is wrong between it and the stack's other settings."""
    needed_secrets: Callable[[P, SlurmSpec], Mapping[str, NeededSecret]] = field(default=lambda *_: {})
    """Returns the secrets that a stack needs in addition to the root key, by their keys in the configuration."""

    @property
    def max_name_length(self) -> int:
        """The most characters that the name of its Kubernetes clusters can have."""
        return self.spec._max_name_length
