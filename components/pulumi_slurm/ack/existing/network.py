"""Whether a VPC that exists will do for the nodes, pods and Services of a specification.

Sources: what a security group of nodes has to let through,
https://www.alibabacloud.com/help/en/container-service-for-kubernetes/latest/configure-security-group-rules-to-enforce-access-control-on-ack-clusters;
groups of the enterprise type let nothing out without a rule,
https://www.alibabacloud.com/help/en/ecs/user-guide/basic-security-groups-and-advanced-security-groups; ranges,
https://www.alibabacloud.com/help/en/doc-detail/86500.htm.
"""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network
from typing import Any

from pulumi_slurm.ack.existing.answers import NetworkAnswers
from pulumi_slurm.ack.model import AckExistingNetworkSpec, AckFoundNetwork, SecurityGroupType
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import node_addresses, pod_addresses, pod_zones
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack.plan.range_placement import place_ranges
from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.rules.run import Rule, run_rules

_AT = ("network", "existing")
_ALIBABA_SERVICES = "100.64.0.0/10"
_EVERYWHERE = "0.0.0.0/0"
_ALL_PORTS = frozenset({"-1/-1", "1/65535"})


def found_network(existing: AckExistingNetworkSpec, answers: NetworkAnswers) -> AckFoundNetwork | None:
    """Return what the stack needs to know of a VPC; None if there is no such VPC."""
    if not answers.vpcs:
        return None
    by_id = {vswitch.id: vswitch for vswitch in answers.vswitches}
    nodes, pods = (
        {by_id[one].zone_id: by_id[one] for one in ids if one in by_id}
        for ids in (existing.vswitches, existing.pod_vswitches)
    )
    return AckFoundNetwork(
        vpc_ranges=vpc_ranges(answers),
        node_vswitches={zone: vswitch.id for zone, vswitch in nodes.items()},
        node_ranges={zone: vswitch.cidr_block for zone, vswitch in nodes.items()},
        pod_vswitches={zone: vswitch.id for zone, vswitch in pods.items()},
        pod_ranges={zone: vswitch.cidr_block for zone, vswitch in pods.items()},
    )


def vpc_ranges(answers: NetworkAnswers) -> tuple[str, ...]:
    """Return all address ranges of a VPC that was found."""
    (network,) = answers.vpcs
    return (network.cidr_block, *(network.secondary_cidr_blocks or []))


def network_will_do(plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers) -> Iterator[FieldError]:
    """Yield what the specification needs and a VPC lacks; warn of what may hurt.

    ``plan`` is that of the specification with what was found.
    """
    if not answers.vpcs:
        fix = "Write the id of one of those that `aliyun vpc DescribeVpcs` lists, or its region."
        yield FieldError((*_AT, "vpc_id"), existing.vpc_id, f"there is no such VPC in {plan.spec.region}", fix)
        return
    yield from run_rules(RULES_OF_EXISTING_NETWORKS, plan, existing, answers)


def vswitches_exist(plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers) -> Iterator[FieldError]:
    """Refuse vSwitches that are not there, are in another VPC, or share their zone with another."""
    by_id = {vswitch.id: vswitch for vswitch in answers.vswitches}
    for field in ("vswitches", "pod_vswitches"):
        zones: dict[str, str] = {}
        for index, vswitch_id in enumerate(getattr(existing, field)):
            at, vswitch = (*_AT, field, index), by_id.get(vswitch_id)
            if vswitch is None:
                there = f"`aliyun vpc DescribeVSwitches --VpcId {existing.vpc_id}`"
                yield FieldError(at, vswitch_id, "there is no such vSwitch", f"Write one of those that {there} lists.")
            elif vswitch.vpc_id != existing.vpc_id:
                yield FieldError(at, vswitch_id, f"it is in the VPC {vswitch.vpc_id}", "Write one of the VPC's own.")
            elif vswitch.zone_id in zones:
                problem = (
                    f"it is in {vswitch.zone_id}, as {zones[vswitch.zone_id]} is, and one of them is used in a zone"
                )
                yield FieldError(at, vswitch_id, problem, "Leave one of them out.")
            else:
                zones[vswitch.zone_id] = vswitch_id


