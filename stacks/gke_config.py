"""What a stack on Google Cloud is told: a GKE cluster with all that belongs to it, and a Slurm cluster on it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeGuard

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from pulumi_slurm.gke.images import slinky_images
from pulumi_slurm.gke.ladder import check_ladder, check_node_sets, climb
from pulumi_slurm.gke.pools import NODE_POOL_LABEL, node_pools
from pulumi_slurm.gke.slurm_spec import with_google_services
from pulumi_slurm.gke.spec import GkeSpec, planned_pools
from pulumi_slurm.gke.spec import Operator as OperatorBy
from pulumi_slurm.gke.spec.load import load_gke
from pulumi_slurm.gke.spec.names import LONGEST_CLUSTER_NAME, cluster_name
from pulumi_slurm.gke.spec.rules import check_slurm
from pulumi_slurm.gke.topology import with_topology
from pulumi_slurm.spec import Gpus, Machine, Mistake, NodePool, SlurmSpec, SpecError, load, load_model
from pulumi_slurm.spec.cluster import WITHOUT_RULES
from pulumi_slurm.spec.names import dns_label
from pulumi_slurm.spec.reading import Reading
from pulumi_slurm.spec.rules import check_pools

from .config import CLUSTER_REMEDY, WHAT, ConfigReading, StackConfig, not_a_mapping

_GKE_REMEDY = "Write gke: {project: ..., region: ..., zones: [...], pools: [...]}."
_MADE_HERE = ("this stack makes its Kubernetes cluster, and knows how to reach it", "Leave it out.")
_STAND_INS = {"project": "not-read", "region": "us-central1", "zones": ["us-central1-a"]}
"""What is required and has no part in how the Slurm cluster is judged."""


class GkeConfig(StackConfig):
    """The configuration of a stack on Google Cloud, without its secrets."""

    FOREIGN: ClassVar[Mapping[str, tuple[str, str]]] = {
        "pools": (
            "node pools are made here, and what they have is known",
            "Leave it out, and write them in slurm:gke, below pools.",
        ),
        "kubeconfig": _MADE_HERE,
        "context": _MADE_HERE,
        "clusterIdentifier": _MADE_HERE,
        "createNamespace": ("the Kubernetes cluster is new, so its namespace is made", "Leave it out."),
    }

    gke: GkeSpec
    """The GKE cluster, its network, node pools, storage and database."""

    @property
    def name(self) -> str:
        """The GKE cluster's name, with which the names of all else begin."""
        return cluster_name(self.gke)

    @property
    def slurm(self) -> SlurmSpec:
        """The Slurm cluster as it is built: on the rungs of ladders, with Google's storage, database and images.

        Raises:
            SpecError: when these and what was stated of the same don't go together; `read_config` tells of that before.
        """
        spec = with_google_services(self.gke, climb(self.gke, self.cluster), self.cluster.name)
        spec = with_topology(self.gke, spec)
        cache = slinky_images(self.gke)
        if cache is None or "registry" in spec.images.model_fields_set:
            return spec
        return spec.model_copy(update={"images": spec.images.model_copy(update={"registry": cache})})

    @property
    def get_credentials(self) -> str:
        """The command after which kubectl talks to the cluster."""
        where = f"--region {self.gke.region} --project {self.gke.project} --dns-endpoint"
        return f"gcloud container clusters get-credentials {self.name} {where}"


def read(data: Mapping[str, Any]) -> ConfigReading:
    """Return what can be read of a configuration, and every mistake in it; paths begin below ``slurm:``."""
    rest = dict(data)
    # Read apart, so that mistakes in one part don't hide those in another.
    gke_data, cluster = rest.pop("gke", None), rest.pop("cluster", None)
    frame, found = _frame(rest)
    gke, wrong = _gke(gke_data, cluster)
    left = gke or _left(gke_data, wrong)
    spec, wrong_too = _slurm(cluster, left, gke_data)
    found += [*wrong, *wrong_too]
    if left:
        between = list(_operator(rest, left))
        between += _between(left, spec) if spec else _under("cluster", _with_the_rest(left, cluster))
        told = {mistake.path for mistake in found}
        found += [mistake for mistake in between if mistake.path not in told]
    if found or frame is None or gke is None or spec is None:
        return ConfigReading(None, spec, found)
    config = frame.model_copy(update={"gke": gke, "cluster": spec})
    return ConfigReading(config, spec, list(_as_built(config)))


def _frame(rest: Mapping[str, Any]) -> tuple[GkeConfig | None, list[Mistake]]:
    """Return the configuration without its two large parts."""
    try:
        parts = {"gke": _STAND_INS, "cluster": {"name": "unnamed"}}
        return load_model(GkeConfig, {**parts, **rest}, WHAT), []
    except SpecError as error:
        return None, error.mistakes


def _gke(data: Any, cluster: Any) -> tuple[GkeSpec | None, list[Mistake]]:
    """Return the GKE cluster, which has the Slurm cluster's name unless it states one."""
    if not isinstance(data, dict):
        return None, [not_a_mapping("gke", data, _GKE_REMEDY)]
    name = cluster.get("name") if isinstance(cluster, dict) else None
    wrong: list[Mistake] = []
    if data.get("name") is None and isinstance(name, str):
        try:
            data = {**data, "name": dns_label(name, LONGEST_CLUSTER_NAME)}
        except PydanticCustomError:
            # With a shorter one, and only with that, the Slurm cluster's name is none for a GKE cluster.
            if _is_a_label(name):
                problem = f'the Slurm cluster\'s name, "{name}", is too long to be that of the GKE cluster'
                remedy = f"Write one with {LONGEST_CLUSTER_NAME} characters at most."
                wrong.append(Mistake(("gke", "name"), Mistake.ABSENT, problem, remedy))
    try:
        return load_gke(data, at=("gke",)), wrong
    except SpecError as error:
        return None, [*wrong, *error.mistakes]


