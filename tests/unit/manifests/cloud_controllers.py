"""What the controllers of clouds make of a Service with a load balancer: whether the Internet reaches it.

Each by its own default, which is the Internet but for the AWS Load Balancer Controller.
"""

from collections.abc import Callable, Mapping
from typing import Any

Annotations = Mapping[str, str]

BETA = "service.beta.kubernetes.io"


def _unless(key: str, internal: str) -> Callable[[Annotations, str | None], bool]:
    return lambda annotations, _: annotations.get(key) != internal


def _google(annotations: Annotations, load_balancer_class: str | None) -> bool:
    if load_balancer_class and load_balancer_class.startswith("networking.gke.io/"):
        return "internal" not in load_balancer_class
    return annotations.get("networking.gke.io/load-balancer-type", "").lower() != "internal"


_IS_PUBLIC: Mapping[str, Callable[[Annotations, str | None], bool]] = {
    "GKE": _google,
    "ACK": _unless(f"{BETA}/alibaba-cloud-loadbalancer-address-type", "intranet"),
    "AWS, built in": lambda annotations, _: annotations.get(f"{BETA}/aws-load-balancer-internal", "false") == "false",
    "AWS Load Balancer Controller": lambda annotations, _: (
        annotations.get(f"{BETA}/aws-load-balancer-scheme", "internal") != "internal"
    ),
    "AKS": lambda annotations, _: annotations.get(f"{BETA}/azure-load-balancer-internal", "").lower() != "true",
    "OKE": _unless(f"{BETA}/oci-load-balancer-internal", "true"),
    "OKE, network load balancers": _unless("oci-network-load-balancer.oraclecloud.com/internal", "true"),
    "IBM Cloud": _unless("service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type", "private"),
    "DigitalOcean": _unless(f"{BETA}/do-loadbalancer-network", "INTERNAL"),
    "OpenStack": _unless(f"{BETA}/openstack-internal-load-balancer", "true"),
    "Baidu Cloud": _unless(f"{BETA}/cce-load-balancer-internal-vpc", "true"),
}


def public_on(service: Mapping[str, Any]) -> set[str]:
    """Return the controllers that put the Service's load balancer on the Internet; none without a load balancer."""
    if service["spec"]["type"] != "LoadBalancer":
        return set()
    annotations = service["metadata"].get("annotations", {})
    load_balancer_class = service["spec"].get("loadBalancerClass")
    return {name for name, is_public in _IS_PUBLIC.items() if is_public(annotations, load_balancer_class)}


def says_who_may_connect(service: Mapping[str, Any]) -> bool:
    """Return whether the Service has the networks that may connect, or an access control list of Alibaba Cloud's."""
    annotations = service["metadata"].get("annotations", {})
    listed = {key: annotations.get(f"{BETA}/alibaba-cloud-loadbalancer-acl-{key}") for key in ("id", "status", "type")}
    has_list = bool(listed["id"]) and (listed["status"], listed["type"]) == ("on", "white")
    return has_list or bool(service["spec"].get("loadBalancerSourceRanges"))
