"""How each cloud is asked to keep the load balancer of a Service off the Internet.

Most clouds put it there otherwise. Their controllers ignore the annotations of other clouds, so a Service with all of
these is internal on each, wherever the cluster is.

Source, where no other is named: "Internal load balancer" in
https://kubernetes.io/docs/concepts/services-networking/service/. Tencent Cloud is there as well, and not here: its
annotation needs the id of a subnet.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

_AWS = "service.beta.kubernetes.io/aws-load-balancer"
_ALIBABA = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer"


@dataclass(frozen=True)
class CloudLoadBalancers:
    """What the load balancers of a cloud go by."""

    cloud: str
    """The cloud's usual name."""
    internal: Mapping[str, str]
    """Annotations that ask for an internal load balancer."""
    public: Mapping[str, str] = field(default_factory=dict)
    """Annotations that ask for one on the Internet, where one without annotations may be internal."""
    existing: frozenset[str] = frozenset()
    """Annotations with the id of a load balancer that exists already, and that stays where it is."""
    classes: Mapping[str, bool] = field(default_factory=dict)
    """By class of load balancers that the annotations don't move: whether they are internal."""


CLOUD_LOAD_BALANCERS = (
    CloudLoadBalancers(
        "Google Cloud",
        internal={"networking.gke.io/load-balancer-type": "Internal"},
        # WantsL4ILB in pkg/annotations/service.go of https://github.com/kubernetes/ingress-gce: with a class, only that
        # counts. The legacy ones are in pkg/controller/service of https://github.com/kubernetes/cloud-provider-gcp.
        classes={
            "networking.gke.io/l4-regional-internal": True,
            "networking.gke.io/l4-regional-internal-legacy": True,
            "networking.gke.io/l4-regional-external": False,
            "networking.gke.io/l4-regional-external-legacy": False,
        },
    ),
    CloudLoadBalancers(
        "Alibaba Cloud",
        internal={f"{_ALIBABA}-address-type": "intranet"},
        # docs/usage.md in https://github.com/kubernetes/cloud-provider-alibaba-cloud. "alicloud" is the older name of
        # the annotation. If a load balancer that exists already is elsewhere than the annotation says, the Service
        # fails: "can not change LoadBalancer AddressType", pkg/controller/service there.
        existing=frozenset({f"{_ALIBABA}-id", "service.beta.kubernetes.io/alicloud-loadbalancer-id"}),
    ),
    CloudLoadBalancers(
        "AWS",
        # https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/annotations/: the AWS Load
        # Balancer Controller reads the scheme, which is internal without it; what is built into Kubernetes and GKE on
        # AWS read the older annotation.
        internal={f"{_AWS}-scheme": "internal", f"{_AWS}-internal": "true"},
        public={f"{_AWS}-scheme": "internet-facing"},
    ),
    CloudLoadBalancers("Azure", internal={"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}),
    CloudLoadBalancers(
        "Oracle Cloud",
        internal={
            "service.beta.kubernetes.io/oci-load-balancer-internal": "true",
            # Of its network load balancers:
            # https://docs.oracle.com/iaas/Content/ContEng/Tasks/contengconfiguringloadbalancersnetworkloadbalancers-subtopic.htm
            "oci-network-load-balancer.oraclecloud.com/internal": "true",
        },
    ),
    CloudLoadBalancers(
        "IBM Cloud", internal={"service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type": "private"}
    ),
    CloudLoadBalancers(
        "DigitalOcean",
        # https://docs.digitalocean.com/products/kubernetes/how-to/configure-load-balancers/
        internal={"service.beta.kubernetes.io/do-loadbalancer-network": "INTERNAL"},
    ),
    CloudLoadBalancers("OpenStack", internal={"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"}),
    CloudLoadBalancers("Baidu Cloud", internal={"service.beta.kubernetes.io/cce-load-balancer-internal-vpc": "true"}),
)


def annotations_of_load_balancer(annotations: Mapping[str, str], *, internal: bool) -> dict[str, str]:
    """Return the annotations of a Service with a load balancer: those given, and those that say where it is.

    Of these a user may have written "True", which not every cloud takes for "true". A load balancer that exists already
    isn't told where it should be.
    """
    added: dict[str, str] = {}
    for cloud in CLOUD_LOAD_BALANCERS:
        if not cloud.existing & annotations.keys():
            added |= cloud.internal if internal else cloud.public
    return {**annotations, **added}