def zones_have_vswitches(
    plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers
) -> Iterator[FieldError]:
    """Refuse zones in which nodes or pods have no vSwitch."""
    zone_of = {vswitch.id: vswitch.zone_id for vswitch in answers.vswitches}
    for field, zones, users in (
        ("vswitches", all_zones(plan.spec), "nodes"),
        ("pod_vswitches", pod_zones(plan), "pods"),
    ):
        ids = getattr(existing, field)
        if not ids or any(one not in zone_of for one in ids):
            continue  # Other errors tell of that.
        there = {zone_of[one] for one in ids}
        for zone in zones:
            if zone not in there:
                yield FieldError(
                    (*_AT, field),
                    ids,
                    f"none of them is in {zone}, where there are {users}: they are in {', '.join(sorted(there))}",
                    "Add one of this zone, or leave the zone out of zones.",
                    depends_on_fields=(("zones",), ("pools",), ("system_pool",)),
                )


def vswitches_are_large_enough(
    plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers
) -> Iterator[FieldError]:
    """Refuse vSwitches that can't hold the nodes; warn of too few addresses for pods, and of those that others have.

    The number of pods is an estimate, and addresses that others have may be free by then.
    """
    by_id = {vswitch.id: vswitch for vswitch in answers.vswitches}
    for field, needed_addresses, users in (
        ("vswitches", node_addresses, "nodes"),
        ("pod_vswitches", pod_addresses, "pods"),
    ):
        for index, vswitch_id in enumerate(getattr(existing, field)):
            vswitch = by_id.get(vswitch_id)
            if vswitch is None or vswitch.zone_id not in all_zones(plan.spec):
                continue
            needed, block = needed_addresses(plan, vswitch.zone_id), IPv4Network(vswitch.cidr_block)
            requirement = f"the maximum number of {users} in {vswitch.zone_id} takes {needed}"
            if block.num_addresses < needed:
                yield FieldError(
                    (*_AT, field, index),
                    vswitch_id,
                    f"{block} has {block.num_addresses} addresses, and {requirement}",
                    f"Name a vSwitch of a /{prefix_length_for(needed)} or larger, or write fewer nodes.",
                    severity=Severity.ERROR if users == "nodes" else Severity.WARNING,
                )
            elif not answers.is_in_use and (vswitch.available_ip_address_count or 0) < needed:
                yield FieldError(
                    (*_AT, field, index),
                    vswitch_id,
                    f"others have taken all but {vswitch.available_ip_address_count} of its addresses, "
                    f"and {requirement}",
                    "Name another vSwitch, or write fewer nodes.",
                    severity=Severity.WARNING,
                )


def ranges_are_outside_of_the_vpc(
    plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers
) -> Iterator[FieldError]:
    """Refuse ranges of ours that overlap with the VPC."""
    network = plan.spec.network
    yield from place_ranges(plan)[1]
    for field in ("pods_range", "services_range"):
        cidr = getattr(network, field)
        for theirs in vpc_ranges(answers):
            if cidr and IPv4Network(cidr).overlaps(IPv4Network(theirs)):
                problem = f"it overlaps with {theirs} of the VPC, so packets would be misrouted"
                yield FieldError(("network", field), cidr, problem, "Write a range that is free, or leave it out.")


