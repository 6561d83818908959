"""The definition of Google Cloud for stacks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pulumi_slurm.clouds.cloud import Cloud, MachinePrice
from pulumi_slurm.clouds.resources import Gpus
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke import rules
from pulumi_slurm.gke.load import PLACEHOLDERS, load_gke
from pulumi_slurm.gke.model import GkeOperator, GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.images import slinky_images
from pulumi_slurm.gke.plan.pools import NODE_POOL_LABEL, node_pools
from pulumi_slurm.gke.plan.priorities import expand_priorities
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.gke.plan.topology import with_topology
from pulumi_slurm.gke.rules import check_gke, check_node_sets, check_priorities, check_slurm
from pulumi_slurm.machines.gke import prices
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.model import NodePoolSpec, SlurmSpec


def complete(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster on the capacity options of its pools, with Google's storage, database and images.

    Raises:
        SpecError: if they conflict with the user's specification.
    """
    spec = with_google_services(plan, expand_priorities(plan, slurm), slurm.name)
    spec = with_topology(plan, spec)
    cache = slinky_images(plan)
    if cache is None or "registry" in spec.images.model_fields_set:
        return spec
    return spec.model_copy(update={"images": spec.images.model_copy(update={"registry": cache})})


def _pools_to_name(plan: GkePlan) -> Iterator[NodePoolSpec]:
    """Yield the pools that node sets can name: a pool with priorities appears once, not as its capacity options."""
    pools = {pool.name: pool for pool in node_pools(plan)}
    names: set[str] = set()
    for planned in plan.pools:
        name = planned.pool.name
        if name in names or planned.name not in pools:
            continue
        names.add(name)
        if planned.pool.priorities:
            # The capacity options set the number of nodes; see `check_node_sets`.
            update = {"name": name, "max_nodes": None, "node_labels": {NODE_POOL_LABEL: name}}
            yield pools[planned.name].model_copy(update=update)
        else:
            yield pools[planned.name]
    for existing in plan.spec.existing_pools:
        if existing.found is None:
            yield pools[existing.name]


def _check_together(plan: GkePlan, slurm: SlurmSpec, _: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    # Which capacity options suit which jobs depends on slurm.conf, and is checked once that has no errors.
    if not any(error.path[0] == "slurm_conf" for error in check_slurm(plan, slurm)):
        yield from (error.below("gke") for error in check_priorities(plan, slurm))
        yield from (error.below("cluster") for error in check_node_sets(plan, slurm))


def _check_settings(plan: GkePlan, settings: Mapping[str, Any]) -> Iterator[FieldError]:
    if plan.spec.slurm_operator is GkeOperator.GKE_ADDON and settings.get("operator"):
        yield FieldError(
            ("operator",),
            settings["operator"],
            "GKE runs slurm-operator here, as slurm:gke says, so nothing is installed and this has no effect",
            "Leave it out, or write slurmOperator: slinky in slurm:gke.",
        )


def _price_of(machine: str, gpus: Gpus | None, region: str) -> MachinePrice:
    built_in = GkeCatalogueSpec.built_in_types().get(machine)
    there = prices.of_type(built_in, region) if built_in else None
    if built_in and gpus and not built_in.gpus:
        try:
            built_in = GkeCatalogueSpec().with_gpus(machine, *gpus)
        except ValueError:
            # Google attaches no such GPUs to it.
            built_in = None
        # What a GPU costs elsewhere isn't in the list.
        there = None
    price = there or (built_in.price if built_in else None)
    return MachinePrice(currency="USD", **(price.model_dump() if price else {}))


def _price_has_disks(machine: str) -> bool:
    """Return whether a machine type comes with its local SSDs; those that are chosen are paid for beside it."""
    built_in = GkeCatalogueSpec.built_in_types().get(machine)
    return built_in is not None and len(built_in.local_ssd.counts) == 1


CLOUD = Cloud(
    key="gke",
    cluster="GKE cluster",
    spec=GkeSpec,
    load=load_gke,
    check=check_gke,
    rules=(*rules.RULES, *rules.RULES_WITH_SLURM, *rules.RULES_OF_PRIORITIES, *rules.RULES_OF_NODE_SETS),
    asks=lambda spec: bool(spec.existing_cluster or spec.network.existing or spec.new_project),
    plan=GkePlan.of,
    placeholders=PLACEHOLDERS,
    example="Write gke: {project: ..., region: ..., zones: [...], pools: [...]}.",
    pool_label=NODE_POOL_LABEL,
    pools_to_name=_pools_to_name,
    pools=node_pools,
    check_slurm=check_slurm,
    check_together=_check_together,
    check_settings=_check_settings,
    complete=complete,
    price_of=_price_of,
    price_has_disks=_price_has_disks,
)
