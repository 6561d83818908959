"""Reading the configuration of a stack on a cloud: its cluster there and the Slurm cluster, each in spite of the other.

Errors in one part don't hide those in the other, and none is told twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeGuard, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import FieldError, Path, SpecError, format_path
from pulumi_slurm.loading import load, load_model
from pulumi_slurm.loading.partial_load import PartialLoad, follows_from
from pulumi_slurm.model import GpuSpec, MachineSpec, NodePoolSpec, SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from stacks.config import CLUSTER_REMEDY, SUBJECT, StackConfig, not_a_mapping

S = TypeVar("S", bound=Model)
S_co = TypeVar("S_co", bound=Model, covariant=True)
C = TypeVar("C", bound=StackConfig)


class Load(Protocol[S_co]):
    """Reads a cloud's part from plain data."""

    def __call__(self, data: Mapping[str, Any], *, at: Path = ()) -> S_co:
        """Return the part; raise SpecError with every error in it, whose paths begin with ``at``."""


@dataclass(frozen=True)
class CloudPart(Generic[S]):
    """The part of a stack's configuration that describes a cluster to make on a cloud."""

    key: str
    """Its key below ``slurm:``."""
    what: str
    """What it is called: "ACK cluster"."""
    model: type[S]
    load: Load[S]
    node_pools: Callable[[S], Iterable[NodePoolSpec]]
    """The pools that node sets can name."""
    check_slurm: Callable[[S, SlurmSpec], Iterator[FieldError]]
    """Yields what is wrong between it and the Slurm cluster; paths begin there."""
    pool_label: str
    """The label of nodes that says their pool."""
    placeholders: Mapping[str, Any]
    """What is required and has no part in how the Slurm cluster is judged."""
    fix: str
    """What to write where it is missing."""
    longest_name: int
    """The most characters that the cluster's name can have."""

    def frame(self, model: type[C], rest: Mapping[str, Any]) -> tuple[C | None, list[FieldError]]:
        """Return the configuration without its two large parts."""
        try:
            parts = {self.key: dict(self.placeholders), "cluster": {"name": "unnamed"}}
            return load_model(model, {**parts, **rest}, SUBJECT), []
        except SpecError as error:
            return None, error.errors

    def read(self, data: Any, cluster: Any) -> tuple[S | None, list[FieldError]]:
        """Return the cloud's cluster, which has the Slurm cluster's name unless it states one."""
        if not isinstance(data, dict):
            return None, [not_a_mapping(self.key, data, self.fix)]
        name = cluster.get("name") if isinstance(cluster, dict) else None
        wrong: list[FieldError] = []
        if data.get("name") is None and isinstance(name, str):
            try:
                data = {**data, "name": dns_label(name, self.longest_name)}
            except PydanticCustomError:
                # With a shorter one, and only with that, the Slurm cluster's name is none for this cluster.
                if _is_a_label(name):
                    problem = f'the Slurm cluster\'s name, "{name}", is too long to be that of the {self.what}'
                    fix = f"Write one with {self.longest_name} characters at most."
                    wrong.append(FieldError((self.key, "name"), FieldError.ABSENT, problem, fix))
        try:
            return self.load(data, at=(self.key,)), wrong
        except SpecError as error:
            return None, [*wrong, *error.errors]

    def left(self, data: Any, wrong: Sequence[FieldError]) -> S | None:
        """Return the cloud's cluster without what is wrong in it, so that the Slurm cluster can be judged by the rest.

        The placeholders take the place of required fields.
        """
        if not isinstance(data, dict):
            return None
        fields = {error.path[1] for error in wrong if len(error.path) > 1}
        pools = {error.path[2] for error in wrong if error.path[1:2] == ("pools",) and len(error.path) > 2}
        rest = {name: value for name, value in data.items() if name not in fields}
        if pools and isinstance(data.get("pools"), list):
            rest["pools"] = [pool for index, pool in enumerate(data["pools"]) if index not in pools]
        try:
            return self.model.model_validate({**self.placeholders, **rest})
        except ValidationError:
            return None

    def pools(self, left: S | None, data: Any, cluster: Any) -> list[NodePoolSpec]:
        """Return the pools that node sets can name; one with an error of its own has room for every node set."""
        pools = list(self.node_pools(left)) if left else []
        known = {pool.name for pool in pools}
        return [*pools, *(self._any_pool(name) for name in sorted(_names_of_others(data, cluster) - known))]

    def with_the_rest(self, cloud: S, cluster: Any) -> Iterator[FieldError]:
        """Yield what is wrong between it and what can be read of a Slurm cluster with errors of its own."""
        reading = PartialLoad(cluster, SlurmSpec)
        slurm = reading.read()
        if isinstance(slurm, SlurmSpec):
            kept = (error for error in self.check_slurm(cloud, slurm) if not reading.follows(error))
            yield from under("cluster", map(reading.as_written, kept))

    def _any_pool(self, name: str) -> NodePoolSpec:
        machine = MachineSpec(cpus=4096, memory="1Pi", gpus=GpuSpec(count=64))
        return NodePoolSpec(name=name, machine=machine, node_labels={self.pool_label: name})


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


def read_slurm(data: Any, pools: Sequence[NodePoolSpec]) -> tuple[SlurmSpec | None, list[FieldError]]:
    """Return the Slurm cluster as it was stated."""
    if not isinstance(data, dict):
        return None, [not_a_mapping("cluster", data, CLUSTER_REMEDY)]
    try:
        return load(data, pools, at=("cluster",))[0], []
    except SpecError as error:
        return None, error.errors


def of_their_own(between: Iterable[FieldError], found: Sequence[FieldError]) -> list[FieldError]:
    """Return the errors ``between`` parts that are neither told of their fields already nor follow from those."""
    told = {format_path(error.path) for error in found}
    unread = {error.path for error in found}
    return [each for each in between if format_path(each.path) not in told and not follows_from(each, unread)]


def under(part: str, errors: Iterable[FieldError]) -> Iterator[FieldError]:
    """Yield errors whose paths begin at a part with paths that begin below ``slurm:``."""
    for error in errors:
        depends_on_fields = tuple((part, *path) for path in error.depends_on_fields)
        yield replace(error, path=(part, *error.path), depends_on_fields=depends_on_fields)


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
