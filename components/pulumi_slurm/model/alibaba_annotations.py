"""Annotations that ACK reads: of Services for their load balancers, and of pods that keep their node.

Where load balancers are, `pulumi_slurm.model.load_balancers` says. Source: docs/usage.md in
https://github.com/kubernetes/cloud-provider-alibaba-cloud.
"""

from types import MappingProxyType

_PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-"

NLB = "alibabacloud.com/nlb"
"""The class of Services whose load balancer is an NLB; by default it is a CLB."""

EXISTING = f"{_PREFIX}id"
"""The id of a load balancer that exists already."""
ZONE_MAPS = f"{_PREFIX}zone-maps"
"""The zones of an NLB, two at least, each with a vSwitch."""
ACL_ID = f"{_PREFIX}acl-id"
"""The id of an access control list."""
ACL_STATUS = f"{_PREFIX}acl-status"
"""Whether the access control list is used: "on" or "off"."""
ACL_TYPE = f"{_PREFIX}acl-type"
"""Whether the list names networks that may connect, "white", or those that may not, "black"."""

KEEP_ON_NODE = MappingProxyType({"goatscaler.io/safe-to-evict": "false"})
"""An annotation for node instant scaling, which would otherwise scale in a node that is less than half requested
(https://help.aliyun.com/en/ack/ack-managed-and-ack-dedicated/user-guide/faq-about-node-instant-scaling), and a label
for automatic repair, which drains no such pod
(https://help.aliyun.com/zh/ack/ack-managed-and-ack-dedicated/user-guide/node-pool-overview)."""


def only_from(acl: str) -> dict[str, str]:
    """Return the annotations by which only the networks of an access control list may connect."""
    return {ACL_ID: acl, ACL_STATUS: "on", ACL_TYPE: "white"}
