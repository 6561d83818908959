"""Security groups and their rules.

An enterprise security group allows nothing that no rule allows, in neither direction:
https://help.aliyun.com/en/ecs/user-guide/security-group-rules. What nodes need is on
https://www.alibabacloud.com/help/en/container-service-for-kubernetes/latest/configure-security-group-rules-to-enforce-access-control-on-ack-clusters.
"""

from collections.abc import Iterator
from ipaddress import IPv4Network

from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, known_kind, need, now
from tests.clouds.alibaba.networks import NETWORK, not_a_range
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

SECURITY_GROUP = "alicloud:ecs/securityGroup:SecurityGroup"
RULE = "alicloud:ecs/securityGroupRule:SecurityGroupRule"

_EVERY_PORT = "-1/-1"
_SERVICES = IPv4Network("100.64.0.0/10")
"""Where Alibaba Cloud's own services are."""
_SOURCES = ("cidrIp", "ipv6CidrIp", "sourceSecurityGroupId", "prefixListId")


@known_kind
class SecurityGroup(AlibabaKind):
    token = SECURITY_GROUP
    terraform = "alicloud_security_group"
    action = "ecs:CreateSecurityGroup"
    prefix = "sg"
    name_property = "securityGroupName"
    references = (Reference("vpcId", NETWORK),)
    together = (("securityGroupName", "name"),)

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if inputs.get("securityGroupType") == "enterprise" and inputs.get("innerAccessPolicy") == "Accept":
            raise self.error(
                400,
                "InvalidSecurityGroupType.NotSupported",
                "The policy within an enterprise security group can't be changed.",
                "ModifySecurityGroupPolicy",
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        group_type = inputs.get("securityGroupType", "normal")
        policy = "Accept" if group_type == "normal" else "Drop"
        state = {"securityGroupType": group_type, "innerAccessPolicy": policy, **super().state(inputs, scope, old)}
        create_time = old.state["createTime"] if old else now()
        return {**state, "innerAccess": state["innerAccessPolicy"] == "Accept", "createTime": create_time}

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Its rules go with it."""
        for rule in scope.cloud.all(RULE):
            if rule.state["securityGroupId"] == resource.id:
                scope.cloud.remove(rule)


@known_kind
class SecurityGroupRule(AlibabaKind):
    token = RULE
    terraform = "alicloud_security_group_rule"
    action = "ecs:AuthorizeSecurityGroup"
    defaults = {"policy": "accept", "priority": 1, "portRange": _EVERY_PORT}
    references = (
        Reference("securityGroupId", SECURITY_GROUP, holds=False),
        Reference("sourceSecurityGroupId", SECURITY_GROUP),
    )
    # All but the description.

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        yield from not_a_range(inputs, "cidrIp")
        priority = inputs.get("priority")
        if isinstance(priority, int) and not 1 <= priority <= 100:
            yield ("priority",), f"expected 1 to 100, received {priority}"

    def name(self, inputs: Values) -> str:
        source = next((inputs[name] for name in _SOURCES if inputs.get(name)), "")
        return f"{inputs.get('type')}:{inputs.get('ipProtocol')}:{inputs.get('portRange')}:{source}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        parts = [inputs[name] for name in ("securityGroupId", "type", "ipProtocol", "portRange")]
        source = next((inputs[name] for name in _SOURCES if inputs.get(name)), "")
        optional_parts = [inputs.get("nicType", "intranet"), source, inputs["policy"], inputs["priority"]]
        return ":".join(str(part) for part in [*parts, *optional_parts])

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Refuse inputs as the provider does, which only checks these on creation, and then as ECS does."""
        if inputs["ipProtocol"] in {"tcp", "udp"} and inputs["portRange"] == _EVERY_PORT:
            raise CloudError("'tcp' and 'udp' can support port range: [1, 65535]. Please correct it and try again.")
        if inputs["ipProtocol"] not in {"tcp", "udp"} and inputs["portRange"] != _EVERY_PORT:
            raise CloudError(
                "'icmp', 'gre' and 'all' only support port range '-1/-1'. Please correct it and try again."
            )
        super().refuse(inputs, scope, old)
        group = need(scope, SECURITY_GROUP, inputs["securityGroupId"])
        if group.state.get("vpcId") and inputs.get("nicType", "intranet") != "intranet":
            raise CloudError(
                "When security group in the vpc or authorizing permission for source/destination security group, "
                "the nic_type must be 'intranet'."
            )
        if not any(inputs.get(name) for name in _SOURCES):
            raise self.error(400, "MissingParameter.Source", "One of the source parameters must be specified.")
        if group.state["securityGroupType"] == "enterprise" and isinstance(inputs.get("sourceSecurityGroupId"), str):
            raise self.error(
                400, "InvalidParam.SourceGroupId", "An enterprise security group takes no rule about another group."
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        number = old.state["securityGroupRuleId"] if old else f"sgr-sim{scope.cloud.next_number():06d}"
        return {"nicType": "intranet", **super().state(inputs, scope, old), "securityGroupRuleId": number}


def barred(group: Stored, scope: Scope) -> Iterator[str]:
    """Yield what nodes need and a security group keeps from them, so that they don't join their cluster."""
    if group.state["securityGroupType"] != "enterprise":
        return
    network = need(scope, NETWORK, group.state["vpcId"])
    for direction, words in (("ingress", "from"), ("egress", "to")):
        for block in (IPv4Network(network.state["cidrBlock"]), _SERVICES):
            if not any(block.subnet_of(allowed) for allowed in _allowed(group, direction, scope)):
                yield f"the security group {group.id} denies connections {words} {block}"


def _allowed(group: Stored, direction: str, scope: Scope) -> Iterator[IPv4Network]:
    """Yield the ranges from or to which a group allows every connection."""
    for rule in scope.cloud.all(RULE):
        state = rule.state
        if (state["securityGroupId"], state["type"], state["ipProtocol"]) != (group.id, direction, "all"):
            continue
        if state["policy"] == "accept" and state.get("cidrIp"):
            yield IPv4Network(state["cidrIp"])
