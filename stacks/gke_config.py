"""What a stack on Google Cloud is told: a GKE cluster with all that belongs to it, and a Slurm cluster on it."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.model import GkeOperator as OperatorBy, GkeSpec
from pulumi_slurm.gke.model.names import LONGEST_CLUSTER_NAME
from pulumi_slurm.gke.plan.images import slinky_images
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.plan.pools import NODE_POOL_LABEL, node_pools
from pulumi_slurm.gke.plan.priorities import expand_priorities
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.gke.plan.topology import with_topology
from pulumi_slurm.gke.rules import check_node_sets, check_priorities, check_slurm
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import check_pools
from stacks.cloud_reading import CloudPart, fields_of_clusters_that_exist, of_their_own, read_slurm, under
from stacks.config import ConfigReading, StackConfig


class GkeConfig(StackConfig):
    """The configuration of a stack on Google Cloud, without its secrets."""

    FOREIGN: ClassVar[Mapping[str, tuple[str, str]]] = {
        **fields_of_clusters_that_exist("gke"),
        "ack": (
            "this describes a cluster to make on Alibaba Cloud, and this stack makes one on Google Cloud",
            "Write kind: ack, or leave it out.",
        ),
    }

    gke: GkeSpec
    """The GKE cluster, its network, node pools, storage and database."""

    @property
    def name(self) -> str:
        """The GKE cluster's name, with which the names of all else begin."""
        return self.gke.cluster_name

    @property
    def slurm(self) -> SlurmSpec:
        """The Slurm cluster as it is built: on the capacity options of priorities, with Google's storage, database and
        images.

        Raises:
            SpecError: when these and what was stated of the same don't go together; `read_config` tells of that before.
        """
        spec = with_google_services(self.gke, expand_priorities(self.gke, self.cluster), self.cluster.name)
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


def _pools_to_name(gke: GkeSpec) -> Iterator[NodePoolSpec]:
    """Yield the pools that node sets can name: priorities is one, whose machines are those of each of its capacity
    options."""
    made = {pool.name: pool for pool in node_pools(gke)}
    seen: set[str] = set()
    for planned in planned_pools(gke):
        name = planned.pool.name
        if name in seen or planned.name not in made:
            continue
        seen.add(name)
        if planned.pool.priorities:
            # How many nodes there are is a matter of the capacity options; see `check_node_sets`.
            update = {"name": name, "max_nodes": None, "node_labels": {NODE_POOL_LABEL: name}}
            yield made[planned.name].model_copy(update=update)
        else:
            yield made[planned.name]


_PART = CloudPart(
    key="gke",
    what="GKE cluster",
    model=GkeSpec,
    load=load_gke,
    node_pools=_pools_to_name,
    check_slurm=check_slurm,
    pool_label=NODE_POOL_LABEL,
    placeholders={"project": "not-read", "region": "us-central1", "zones": ["us-central1-a"]},
    fix="Write gke: {project: ..., region: ..., zones: [...], pools: [...]}.",
    longest_name=LONGEST_CLUSTER_NAME,
)


def read(data: Mapping[str, Any]) -> ConfigReading:
    """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
    rest = dict(data)
    # Read apart, so that errors in one part don't hide those in another.
    gke_data, cluster = rest.pop("gke", None), rest.pop("cluster", None)
    frame, found = _PART.frame(GkeConfig, rest)
    gke, wrong = _PART.read(gke_data, cluster)
    left = gke or _PART.left(gke_data, wrong)
    spec, wrong_too = read_slurm(cluster, _PART.pools(left, gke_data, cluster))
    found += [*wrong, *wrong_too]
    if left:
        between = list(_operator(rest, left))
        between += _between(left, spec) if spec else _PART.with_the_rest(left, cluster)
        found += of_their_own(between, found)
    if found or frame is None or gke is None or spec is None:
        return ConfigReading(None, spec, found)
    config = frame.model_copy(update={"gke": gke, "cluster": spec})
    return ConfigReading(config, spec, list(_as_built(config)))


def _between(gke: GkeSpec, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Yield what is wrong between the two; paths begin below ``slurm:``."""
    found = list(check_slurm(gke, slurm))
    yield from under("cluster", found)
    # Which capacity options suit which jobs is a matter of slurm.conf, and is looked at when that is right.
    if not any(error.path[0] == "slurm_conf" for error in found):
        yield from under("gke", check_priorities(gke, slurm))
        yield from under("cluster", check_node_sets(gke, slurm))


def _operator(rest: Mapping[str, Any], gke: GkeSpec) -> Iterator[FieldError]:
    if gke.operator is OperatorBy.GKE_ADDON and rest.get("operator"):
        yield FieldError(
            ("operator",),
            rest["operator"],
            "GKE runs slurm-operator here, as slurm:gke says, so nothing is installed and this has no effect",
            "Leave it out, or write operator: slinky in slurm:gke.",
        )


def _as_built(config: GkeConfig) -> Iterator[FieldError]:
    """Yield what is wrong only when Google's part and Slurm's are together; nothing when the checks are complete."""
    try:
        built = config.slurm
    except SpecError as error:
        yield from under("cluster", error.errors)
        return
    yield from under("cluster", check_pools(built, node_pools(config.gke)))
