"""Load balancers of Alibaba Cloud: whom they let in, and what they need.

Source: pkg/controller/service in https://github.com/kubernetes/cloud-provider-alibaba-cloud: its CLBs, which a Service
without a class gets, read no loadBalancerSourceRanges. Its NLBs do, unless they existed before: nlbv2/loadbalancer.go
makes a security group of the ranges, and makes no NLB without zones.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import ServiceSpec, ServiceType
from pulumi_slurm.model.alibaba_annotations import ACL_ID, ACL_STATUS, ACL_TYPE, EXISTING, NLB, ZONE_MAPS, only_from

_EVERYONE = "0.0.0.0/0"


def ignored_ranges(at: Path, service: ServiceSpec) -> Iterator[FieldError]:
    """Yield an error for ranges of the Service at ``at`` that its load balancer doesn't read.

    That everyone may connect needs no reader, and an access control list has the networks once more.
    """
    if service.type is not ServiceType.LOAD_BALANCER or not service.source_ranges or _EVERYONE in service.source_ranges:
        return
    annotations = service.annotations
    is_new_nlb = service.load_balancer_class == NLB and EXISTING not in annotations
    has_access_list = bool(annotations.get(ACL_ID)) and only_from(annotations[ACL_ID]).items() <= annotations.items()
    if not is_new_nlb and not has_access_list:
        yield FieldError(
            (*at, "source_ranges"),
            service.source_ranges,
            "Alibaba Cloud's load balancers (CLB), and those that exist already, ignore it and let everyone in",
            "Make an access control list of CLB with these networks, and add "
            f'annotations: {ACL_STATUS}: "on", {ACL_TYPE}: white, and {ACL_ID} with its id; or write '
            f"loadBalancerClass: {NLB} for a new load balancer that reads it.",
            depends_on_fields=((*at, "type"), (*at, "load_balancer_class"), (*at, "annotations")),
        )


def missing_zones(at: Path, service: ServiceSpec) -> Iterator[FieldError]:
    """Yield an error for an NLB of the Service at ``at`` that has no zones."""
    if service.load_balancer_class == NLB and not {EXISTING, ZONE_MAPS} & service.annotations.keys():
        yield FieldError(
            (*at, "load_balancer_class"),
            service.load_balancer_class,
            "Alibaba Cloud makes no NLB without two zones and a vSwitch in each, and the update would wait in vain",
            f"Add the annotation {ZONE_MAPS} with vSwitches of the VPC, for example "
            '"cn-hangzhou-h:vsw-1,cn-hangzhou-i:vsw-2"; or leave the class out, for a CLB.',
            depends_on_fields=((*at, "annotations"),),
        )