def security_group_lets_through(
    plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers
) -> Iterator[FieldError]:
    """Refuse a group that lets no node out; warn where no rule is seen that lets in what has to come in."""
    at, group_id = (*_AT, "security_group_id"), existing.security_group_id
    if not answers.groups:
        fix = f"Write one of those that `aliyun ecs DescribeSecurityGroups --VpcId {existing.vpc_id}` lists."
        yield FieldError(at, group_id, "there is no such security group", fix)
        return
    (group,) = answers.groups
    if group.vpc_id != existing.vpc_id:
        yield FieldError(at, group_id, f"it is in the VPC {group.vpc_id}", "Write one of the VPC's own.")
        return
    command = f"--RegionId {plan.spec.region} --SecurityGroupId {group_id} --IpProtocol ALL --PortRange -1/-1"
    accepting = [rule for rule in answers.rules if rule.policy == "accept"]
    enterprise = group.security_group_type == SecurityGroupType.ENTERPRISE
    if enterprise and not any(rule.direction == "egress" for rule in accepting):
        yield FieldError(
            at,
            group_id,
            "it is of the enterprise type and has no rule that lets anything out, so nodes can't join",
            f"Add one: aliyun ecs AuthorizeSecurityGroupEgress {command} --DestCidrIp {_EVERYWHERE}.",
        )
    for source, who in _sources(plan, answers, inner_access=not enterprise and bool(group.inner_access)).items():
        if not any(_lets_in(rule, IPv4Network(source)) for rule in accepting):
            yield FieldError(
                at,
                group_id,
                f"none of its rules is seen to let {who} in, {source}",
                f"Add one: aliyun ecs AuthorizeSecurityGroup {command} --SourceCidrIp {source}.",
                severity=Severity.WARNING,
            )


def _sources(plan: AckPlan, answers: NetworkAnswers, *, inner_access: bool) -> Mapping[str, str]:
    """Return by range who has to reach nodes and pods."""
    sources = {} if inner_access else dict.fromkeys(vpc_ranges(answers), "nodes and pods of the VPC")
    flannel_range = place_ranges(plan)[0].get(("network", "pods_range"))
    if flannel_range:
        sources[str(flannel_range)] = "Flannel's pods"
    sources[_ALIBABA_SERVICES] = "Alibaba Cloud's services"
    return sources


def _lets_in(rule: Any, source: IPv4Network) -> bool:
    """Return whether a rule lets in TCP from all of a range to all ports."""
    if rule.direction != "ingress" or rule.ip_protocol not in ("all", "tcp") or rule.port_range not in _ALL_PORTS:
        return False
    try:
        return bool(rule.source_cidr_ip) and source.subnet_of(IPv4Network(rule.source_cidr_ip, strict=False))
    except ValueError:
        return False


def vswitches_have_a_way_out(
    plan: AckPlan, existing: AckExistingNetworkSpec, answers: NetworkAnswers
) -> Iterator[FieldError]:
    """Refuse vSwitches for which no NAT gateway of the VPC has an SNAT entry."""
    by_id = {vswitch.id: vswitch for vswitch in answers.vswitches}
    for field in ("vswitches", "pod_vswitches") if plan.spec.network.nat else ():
        for index, vswitch_id in enumerate(getattr(existing, field)):
            vswitch = by_id.get(vswitch_id)
            if vswitch is None or any(_translates(entry, vswitch) for entry in answers.snat_entries):
                continue
            yield FieldError(
                (*_AT, field, index),
                vswitch_id,
                "no NAT gateway of the VPC has an SNAT entry for it, and images are pulled from the Internet",
                f"Add one: aliyun vpc CreateSnatEntry --RegionId {plan.spec.region} --SnatTableId ... --SnatIp ... "
                f"--SourceVSwitchId {vswitch_id}; or write network.nat: false if it has or needs no such way.",
                depends_on_fields=(("network", "nat"),),
            )


def _translates(entry: Any, vswitch: Any) -> bool:
    if entry.source_vswitch_id:
        return bool(entry.source_vswitch_id == vswitch.id)
    try:
        return IPv4Network(vswitch.cidr_block).subnet_of(IPv4Network(entry.source_cidr, strict=False))
    except ValueError:
        return False


RULES_OF_EXISTING_NETWORKS: tuple[Rule, ...] = (
    vswitches_exist,
    zones_have_vswitches,
    vswitches_are_large_enough,
    ranges_are_outside_of_the_vpc,
    security_group_lets_through,
    vswitches_have_a_way_out,
)
