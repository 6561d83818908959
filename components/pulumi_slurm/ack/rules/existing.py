"""What exists and what is made: a field that describes the one has no place beside the other."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import SYSTEM_POOL
from pulumi_slurm.clouds.rules.existing import cluster_exists_or_is_made
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule

_BESIDE_AN_EXISTING_VPC = frozenset({"existing", "pods_range", "pods_per_node", "services_range", "nat"})
_BESIDE_AN_EXISTING_CLUSTER = frozenset({"existing"})


def existing_network_is_left_alone(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse fields of a VPC that is made beside one that exists."""
    if plan.makes_network:
        return
    network, cluster = plan.spec.network, plan.spec.existing_cluster
    allowed = _BESIDE_AN_EXISTING_CLUSTER if cluster else _BESIDE_AN_EXISTING_VPC
    for field in sorted(network.model_fields_set - allowed):
        yield FieldError(
            ("network", field),
            getattr(network, field),
            f"the {'cluster' if cluster else 'VPC'} exists, and nothing of its network is changed",
            "Leave it out.",
            depends_on_fields=(("existing_cluster",) if cluster else ("network",),),
        )


def pods_of_an_existing_network_have_vswitches(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse vSwitches of pods with Flannel, and Terway without them."""
    existing, cni = plan.spec.network.existing, plan.spec.control_plane.cni
    if existing is None or plan.spec.existing_cluster:
        return
    if cni is Cni.TERWAY and not existing.pod_vswitches:
        yield FieldError(
            ("network", "existing", "pod_vswitches"),
            FieldError.ABSENT,
            f"with {cni} pods get their addresses from vSwitches",
            f'Write one for each zone, or controlPlane.cni "{Cni.FLANNEL}".',
            depends_on_fields=(("control_plane", "cni"),),
        )
    if cni is Cni.FLANNEL and existing.pod_vswitches:
        yield FieldError(
            ("network", "existing", "pod_vswitches"),
            existing.pod_vswitches,
            f"with {cni} pods get their addresses from a separate range, podsRange",
            f'Leave them out, or write controlPlane.cni "{Cni.TERWAY}".',
            depends_on_fields=(("control_plane", "cni"),),
        )


def existing_cluster_is_left_alone(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse what describes a cluster that is made beside one that exists, and existing pools without it."""
    spec = plan.spec
    yield from cluster_exists_or_is_made(
        spec,
        cluster=spec.existing_cluster is not None,
        pools=bool(spec.existing_pools),
        network=spec.network.existing is not None,
        example="existingCluster: {id: ...}",
    )


def names_of_existing_pools_are_unique(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse an existing pool that is named twice, or that is to be made as well."""
    names = {pool.name for pool in plan.spec.pools}
    if plan.makes_system_pool:
        names.add(SYSTEM_POOL)
    ids: set[str] = set()
    for index, existing in enumerate(plan.spec.existing_pools):
        if existing.name in names:
            yield FieldError(
                ("existing_pools", index, "name"),
                existing.name,
                "another pool here has this name",
                "Leave one of them out: a pool exists, or it is made.",
                depends_on_fields=(("pools",),),
            )
        if existing.id in ids:
            yield FieldError(
                ("existing_pools", index, "id"), existing.id, "this pool is in the list twice", "Leave one of them out."
            )
        names.add(existing.name)
        if existing.id:
            ids.add(existing.id)


RULES: tuple[Rule, ...] = (
    existing_network_is_left_alone,
    pods_of_an_existing_network_have_vswitches,
    existing_cluster_is_left_alone,
    names_of_existing_pools_are_unique,
)