def _is_a_label(name: Any) -> TypeGuard[str]:
    try:
        return isinstance(name, str) and bool(dns_label(name))
    except PydanticCustomError:
        return False


def _left(data: Any, wrong: Sequence[Mistake]) -> GkeSpec | None:
    """Return the GKE cluster without what is wrong in it, so that the Slurm cluster can be judged by the rest."""
    if not isinstance(data, dict):
        return None
    fields = {mistake.path[1] for mistake in wrong if len(mistake.path) > 1}
    pools = {mistake.path[2] for mistake in wrong if mistake.path[1:2] == ("pools",) and len(mistake.path) > 2}
    rest = {name: value for name, value in data.items() if name not in fields}
    if pools and isinstance(data.get("pools"), list):
        rest["pools"] = [pool for index, pool in enumerate(data["pools"]) if index not in pools]
    try:
        return GkeSpec.model_validate({**_STAND_INS, **rest}, context={WITHOUT_RULES: True})
    except ValidationError:
        return None


def _slurm(data: Any, gke: GkeSpec | None, gke_data: Any) -> tuple[SlurmSpec | None, list[Mistake]]:
    """Return the Slurm cluster as it was stated."""
    if not isinstance(data, dict):
        return None, [not_a_mapping("cluster", data, CLUSTER_REMEDY)]
    pools = list(_pools_to_name(gke)) if gke else []
    known = {pool.name for pool in pools}
    pools += [_any_pool(name) for name in sorted(_names_of_others(gke_data, data) - known)]
    try:
        return load(data, pools, at=("cluster",))[0], []
    except SpecError as error:
        return None, error.mistakes


def _pools_to_name(gke: GkeSpec) -> Iterator[NodePool]:
    """Yield the pools that node sets can name: a ladder is one, whose machines are those of each of its rungs."""
    made = {pool.name: pool for pool in node_pools(gke)}
    seen: set[str] = set()
    for planned in planned_pools(gke):
        name = planned.pool.name
        if name in seen or planned.name not in made:
            continue
        seen.add(name)
        if planned.pool.ladder:
            # How many nodes there are is a matter of the rungs; see `check_node_sets`.
            update = {"name": name, "max_nodes": None, "node_labels": {NODE_POOL_LABEL: name}}
            yield made[planned.name].model_copy(update=update)
        else:
            yield made[planned.name]


def _names_of_others(gke_data: Any, cluster: Mapping[str, Any]) -> set[str]:
    """Return the names of all pools that are stated; those that node sets want, when one can't be read."""
    pools = gke_data.get("pools", []) if isinstance(gke_data, dict) else None
    if isinstance(pools, list):
        names = [pool.get("name") if isinstance(pool, dict) else None for pool in pools]
        if all(map(_is_a_label, names)):
            return {name for name in names if _is_a_label(name)}
    node_sets = cluster.get("nodeSets", cluster.get("node_sets"))
    wanted = [item.get("pool") for item in node_sets if isinstance(item, dict)] if isinstance(node_sets, list) else []
    return {name for name in wanted if _is_a_label(name)}


def _any_pool(name: str) -> NodePool:
    """Return a pool in which every node set has room; the mistake in the real one is told already."""
    machine = Machine(cpus=4096, memory="1Pi", gpus=Gpus(count=64))
    return NodePool(name=name, machine=machine, node_labels={NODE_POOL_LABEL: name})


def _between(gke: GkeSpec, slurm: SlurmSpec) -> Iterator[Mistake]:
    """Yield what is wrong between the two; paths begin below ``slurm:``."""
    found = list(check_slurm(gke, slurm))
    yield from _under("cluster", found)
    # Which rungs suit which jobs is a matter of slurm.conf, and is looked at when that is right.
    if not any(mistake.path[0] == "slurm_conf" for mistake in found):
        yield from _under("gke", check_ladder(gke, slurm))
        yield from _under("cluster", check_node_sets(gke, slurm))


def _with_the_rest(gke: GkeSpec, data: Any) -> Iterator[Mistake]:
    """Yield what is wrong between the GKE cluster and what can be read of a Slurm cluster with mistakes of its own."""
    reading = Reading(data, SlurmSpec, {WITHOUT_RULES: True})
    slurm = reading.read()
    if isinstance(slurm, SlurmSpec):
        for mistake in check_slurm(gke, slurm):
            if not reading.follows(mistake):
                yield reading.as_written(mistake)


def _operator(rest: Mapping[str, Any], gke: GkeSpec) -> Iterator[Mistake]:
    if gke.operator is OperatorBy.GKE_ADDON and rest.get("operator"):
        yield Mistake(
            ("operator",),
            rest["operator"],
            "GKE runs slurm-operator here, as slurm:gke says, so nothing is installed and this has no effect",
            "Leave it out, or write operator: slinky in slurm:gke.",
        )


def _as_built(config: GkeConfig) -> Iterator[Mistake]:
    """Yield what is wrong only when Google's part and Slurm's are together; nothing when the checks are complete."""
    try:
        built = config.slurm
    except SpecError as error:
        yield from _under("cluster", error.mistakes)
        return
    yield from _under("cluster", check_pools(built, node_pools(config.gke)))


def _under(part: str, mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    for mistake in mistakes:
        yield replace(mistake, path=(part, *mistake.path))
