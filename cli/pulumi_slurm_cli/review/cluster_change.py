"""The Slurm clusters of a stack before and after a change, as their specifications."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from pulumi_slurm.errors import from_pydantic
from pulumi_slurm_cli.review.ack_side import ACK_COMPONENT, AckInputs, ack_side_of
from pulumi_slurm_cli.review.cluster_side import COMPONENT, ClusterSide, side_of
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

_SIDES: Mapping[str, Callable[[Mapping[str, Any] | None], ClusterSide]] = MappingProxyType(
    {COMPONENT: side_of, ACK_COMPONENT: ack_side_of}
)
"""What reads the inputs of a cluster's component, by its type."""
COMPONENTS = frozenset(_SIDES)
"""The types of components of clusters."""


@dataclass(frozen=True)
class ClusterChange:
    """A cluster before and after a change."""

    name: str
    """The component's name in the program."""
    before: ClusterSide | None
    """None for a new cluster."""
    after: ClusterSide | None
    """None for one that goes."""
    taken_over: bool = False
    """Whether it was there before, but not in the program, as after `pulumi import`."""

    @property
    def some_side(self) -> ClusterSide:
        """The cluster after the change, or before it where it goes."""
        side = self.after or self.before
        assert side is not None
        return side


def cluster_changes(changes: Iterable[ResourceChange]) -> tuple[list[ClusterChange], list[str]]:
    """Return the clusters, and what couldn't be read of them.

    The component of a cluster has its whole specification as inputs, so a preview alone has both sides of it.
    """
    clusters: list[ClusterChange] = []
    unread: list[str] = []
    for change in changes:
        read = _SIDES.get(change.type)
        if read is None:
            continue
        try:
            # An imported component has no inputs in the state.
            stays = change.operation not in (Operation.CREATE, Operation.DELETE)
            taken_over = stays and not (change.old or {}).get("spec")
            before = None if taken_over or change.operation is Operation.CREATE else read(change.old)
            after = None if change.operation is Operation.DELETE else read(change.new)
            for side in filter(None, (before, after)):
                side.render()
        except ValidationError as error:
            unread.append(why_unread(change.name, error))
            continue
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            # Rules that this release has may not have run on what another one has written.
            unread.append(f"the specification of {change.name}, as another release wrote it: {error or 'unknown'}")
            continue
        clusters.append(ClusterChange(change.name, before, after, taken_over))
    return clusters, unread


def why_unread(name: str, error: ValidationError) -> str:
    """Return what is wrong with the inputs of a component called ``name``."""
    first = from_pydantic(error, AckInputs)[0]
    return f"the specification of {name}, as another release wrote it: {first.where}: {first.problem}"
