"""The way out of a VPC: NAT gateways, their addresses, and which vSwitches use them."""

from collections.abc import Iterator

from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, find, known_kind, need, now
from tests.clouds.alibaba.networks import NETWORK, SWITCH
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Place, Values

NAT_GATEWAY = "alicloud:vpc/natGateway:NatGateway"
ADDRESS = "alicloud:ecs/eipAddress:EipAddress"
ASSOCIATION = "alicloud:ecs/eipAssociation:EipAssociation"
SNAT_ENTRY = "alicloud:vpc/snatEntry:SnatEntry"

_MOST_MBPS = {"PayByTraffic": 200, "PayByBandwidth": 1000}


@known_kind
class NatGateway(AlibabaKind):
    token = NAT_GATEWAY
    terraform = "alicloud_nat_gateway"
    action = "vpc:CreateNatGateway"
    prefix = "ngw"
    name_property = "natGatewayName"
    references = (Reference("vpcId", NETWORK), Reference("vswitchId", SWITCH))

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if inputs.get("natType") == "Normal":
            raise self.error(400, "OperationUnsupported.NatType", "NAT gateways of the type Normal are no longer sold.")
        if not inputs.get("vswitchId"):
            raise self.error(400, "MissingParam.VSwitchId", "An enhanced NAT gateway lies in a vSwitch.")
        if need(scope, SWITCH, inputs["vswitchId"]).state["vpcId"] != inputs["vpcId"]:
            raise self.error(400, "InvalidVSwitchId.NotInVpc", f"{inputs['vswitchId']} is not in {inputs['vpcId']}.")

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("deletionProtection"):
            raise self.error(400, "OperationDenied.DeletionProtection", "The gateway is protected.", "DeleteNatGateway")
        super().refuse_deletion(resource, state, scope)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "natType": "Enhanced",
            "networkType": "internet",
            "paymentType": "PayAsYouGo",
            "internetChargeType": "PayByLcu",
            **super().state(inputs, scope, old),
            "status": "Available",
        }

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        return {
            **state,
            "snatTableIds": resource_id.replace("ngw-", "stb-"),
            "forwardTableIds": resource_id.replace("ngw-", "ftb-"),
        }


@known_kind
class EipAddress(AlibabaKind):
    token = ADDRESS
    terraform = "alicloud_eip_address"
    action = "vpc:AllocateEipAddress"
    prefix = "eip"
    name_property = "addressName"

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        width, max_mbps = inputs.get("bandwidth"), _MOST_MBPS.get(str(inputs.get("internetChargeType")), 1000)
        if isinstance(width, str) and not (width.isdigit() and 1 <= int(width) <= max_mbps):
            yield ("bandwidth",), f"expected 1 to {max_mbps}, received {width}"

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("deletionProtection"):
            raise self.error(400, "OperationDenied.DeletionProtection", "The EIP is protected.", "ReleaseEipAddress")
        super().refuse_deletion(resource, state, scope)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        # Of the range that documentation uses.
        address = old.state["ipAddress"] if old else f"203.0.113.{scope.cloud.next_number() % 254 + 1}"
        return {
            "bandwidth": "5",
            "internetChargeType": "PayByBandwidth",
            "isp": "BGP",
            "netmode": "public",
            "paymentType": "PayAsYouGo",
            "ipAddress": address,
            "createTime": old.state["createTime"] if old else now(),
            **super().state(inputs, scope, old),
            "status": "Available",
        }


@known_kind
class EipAssociation(AlibabaKind):
    token = ASSOCIATION
    terraform = "alicloud_eip_association"
    action = "vpc:AssociateEipAddress"
    references = (Reference("allocationId", ADDRESS), Reference("instanceId", NAT_GATEWAY))
    values = {
        "instanceType": "EcsInstance SlbInstance Nat HaVip NetworkInterface",
    }

    def name(self, inputs: Values) -> str:
        return f"{inputs.get('allocationId')}:{inputs.get('instanceId')}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return self.name(inputs)

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        for other in scope.cloud.all(ASSOCIATION):
            if old is None and other.state["allocationId"] == inputs["allocationId"]:
                raise self.error(400, "InvalidAssociation.Duplicated", f"The EIP is bound to {other.id} already.")
        if inputs.get("instanceType", "Nat") != "Nat":
            raise self.error(400, "InvalidInstanceType.NotSupport", f"{inputs['instanceId']} is a NAT gateway.")

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        address = need(scope, ADDRESS, resource.state["allocationId"])
        for entry in scope.cloud.all(SNAT_ENTRY):
            if entry.state["snatIp"] == address.state["ipAddress"]:
                raise self.error(
                    400,
                    "InvalidIpStatus.HasBeenUsedBySnatTable",
                    f"{address.state['ipAddress']} is used by {entry.id}.",
                    "UnassociateEipAddress",
                )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {"instanceType": "Nat", "mode": "NAT", **super().state(inputs, scope, old)}


@known_kind
class SnatEntry(AlibabaKind):
    token = SNAT_ENTRY
    terraform = "alicloud_snat_entry"
    action = "vpc:CreateSnatEntry"
    prefix = "snat"
    name_property = "snatEntryName"
    references = (
        Reference("snatTableId", NAT_GATEWAY, by="snatTableIds"),
        Reference("sourceVswitchId", SWITCH),
    )

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        if inputs.get("sourceVswitchId") is None and inputs.get("sourceCidr") is None:
            yield ("sourceVswitchId",), "one of sourceVswitchId and sourceCidr must be specified"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['snatTableId']}:{super().identify(inputs, scope)}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        gateway = find(scope, self.references[0], inputs["snatTableId"])
        assert gateway
        bound = {association.state["allocationId"] for association in scope.cloud.all(ASSOCIATION)
                 if association.state["instanceId"] == gateway.id}  # fmt: skip
        bound_addresses = {address.state["ipAddress"] for address in scope.cloud.all(ADDRESS) if address.id in bound}
        for address in inputs["snatIp"].split(","):
            if address not in bound_addresses:
                raise self.error(
                    400, "OperationUnsupported.EipNatGWCheck", f"{address} is not bound to the gateway {gateway.id}."
                )
        switch = inputs.get("sourceVswitchId")
        if switch and need(scope, SWITCH, switch).state["vpcId"] != gateway.state["vpcId"]:
            raise self.error(400, "InvalidSourceVSwitchId.NotInVpc", f"{switch} is not in {gateway.state['vpcId']}.")
        for other in scope.cloud.all(SNAT_ENTRY):
            same = old and other.id == old.id
            if not same and switch and other.state.get("sourceVswitchId") == switch:
                raise self.error(400, "InvalidSourceVSwitchId.Duplicate", f"{switch} has {other.id} already.")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        switch = inputs.get("sourceVswitchId")
        if switch:
            state["sourceCidr"] = need(scope, SWITCH, switch).state["cidrBlock"]
        return {**state, "status": "Available"}

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        return {**state, "snatEntryId": resource_id.rpartition(":")[2]}
