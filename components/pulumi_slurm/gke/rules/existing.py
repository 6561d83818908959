"""What exists and what is made: a field that describes the one has no place beside the other."""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules.existing import cluster_exists_or_is_made
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.gke.model.names import region_of_location
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.rules.run import Rule

_OF_NAT = frozenset({"nat_log", "min_ports_per_vm"})
_BESIDE_AN_EXISTING_VPC = frozenset({"existing", "control_plane_range", "private_services_range", "fabric_range"})
_BESIDE_AN_EXISTING_CLUSTER = frozenset({"existing", "private_services_range", "fabric_range"})


def existing_network_is_left_alone(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse fields of a VPC that is made beside one that exists."""
    if plan.makes_network:
        return
    network, cluster = plan.spec.network, plan.spec.existing_cluster
    if network.existing and cluster is None and "control_plane_range" not in network.model_fields_set:
        yield FieldError(
            ("network", "control_plane_range"),
            FieldError.ABSENT,
            f"the control plane gets {network.control_plane_range}, which another cluster in the VPC may have",
            "Write a /28 that is free there.",
            depends_on_fields=(("network", "existing"),),
            severity=Severity.WARNING,
        )
    allowed = _BESIDE_AN_EXISTING_CLUSTER if cluster else _BESIDE_AN_EXISTING_VPC
    source = "existing_cluster" if cluster else "network"
    for field in sorted(network.model_fields_set - allowed):
        if field in _OF_NAT and plan.makes_nat:
            continue
        yield FieldError(
            ("network", field),
            getattr(network, field),
            "the VPC exists, and nothing of it is changed",
            "Leave it out, or write manage: {nat: true}." if field in _OF_NAT else "Leave it out.",
            depends_on_fields=((source,), ("manage",)),
        )


def existing_cluster_is_left_alone(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse what describes a cluster that is made beside one that exists, and existing pools without it."""
    spec, cluster = plan.spec, plan.spec.existing_cluster
    yield from cluster_exists_or_is_made(
        spec,
        cluster=cluster is not None,
        pools=bool(spec.existing_pools),
        network=spec.network.existing is not None,
        example="existingCluster: {name: ..., location: ...}",
    )
    if cluster is None:
        return
    region = region_of_location(cluster.location)
    if region != spec.region:
        yield FieldError(
            ("existing_cluster", "location"),
            cluster.location,
            f"this is not in {spec.region}, where everything else would be",
            f'Write region: {region}, or name a cluster in "{spec.region}".',
            depends_on_fields=(("region",),),
        )


def names_of_existing_pools_are_unique(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse an existing pool that is named twice, or that is to be made as well."""
    names = {pool.name for pool in plan.spec.pools} | {planned.name for planned in plan.new_pools}
    if plan.makes_system_pool:
        names.add("system")
    for index, existing in enumerate(plan.spec.existing_pools):
        if existing.name in names:
            yield FieldError(
                ("existing_pools", index, "name"),
                existing.name,
                "another pool here has this name",
                "Leave one of them out: a pool exists, or it is made.",
                depends_on_fields=(("pools",),),
            )
        names.add(existing.name)


def nodes_have_an_account(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse new nodes without a service account: where no roles are given, none is made."""
    spec = plan.spec
    if not spec.manage.iam and spec.node_account is None and (plan.new_pools or plan.makes_system_pool):
        yield FieldError(
            ("node_account",),
            FieldError.ABSENT,
            "manage says that others give roles, so no service account is made for the nodes",
            "Write the e-mail address of one that exists.",
            depends_on_fields=(("manage", "iam"),),
        )


def access_is_granted_to_another_project(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse grants of a Shared VPC in the project's own VPC, which needs none, and where others give roles."""
    existing = plan.spec.network.existing
    if existing and existing.grant_access and not plan.spec.manage.iam:
        yield FieldError(
            ("network", "existing", "grant_access"),
            True,
            "manage says that others give roles",
            "Leave one of them out.",
            depends_on_fields=(("manage", "iam"),),
        )
    if existing and existing.grant_access and plan.host_project is None:
        yield FieldError(
            ("network", "existing", "grant_access"),
            True,
            "the VPC is the project's own, where Google's service agents may use it already",
            "Leave it out, or write the host project of the Shared VPC in project.",
            depends_on_fields=(("network", "existing", "project"),),
        )


RULES: tuple[Rule, ...] = (
    existing_network_is_left_alone,
    existing_cluster_is_left_alone,
    names_of_existing_pools_are_unique,
    nodes_have_an_account,
    access_is_granted_to_another_project,
)
