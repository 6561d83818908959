"""VPCs and their vSwitches."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, in_region, known_kind, need, now, region
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Place, Values

NETWORK = "alicloud:vpc/network:Network"
SWITCH = "alicloud:vpc/switch:Switch"

_PRIVATE = tuple(IPv4Network(cidr) for cidr in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
KEPT_FREE = 4
"""Addresses of each vSwitch that Alibaba Cloud reserves: the first and the last three."""


@known_kind
class Network(AlibabaKind):
    token = NETWORK
    terraform = "alicloud_vpc"
    action = "vpc:CreateVpc"
    prefix = "vpc"
    name_property = "vpcName"

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        yield from not_a_range(inputs, "cidrBlock")

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        block = IPv4Network(inputs.get("cidrBlock", "172.16.0.0/12"))
        if not 8 <= block.prefixlen <= 28 or not any(block.subnet_of(private_range) for private_range in _PRIVATE):
            raise self.error(400, "InvalidCidrBlock.Malformed", f"The specified CIDR block {block} is not valid.")
        for switch in scope.cloud.all(SWITCH):
            inside = IPv4Network(switch.state["cidrBlock"])
            if old and switch.state["vpcId"] == old.id and not inside.subnet_of(block):
                raise self.error(400, "InvalidCidrBlock.Conflict", f"The vSwitch {switch.id} lies outside of {block}.")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "cidrBlock": "172.16.0.0/12",
            "resourceGroupId": "rg-simulated",
            "createTime": old.state["createTime"] if old else now(),
            **super().state(inputs, scope, old),
            "regionId": region(scope),
            "status": "Available",
        }

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        routes = resource_id.replace("vpc-", "vtb-")
        return {
            **state,
            "routeTableId": routes,
            "routerTableId": routes,
            "routerId": resource_id.replace("vpc-", "vrt-"),
        }


@known_kind
class Switch(AlibabaKind):
    token = SWITCH
    terraform = "alicloud_vswitch"
    action = "vpc:CreateVSwitch"
    prefix = "vsw"
    name_property = "vswitchName"
    references = (Reference("vpcId", NETWORK),)

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        yield from not_a_range(inputs, "cidrBlock")
        if "zoneId" not in inputs and "availabilityZone" not in inputs:
            yield ("zoneId",), "one of zoneId and availabilityZone must be specified"
        # Optional in the SDK, but required by the API.
        for name in ("vpcId", "cidrBlock"):
            if inputs.get(name) is None:
                yield (name,), "this is required"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        block = IPv4Network(inputs["cidrBlock"])
        network = need(scope, NETWORK, inputs["vpcId"])
        zone = inputs.get("zoneId") or inputs["availabilityZone"]
        if not in_region(zone, scope):
            raise self.error(404, "InvalidZoneId.NotFound", f"The zone {zone} does not exist in {region(scope)}.")
        if not 16 <= block.prefixlen <= 29:
            raise self.error(400, "InvalidCidrBlock.Malformed", f"The mask of {block} is not between 16 and 29.")
        if not block.subnet_of(IPv4Network(network.state["cidrBlock"])):
            raise self.error(400, "InvalidCidrBlock.NotInVpc", f"{block} is not within {network.state['cidrBlock']}.")
        for other in scope.cloud.all(SWITCH):
            same = (old and other.id == old.id) or other.state["vpcId"] != network.id
            if not same and block.overlaps(IPv4Network(other.state["cidrBlock"])):
                raise self.error(400, "InvalidCidrBlock.Overlapped", f"{block} overlaps with the vSwitch {other.id}.")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        zone = state.get("zoneId") or state["availabilityZone"]
        return {
            "createTime": old.state["createTime"] if old else now(),
            **state,
            "zoneId": zone,
            "availabilityZone": zone,
            "status": "Available",
        }


def addresses(switch: Stored) -> Iterator[str]:
    """Return the usable addresses of a vSwitch, the lowest first."""
    block = IPv4Network(switch.state["cidrBlock"])
    return (str(block[number]) for number in range(1, block.num_addresses - KEPT_FREE + 1))


def not_a_range(inputs: Values, name: str) -> Iterator[tuple[Place, str]]:
    """Refuse a text that is no range."""
    value = inputs.get(name)
    if isinstance(value, str):
        try:
            IPv4Network(value)
        except ValueError as error:
            yield (name,), f"{value!r} is not a range: {error}"
