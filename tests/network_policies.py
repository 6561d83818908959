"""Whether NetworkPolicies let a connection in, by Kubernetes' rules, for tests on networks that enforce none.

https://kubernetes.io/docs/concepts/services-networking/network-policies/: a pod that no policy selects takes all
connections; others take what one of the rules of one of their policies lets in, and their own.
"""

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Policy = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A pod, or an address that no pod has."""

    namespace: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    address: str = ""
    is_pod: bool = True
    """Whether it has an address of its own: not on the host's network, and no machine outside."""


def pod(manifest: Mapping[str, Any]) -> Place:
    """Return a pod of the API server as a place."""
    metadata = manifest["metadata"]
    return Place(
        metadata["namespace"],
        metadata.get("labels", {}),
        manifest["status"].get("podIP", ""),
        is_pod=not manifest["spec"].get("hostNetwork", False),
    )


def lets_in(policies: Iterable[Policy], server: Place, port: int, client: Place) -> bool:
    """Return whether policies let a client connect to a port of a pod."""
    if not server.is_pod or (server.address and server.address == client.address):
        return True
    ours = [one for one in policies if one["metadata"]["namespace"] == server.namespace]
    ours = [one["spec"] for one in ours if _selects(one["spec"]["podSelector"], server.labels)]
    return not ours or any(
        _is_for(rule, port) and _is_from(rule, server.namespace, client)
        for spec in ours
        for rule in spec.get("ingress", [])
    )


def _is_for(rule: Mapping[str, Any], port: int) -> bool:
    return not rule.get("ports") or any(one["port"] == port for one in rule["ports"])


def _is_from(rule: Mapping[str, Any], namespace: str, client: Place) -> bool:
    return not rule.get("from") or any(_is(peer, namespace, client) for peer in rule["from"])


def _is(peer: Mapping[str, Any], namespace: str, client: Place) -> bool:
    if "ipBlock" in peer:
        if not client.address:
            return False
        block, address = peer["ipBlock"], ipaddress.ip_address(client.address)
        within = [address in ipaddress.ip_network(one) for one in (block["cidr"], *block.get("except", []))]
        return within[0] and not any(within[1:])
    if not client.is_pod:
        return False
    if "namespaceSelector" in peer:
        # Of a namespace only the label is known that each has.
        if not _selects(peer["namespaceSelector"], {"kubernetes.io/metadata.name": client.namespace}):
            return False
    elif client.namespace != namespace:
        return False
    return _selects(peer.get("podSelector", {}), client.labels)


def _selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(_meets(one, labels) for one in selector.get("matchExpressions", []))


def _meets(requirement: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    key, values = requirement["key"], requirement.get("values", [])
    match requirement["operator"]:
        case "In":
            return key in labels and labels[key] in values
        case "NotIn":
            return key not in labels or labels[key] not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    raise AssertionError(requirement)
