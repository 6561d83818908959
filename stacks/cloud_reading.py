"""Reading the configuration of a stack on a cloud: its cluster there and the Slurm cluster, each in spite of the other.

Mistakes in one part don't hide those in the other, and none is told twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeGuard, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import Mistake, Path, SpecError, format_path
from pulumi_slurm.loading import load, load_model
from pulumi_slurm.loading.partial_load import Reading, follows
from pulumi_slurm.model import Gpus, Machine, NodePool, SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from stacks.config import CLUSTER_REMEDY, WHAT, StackConfig, not_a_mapping

S = TypeVar("S", bound=Model)
S_co = TypeVar("S_co", bound=Model, covariant=True)
C = TypeVar("C", bound=StackConfig)


class Load(Protocol[S_co]):
    """Reads a cloud's part from plain data."""

    def __call__(self, data: Mapping[str, Any], *, at: Path = ()) -> S_co:
        """Return the part; raise SpecError with every mistake in it, whose paths begin with ``at``."""


@dataclass(frozen=True)
class CloudPart(Generic[S]):
    """The part of a stack's configuration that describes a cluster to make on a cloud."""

    key: str
    """Its key below ``slurm:``."""
    what: str
    """What it is called: "ACK cluster"."""
    model: type[S]
    load: Load[S]
    node_pools: Callable[[S], Iterable[NodePool]]
    """The pools that node sets can name."""
    check_slurm: Callable[[S, SlurmSpec], Iterator[Mistake]]
    """Yields what is wrong between it and the Slurm cluster; paths begin there."""
    pool_label: str
    """The label of nodes that says their pool."""
    stand_ins: Mapping[str, Any]
    """What is required and has no part in how the Slurm cluster is judged."""
    remedy: str
    """What to write where it is missing."""
    longest_name: int
    """The most characters that the cluster's name can have."""

    def frame(self, model: type[C], rest: Mapping[str, Any]) -> tuple[C | None, list[Mistake]]:
        """Return the configuration without its two large parts."""
        try:
            parts = {self.key: dict(self.stand_ins), "cluster": {"name": "unnamed"}}
            return load_model(model, {**parts, **rest}, WHAT), []
        except SpecError as error:
            return None, error.mistakes

    def read(self, data: Any, cluster: Any) -> tuple[S | None, list[Mistake]]:
        """Return the cloud's cluster, which has the Slurm cluster's name unless it states one."""
        if not isinstance(data, dict):
            return None, [not_a_mapping(self.key, data, self.remedy)]
        name = cluster.get("name") if isinstance(cluster, dict) else None
        wrong: list[Mistake] = []
        if data.get("name") is None and isinstance(name, str):
            try:
                data = {**data, "name": dns_label(name, self.longest_name)}
            except PydanticCustomError:
                # With a shorter one, and only with that, the Slurm cluster's name is none for this cluster.
                if _is_a_label(name):
                    problem = f'the Slurm cluster\'s name, "{name}", is too long to be that of the {self.what}'
                    remedy = f"Write one with {self.longest_name} characters at most."
                    wrong.append(Mistake((self.key, "name"), Mistake.ABSENT, problem, remedy))
        try:
            return self.load(data, at=(self.key,)), wrong
        except SpecError as error:
            return None, [*wrong, *error.mistakes]

    def left(self, data: Any, wrong: Sequence[Mistake]) -> S | None:
        """Return the cloud's cluster without what is wrong in it, so that the Slurm cluster can be judged by the rest.

        The stand-ins take the place of required fields.
        """
        if not isinstance(data, dict):
            return None
        fields = {mistake.path[1] for mistake in wrong if len(mistake.path) > 1}
        pools = {mistake.path[2] for mistake in wrong if mistake.path[1:2] == ("pools",) and len(mistake.path) > 2}
        rest = {name: value for name, value in data.items() if name not in fields}
        if pools and isinstance(data.get("pools"), list):
            rest["pools"] = [pool for index, pool in enumerate(data["pools"]) if index not in pools]
        try:
            return self.model.model_validate({**self.stand_ins, **rest})
        except ValidationError:
            return None

    def pools(self, left: S | None, data: Any, cluster: Any) -> list[NodePool]:
        """Return the pools that node sets can name; one with a mistake of its own has room for every node set."""
        pools = list(self.node_pools(left)) if left else []
        known = {pool.name for pool in pools}
        return [*pools, *(self._any_pool(name) for name in sorted(_names_of_others(data, cluster) - known))]

    def with_the_rest(self, cloud: S, cluster: Any) -> Iterator[Mistake]:
        """Yield what is wrong between it and what can be read of a Slurm cluster with mistakes of its own."""
        reading = Reading(cluster, SlurmSpec)
        slurm = reading.read()
        if isinstance(slurm, SlurmSpec):
            kept = (mistake for mistake in self.check_slurm(cloud, slurm) if not reading.follows(mistake))
            yield from under("cluster", map(reading.as_written, kept))

    def _any_pool(self, name: str) -> NodePool:
        machine = Machine(cpus=4096, memory="1Pi", gpus=Gpus(count=64))
        return NodePool(name=name, machine=machine, node_labels={self.pool_label: name})


