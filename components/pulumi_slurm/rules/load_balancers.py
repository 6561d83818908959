"""Rules on load balancers of Services: that none of them lets everyone in unless somebody has written so."""

import ipaddress
from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, FreeKey, Path
from pulumi_slurm.model.load_balancers import CLOUD_LOAD_BALANCERS
from pulumi_slurm.model.pod import ServiceSpec, ServiceType
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.access import services_of
from pulumi_slurm.rules.run import Rule, warns


def open_load_balancers_say_who_may_connect(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse load balancers on the Internet without the networks that may connect."""
    for at, service in services_of(spec):
        if service.type is ServiceType.LOAD_BALANCER and not service.internal and not service.source_ranges:
            yield FieldError(
                (*at, "internal"),
                False,
                "the load balancer is on the Internet and lets everyone in",
                'Add sourceRanges with the networks that may connect, for example ["192.0.2.0/24"]; ["0.0.0.0/0"] is '
                "the whole Internet.",
                depends_on_fields=((*at, "type"), (*at, "source_ranges")),
            )


@warns
def load_balancers_are_not_for_everyone(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of load balancers that somebody has opened to the whole Internet."""
    for at, service in services_of(spec):
        for index, network in enumerate(_ranges_of(service)):
            if not service.internal and network.prefixlen == 0:
                problem = "the load balancer is on the Internet and lets everyone in"
                fix = "Write the networks that may connect, or leave it if that is what you want."
                yield FieldError(
                    (*at, "source_ranges", index), str(network), problem, fix, depends_on_fields=((*at, "internal"),)
                )


@warns
def source_ranges_hold_ipv4(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of IPv6 networks alone: they say nothing of IPv4, by which Services are reached unless Kubernetes has none.

    kube-proxy takes those of the Service's family, and without any lets everyone in: `newBaseServiceInfo` in
    pkg/proxy/serviceport.go of https://github.com/kubernetes/kubernetes. Google's load balancers do likewise:
    `IPv4ServiceSourceRanges` in pkg/utils of https://github.com/kubernetes/ingress-gce.
    """
    for at, service in services_of(spec):
        ranges = _ranges_of(service)
        if ranges and all(network.version == 6 for network in ranges):
            yield FieldError(
                (*at, "source_ranges"),
                service.source_ranges,
                "these are IPv6 networks alone, and a Service with an IPv4 address lets everyone in by that",
                "Add the IPv4 networks that may connect, unless the Kubernetes cluster has IPv6 alone.",
            )


def _ranges_of(service: ServiceSpec) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    if service.type is not ServiceType.LOAD_BALANCER:
        return []
    return [ipaddress.ip_network(text) for text in service.source_ranges]


def load_balancers_are_in_one_place(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse annotations and classes by which a load balancer is elsewhere than `internal` says."""
    for at, service in services_of(spec):
        yield from contradictions(at, service)


def contradictions(at: Path, service: ServiceSpec, guard: str = "sourceRanges") -> Iterator[FieldError]:
    """Yield an error for each annotation, and for a class, that contradicts `internal` of the Service at ``at``.

    ``guard`` is the field that says who may connect to an open load balancer.
    """
    if service.type is not ServiceType.LOAD_BALANCER:
        return
    if service.internal:
        problem = "this would put the load balancer on the Internet in {}, and internal, true by default, keeps it off"
        fix = f"Leave this out, or write internal: false and {guard}."
    else:
        problem = "this would keep the load balancer off the Internet in {}, and internal: false puts it there"
        fix = "Leave this out, or leave internal out."
    depends_on: tuple[Path, ...] = ((*at, "type"), (*at, "internal"))
    for cloud in CLOUD_LOAD_BALANCERS:
        for key, value in cloud.internal.items():
            annotation = service.annotations.get(key)
            if annotation is not None and (annotation.lower() == value.lower()) is not service.internal:
                path = (*at, "annotations", FreeKey(key))
                yield FieldError(path, annotation, problem.format(cloud.cloud), fix, depends_on)
        wanted = service.load_balancer_class
        if wanted and cloud.classes.get(wanted, service.internal) is not service.internal:
            yield FieldError((*at, "load_balancer_class"), wanted, problem.format(cloud.cloud), fix, depends_on)


RULES: tuple[Rule, ...] = (
    open_load_balancers_say_who_may_connect,
    load_balancers_are_in_one_place,
    load_balancers_are_not_for_everyone,
    source_ranges_hold_ipv4,
)
