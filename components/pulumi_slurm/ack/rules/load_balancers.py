"""Load balancers of Services: whom they let in.

Source: pkg/controller/service in https://github.com/kubernetes/cloud-provider-alibaba-cloud: its CLBs, which a Service
without a class gets, read no loadBalancerSourceRanges. Its NLBs do, unless they existed before: nlbv2/loadbalancer.go
makes a security group of the ranges.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.load_balancers import ACL_ID, ACL_STATUS, ACL_TYPE, EXISTING, NLB
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import ServiceSpec, ServiceType
from pulumi_slurm.model.slurm import SlurmSpec


def source_ranges_have_an_effect(_: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse ranges of a load balancer, which would let everyone in."""
    services: list[tuple[Path, ServiceSpec]] = [(("rest_api", "service"), slurm.rest_api.service)]
    services += [(("login_sets", index, "service"), item.service) for index, item in enumerate(slurm.login_sets)]
    for at, service in services:
        if service.source_ranges and service.type is ServiceType.LOAD_BALANCER and not _is_new_nlb(service):
            yield FieldError(
                (*at, "source_ranges"),
                service.source_ranges,
                "Alibaba Cloud's load balancers (CLB), and those that exist already, ignore it and let everyone in",
                f"Write loadBalancerClass: {NLB} for a new load balancer that reads it; or leave it out, and add "
                f'annotations: {ACL_STATUS}: "on", {ACL_TYPE}: white, and {ACL_ID} with the id of an access control '
                "list of CLB.",
                depends_on_fields=((*at, "type"), (*at, "load_balancer_class"), (*at, "annotations")),
            )


def _is_new_nlb(service: ServiceSpec) -> bool:
    return service.load_balancer_class == NLB and EXISTING not in service.annotations
