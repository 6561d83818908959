"""Free ranges for the parts of the cluster's VPC for which users configure no range."""

from ipaddress import IPv4Network
from types import MappingProxyType

from pulumi_slurm.clouds.address_ranges import DOCKER_RANGE, PRIVATE_RANGES, find_free_range, prefix_length_for
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.address_needs import pod_addresses, private_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan

_PREFERRED = MappingProxyType(
    {
        "nodes_range": IPv4Network("10.0.0.0/18"),
        "services_range": IPv4Network("10.1.0.0/20"),
        "private_services_range": IPv4Network("10.2.0.0/16"),
        "pods_range": IPv4Network("10.64.0.0/12"),
    }
)


def place_ranges(plan: GkePlan) -> tuple[dict[str, IPv4Network], list[FieldError]]:
    """Return the VPC's ranges by field, and an error for every field without a free range that is large enough."""
    configured = {field: getattr(plan.spec.network, field) for field in _PREFERRED}
    # What exists has its ranges.
    to_place = _PREFERRED if plan.makes_network else {}
    ranges = {field: IPv4Network(cidr) for field, cidr in configured.items() if cidr}
    used = [*ranges.values(), DOCKER_RANGE]  # Cloud SQL uses Docker's range as well.
    used += [IPv4Network(plan.spec.network.control_plane_range), IPv4Network(plan.spec.network.fabric_range)]
    errors: list[FieldError] = []
    for field, preferred in to_place.items():
        if field in ranges:
            continue
        free_range = find_free_range(preferred, _prefix_lengths(plan, field, preferred), PRIVATE_RANGES, used)
        if free_range:
            ranges[field] = free_range
            used.append(free_range)
        else:
            errors.append(
                FieldError(
                    ("network", field),
                    FieldError.ABSENT,
                    "the remaining private ranges are too small for it",
                    "Make the other ranges smaller, or set this one.",
                )
            )
    return ranges, errors


def _prefix_lengths(plan: GkePlan, field: str, preferred: IPv4Network) -> list[int]:
    """Return the prefix lengths to try: the fixed one, or, if the pods need more, twice as much and just as much."""
    if field == "private_services_range":
        return [min(preferred.prefixlen, prefix_length_for(private_addresses(plan)))]
    if field != "pods_range":
        return [preferred.prefixlen]
    needed = prefix_length_for(pod_addresses(plan))
    lengths = [preferred.prefixlen] if needed >= preferred.prefixlen else [needed - 1, needed]
    return [length for length in lengths if length >= PRIVATE_RANGES[0].prefixlen]
