"""VPCs, their ranges, and the way out of them."""

import ipaddress
from collections.abc import Iterator

from tests.clouds.gcp.google import GoogleKind, Reference, find, known_kind, link, now, project, region
from tests.clouds.gcp.quotas import refuse_beyond_quota
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values, known

NETWORK = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
ROUTER = "gcp:compute/router:Router"
CONNECTION = "gcp:servicenetworking/connection:Connection"
USES_CONNECTION = {
    "gcp:sql/databaseInstance:DatabaseInstance",
    "gcp:filestore/instance:Instance",
    "gcp:lustre/instance:Instance",
}


@known_kind
class Network(GoogleKind):
    token = NETWORK
    permission = "compute.networks.create"
    defaults = {"autoCreateSubnetworks": True, "deleteDefaultRoutesOnCreate": False}
    # The MTU, the routing mode and the order of firewalls change in place.
    rules = Rules(by_last_part=("networkProfile",))

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        mtu = inputs.get("mtu")
        if isinstance(mtu, int) and not 1300 <= mtu <= 8896:
            yield ("mtu",), f"{mtu} is not between 1300 and 8896"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/global/networks/{inputs['name']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if old is None:
            refuse_beyond_quota({"NETWORKS": 1}, scope.cloud.all(NETWORK), inputs, scope)

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        number = old.state["networkId"] if old else str(scope.cloud.next_number())
        return {
            "mtu": 1460,
            "routingMode": "REGIONAL",
            **state,
            "selfLink": link(self.identify(inputs, scope)),
            "networkId": number,
            "numericId": number,
            "gatewayIpv4": "",
        }


@known_kind
class Subnetwork(GoogleKind):
    token = SUBNETWORK
    permission = "compute.subnetworks.create"
    references = (Reference("network", NETWORK),)
    rules = Rules(by_last_part=("network",))

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        for place, value in _ranges(inputs):
            try:
                ipaddress.IPv4Network(value)
            except ValueError as error:
                yield place, f"{value!r} is not a range: {error}"

    def replacing(self, old: Values, new: Values) -> frozenset[str]:
        """A range can grow around the old one; anything else is another subnetwork."""
        if not known([old.get("ipCidrRange"), new.get("ipCidrRange")]) or "ipCidrRange" not in old:
            return frozenset()
        before, after = (ipaddress.IPv4Network(values["ipCidrRange"]) for values in (old, new))
        return frozenset() if before.subnet_of(after) else frozenset({"ipCidrRange"})

    def identify(self, inputs: Values, scope: Scope) -> str:
        where = f"projects/{project(inputs, scope)}/regions/{region(inputs, scope)}"
        return f"{where}/subnetworks/{inputs['name']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        network = find(scope, NETWORK, inputs["network"])
        mine = [(place, ipaddress.IPv4Network(value)) for place, value in _ranges(inputs)]
        for index, (_, one) in enumerate(mine):
            clash = next((before for _, before in mine[:index] if one.overlaps(before)), None)
            if clash:
                raise CloudError(f"googleapi: Error 400: Invalid IPCidrRange: {one} conflicts with {clash}., invalid")
        for other in scope.cloud.all(SUBNETWORK):
            if (old and other.id == old.id) or find(scope, NETWORK, other.state["network"]) != network:
                continue
            for _, value in _ranges(other.state):
                clash = next((cidr for _, cidr in mine if cidr.overlaps(ipaddress.IPv4Network(value))), None)
                if clash:
                    raise CloudError(
                        f"googleapi: Error 400: Invalid IPCidrRange: {clash} conflicts with existing subnetwork "
                        f"'{other.name}' in region '{other.state['region']}'., invalid"
                    )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        gateway = str(next(ipaddress.IPv4Network(inputs["ipCidrRange"]).hosts()))
        return {
            "purpose": "PRIVATE",
            "stackType": "IPV4_ONLY",
            **state,
            "region": region(inputs, scope),
            "selfLink": link(self.identify(inputs, scope)),
            "gatewayAddress": gateway,
            "creationTimestamp": old.state["creationTimestamp"] if old else now(),
            "subnetworkId": old.state["subnetworkId"] if old else scope.cloud.next_number(),
        }


@known_kind
class Router(GoogleKind):
    token = ROUTER
    permission = "compute.routers.create"
    references = (Reference("network", NETWORK),)
    rules = Rules(by_last_part=("network",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/regions/{region(inputs, scope)}/routers/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            **super().state(inputs, scope, old),
            "region": region(inputs, scope),
            "selfLink": link(self.identify(inputs, scope)),
            "creationTimestamp": old.state["creationTimestamp"] if old else now(),
        }


@known_kind
class RouterNat(GoogleKind):
    token = "gcp:compute/routerNat:RouterNat"
    permission = "compute.routers.update"
    references = (Reference("router", ROUTER, holds=False),)
    rules = Rules(by_last_part=("router",))

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        if inputs.get("enableDynamicPortAllocation") and inputs.get("enableEndpointIndependentMapping"):
            yield ("enableDynamicPortAllocation",), "this excludes endpoint-independent mapping"

    def identify(self, inputs: Values, scope: Scope) -> str:
        router = str(inputs["router"]).rpartition("/")[2]
        return f"{project(inputs, scope)}/{region(inputs, scope)}/{router}/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {**super().state(inputs, scope, old), "region": region(inputs, scope)}


@known_kind
class Firewall(GoogleKind):
    token = "gcp:compute/firewall:Firewall"
    permission = "compute.firewalls.create"
    references = (Reference("network", NETWORK),)
    rules = Rules(
        unordered=("sourceRanges", "sourceTags", "targetTags", "targetServiceAccounts", "sourceServiceAccounts"),
        by_last_part=("network",),
    )

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        if not inputs.get("allows") and not inputs.get("denies"):
            yield ("allows",), "one of allows and denies is required"
        sources = ("sourceRanges", "sourceTags", "sourceServiceAccounts")
        if inputs.get("direction", "INGRESS") == "INGRESS" and not any(inputs.get(name) for name in sources):
            yield ("sourceRanges",), "one of source_tags, source_ranges, or source_service_accounts must be defined"
        if inputs.get("targetTags") and inputs.get("targetServiceAccounts"):
            yield ("targetTags",), "this excludes targetServiceAccounts"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/global/firewalls/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "direction": "INGRESS",
            "priority": 1000,
            **super().state(inputs, scope, old),
            "selfLink": link(self.identify(inputs, scope)),
            "creationTimestamp": old.state["creationTimestamp"] if old else now(),
        }


@known_kind
class GlobalAddress(GoogleKind):
    token = "gcp:compute/globalAddress:GlobalAddress"
    permission = "compute.globalAddresses.createInternal"
    labels = "labels"
    references = (Reference("network", NETWORK),)
    rules = Rules(by_last_part=("network",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/global/addresses/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "address": "10.127.0.0",
            **super().state(inputs, scope, old),
            "selfLink": link(self.identify(inputs, scope)),
            "creationTimestamp": old.state["creationTimestamp"] if old else now(),
        }


@known_kind
class Connection(GoogleKind):
    token = CONNECTION
    api = "servicenetworking.googleapis.com"
    autonamed = False
    name_property = "service"
    permission = "servicenetworking.services.addPeering"
    references = (
        # What is abandoned leaves its peering, which holds the network.
        Reference("network", NETWORK),
        Reference("reservedPeeringRanges", "gcp:compute/globalAddress:GlobalAddress", holds=False),
    )
    rules = Rules(by_last_part=("network",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{str(inputs['network']).replace('/', '%2F')}:{inputs['service']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        del state["project"]
        return {**state, "peering": "servicenetworking-googleapis-com"}

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        """Google keeps its side for days after the last instance has gone; the peering alone can be removed."""
        if state.get("deletionPolicy") == "REMOVE_PEERING":
            return
        network = find(scope, NETWORK, resource.state["network"])
        if network and network.id in scope.cloud.settings.get("peered", []):
            raise CloudError(
                "Error waiting for Delete Service Networking Connection: Error code 9, message: Failed to delete "
                "connection; Producer services (e.g. CloudSQL, Cloud Memstore, etc.) are still using this connection."
            )


def use_connection(network: str, scope: Scope, says: str) -> None:
    """Let an instance of a Google service have an address in a VPC; refuse it without a connection."""
    resource = find(scope, NETWORK, network)
    if resource is None:
        raise CloudError(f"googleapi: Error 404: The resource '{network}' (network) was not found, notFound")
    networks = [find(scope, NETWORK, connection.state["network"]) for connection in scope.cloud.all(CONNECTION)]
    if resource not in networks:
        raise CloudError(
            f"Error creating {says}: Failed to create the instance because the network doesn't have at least 1 private "
            "services connection. Please see https://cloud.google.com/vpc/docs/private-services-access"
        )
    scope.cloud.set(peered=sorted({*scope.cloud.settings.get("peered", []), resource.id}))


def _ranges(inputs: Values) -> Iterator[tuple[Place, str]]:
    if isinstance(inputs.get("ipCidrRange"), str):
        yield ("ipCidrRange",), inputs["ipCidrRange"]
    for index, secondary_range in enumerate(inputs.get("secondaryIpRanges") or []):
        if isinstance(secondary_range.get("ipCidrRange"), str):
            yield ("secondaryIpRanges", index, "ipCidrRange"), secondary_range["ipCidrRange"]