def fields_of_clusters_that_exist(key: str) -> dict[str, tuple[str, str]]:
    """Return why a stack that makes its Kubernetes cluster, described below ``key``, has no fields about a given one.

    As `StackConfig.FOREIGN` has them: for each field what is wrong, and what to write instead.
    """
    known = ("this stack makes its Kubernetes cluster, and knows how to reach it", "Leave it out.")
    return {
        "pools": (
            "node pools are made here, and what they have is known",
            f"Leave it out, and write them in slurm:{key}, below pools.",
        ),
        "kubeconfig": known,
        "context": known,
        "clusterIdentifier": known,
        "createNamespace": ("the Kubernetes cluster is new, so its namespace is made", "Leave it out."),
    }


def read_slurm(data: Any, pools: Sequence[NodePool]) -> tuple[SlurmSpec | None, list[Mistake]]:
    """Return the Slurm cluster as it was stated."""
    if not isinstance(data, dict):
        return None, [not_a_mapping("cluster", data, CLUSTER_REMEDY)]
    try:
        return load(data, pools, at=("cluster",))[0], []
    except SpecError as error:
        return None, error.mistakes


def of_their_own(between: Iterable[Mistake], found: Sequence[Mistake]) -> list[Mistake]:
    """Return the mistakes ``between`` parts that are neither told of their fields already nor follow from those."""
    told = {format_path(mistake.path) for mistake in found}
    unread = {mistake.path for mistake in found}
    return [each for each in between if format_path(each.path) not in told and not follows(each, unread)]


def under(part: str, mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield mistakes whose paths begin at a part with paths that begin below ``slurm:``."""
    for mistake in mistakes:
        rests_on = tuple((part, *path) for path in mistake.rests_on)
        yield replace(mistake, path=(part, *mistake.path), rests_on=rests_on)


def _is_a_label(name: Any) -> TypeGuard[str]:
    try:
        return isinstance(name, str) and bool(dns_label(name))
    except PydanticCustomError:
        return False


def _names_of_others(data: Any, cluster: Any) -> set[str]:
    """Return the names of all pools that are stated; those that node sets want, when one can't be read."""
    pools = data.get("pools", []) if isinstance(data, dict) else None
    if isinstance(pools, list):
        names = [pool.get("name") if isinstance(pool, dict) else None for pool in pools]
        if all(map(_is_a_label, names)):
            return {name for name in names if _is_a_label(name)}
    node_sets = cluster.get("nodeSets", cluster.get("node_sets")) if isinstance(cluster, dict) else None
    wanted = [item.get("pool") for item in node_sets if isinstance(item, dict)] if isinstance(node_sets, list) else []
    return {name for name in wanted if _is_a_label(name)}
