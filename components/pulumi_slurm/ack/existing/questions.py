"""Questions to Alibaba Cloud's provider about what exists, asked in each preview; nothing is changed by them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import pulumi
from pulumi_alicloud import cs, ecs, ram, vpc

from pulumi_slurm.ack.alibabas_words import alibabas_words
from pulumi_slurm.ack.existing.answers import AccountAnswers, ClusterAnswers, NetworkAnswers
from pulumi_slurm.ack.model import AckCapacity, AckExistingClusterSpec, AckExistingNetworkSpec
from pulumi_slurm.errors import FieldError, Path, SpecError

T = TypeVar("T")


def find_cluster(
    existing: AckExistingClusterSpec, region: str, alibaba: pulumi.ProviderResource | None
) -> ClusterAnswers:
    """Return all that Alibaba Cloud says of a cluster.

    Raises:
        SpecError: if it can't be read, or isn't there.
    """
    at = ("existing_cluster", "id")
    opts = pulumi.InvokeOptions(provider=alibaba)

    def asked(ask: Callable[[], T]) -> T:
        fix = (
            "Sign in as somebody whose policies allow cs:Describe*, cs:Get*, cs:List*, vpc:Describe* and ecs:Describe*."
        )
        return _asked(ask, at, existing.id, "the cluster could not be read", fix)

    clusters = asked(lambda: cs.get_clusters(cluster_id=existing.id, enable_details=True, opts=opts)).clusters
    cluster = next((one for one in clusters or [] if one.cluster_id == existing.id), None)
    if cluster is None:
        fix = "Write the id of one of those that `aliyun cs DescribeClustersV1` lists, or the region of this one."
        raise _not_there(at, existing.id, f"there is no such cluster in {region}", fix)
    managed = asked(lambda: cs.get_managed_kubernetes_clusters(ids=[existing.id], enable_details=True, opts=opts))
    return ClusterAnswers(
        cluster=cluster,
        connections=next((connection for one in managed.clusters or [] for connection in one.connections or []), None),
        addons=asked(lambda: cs.get_kubernetes_addons(cluster_id=existing.id, opts=opts)).addons or [],
        pools=asked(lambda: cs.get_kubernetes_node_pools(cluster_id=existing.id, opts=opts)).nodepools or [],
        network=asked(lambda: _vpc_and_vswitches(cluster.vpc_id, cluster.vswitch_ids or [], opts)),
    )


def find_network(
    existing: AckExistingNetworkSpec, cluster: str, alibaba: pulumi.ProviderResource | None, *, nat: bool
) -> NetworkAnswers:
    """Return all that Alibaba Cloud says of a VPC; with ``nat`` of its ways to the Internet too.

    ``cluster`` is the name of the cluster to make there.

    Raises:
        SpecError: if it can't be read, with Alibaba Cloud's words.
    """
    opts = pulumi.InvokeOptions(provider=alibaba)
    group = existing.security_group_id

    def read() -> NetworkAnswers:
        network = _vpc_and_vswitches(existing.vpc_id, [*existing.vswitches, *existing.pod_vswitches], opts)
        groups = ecs.get_security_groups(ids=[group], enable_details=True, opts=opts).groups or []
        rules = ecs.get_security_group_rules(group_id=group, nic_type="intranet", opts=opts).rules if groups else []
        return NetworkAnswers(
            vpcs=network.vpcs,
            vswitches=network.vswitches,
            groups=groups,
            rules=rules or [],
            snat_entries=list(_snat_entries(existing.vpc_id, opts)) if nat else [],
            is_in_use=any(
                one.cluster_name == cluster for one in cs.get_clusters(cluster_name=cluster, opts=opts).clusters or []
            ),
        )

    return _asked(
        read,
        ("network", "existing"),
        existing.vpc_id,
        "the VPC could not be read",
        "Sign in as somebody whose policies allow vpc:Describe*, vpc:ListTagResources, ecs:Describe* and cs:Describe*.",
    )


_BILLED: Mapping[AckCapacity, tuple[str, str]] = MappingProxyType(
    {
        AckCapacity.ON_DEMAND: ("PostPaid", "NoSpot"),
        AckCapacity.SPOT: ("PostPaid", "SpotAsPriceGo"),
        AckCapacity.SUBSCRIPTION: ("PrePaid", "NoSpot"),
    }
)
"""How zones are asked for machines: charge type and spot strategy. Types that are sold out are not in the answer:
website/docs/d/instance_types.html.markdown of https://github.com/aliyun/terraform-provider-alicloud."""
_NOTHING = "returned no results"
"""What the provider says where a zone has no machine at all."""


def find_account(
    zones: Mapping[AckCapacity, Collection[str]], alibaba: pulumi.ProviderResource | None
) -> AccountAnswers:
    """Return the account's roles, and what zones have in stock; ``zones`` are those to ask, by how machines are billed.

    Raises:
        SpecError: if it can't be read, with Alibaba Cloud's words.
    """
    opts = pulumi.InvokeOptions(provider=alibaba)

    def stock(zone: str, capacity: AckCapacity) -> Collection[str]:
        charge, strategy = _BILLED[capacity]
        try:
            return ecs.get_instance_types(
                availability_zone=zone, instance_charge_type=charge, spot_strategy=strategy, opts=opts
            ).ids
        except Exception as error:  # The SDK raises nothing more specific.
            if _NOTHING in str(error):
                return ()
            raise

    def read() -> AccountAnswers:
        roles = ram.get_roles(name_regex="^Aliyun", opts=opts).names or []
        offers = {capacity: {zone: stock(zone, capacity) for zone in asked} for capacity, asked in zones.items()}
        return AccountAnswers(roles, offers)

    return _asked(
        read,
        ("preflight",),
        True,
        "the account could not be read",
        "Sign in as somebody whose policies allow ram:ListRoles, ram:GetRole, ecs:DescribeAvailableResource and "
        "ecs:DescribeInstanceTypes, or leave it out.",
    )


def _vpc_and_vswitches(vpc_id: str, vswitches: Iterable[str], opts: pulumi.InvokeOptions) -> NetworkAnswers:
    ids = list(vswitches)
    return NetworkAnswers(
        vpcs=vpc.get_networks(ids=[vpc_id], opts=opts).vpcs or [],
        vswitches=vpc.get_switches(ids=ids, opts=opts).vswitches or [] if ids else [],
    )


def _snat_entries(vpc_id: str, opts: pulumi.InvokeOptions) -> Iterable[Any]:
    for gateway in vpc.get_nat_gateways(vpc_id=vpc_id, enable_details=True, opts=opts).gateways or []:
        for table in gateway.snat_table_ids or []:
            yield from vpc.get_snat_entries(snat_table_id=table, opts=opts).entries or []


def _not_there(at: Path, value: Any, problem: str, fix: str) -> SpecError:
    return SpecError([FieldError(at, value, problem, fix)], "What exists at Alibaba Cloud")


def _asked(ask: Callable[[], T], at: Path, value: Any, problem: str, fix: str) -> T:
    try:
        return ask()
    except Exception as error:  # The SDK raises nothing more specific.
        raise _not_there(at, value, f"{problem}: {alibabas_words(error)}", fix) from None
