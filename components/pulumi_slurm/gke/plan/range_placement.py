"""Where the ranges of the cluster's VPC lie that the user doesn't state."""

from ipaddress import IPv4Network

from pulumi_slurm.clouds.address_ranges import DOCKER_RANGE, PRIVATE_RANGES, find_free_range, prefix_length_for
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.plan.address_needs import pod_addresses, private_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan

_PREFERRED = {
    "nodes_range": IPv4Network("10.0.0.0/18"),
    "services_range": IPv4Network("10.1.0.0/20"),
    "private_services_range": IPv4Network("10.2.0.0/16"),
    "pods_range": IPv4Network("10.64.0.0/12"),
}


def place(plan: GkePlan) -> tuple[dict[str, IPv4Network], list[FieldError]]:
    """Return the VPC's ranges by the names of their fields, and the errors of those for which there is no room."""
    stated = {field: getattr(plan.spec.network, field) for field in _PREFERRED}
    placed = {field: IPv4Network(value) for field, value in stated.items() if value}
    taken = [*placed.values(), DOCKER_RANGE]  # Cloud SQL uses that too.
    taken += [IPv4Network(plan.spec.network.control_plane_range), IPv4Network(plan.spec.network.fabric_range)]
    missing: list[FieldError] = []
    for field, preferred in _PREFERRED.items():
        if field in placed:
            continue
        found = find_free_range(preferred, _prefixes(plan, field, preferred), PRIVATE_RANGES, taken)
        if found:
            placed[field] = found
            taken.append(found)
        else:
            missing.append(
                FieldError(
                    ("network", field),
                    FieldError.ABSENT,
                    "the private ranges that are left are too small for it",
                    "Make the other ranges smaller, or state this one.",
                )
            )
    return placed, missing


def _prefixes(plan: GkePlan, field: str, preferred: IPv4Network) -> list[int]:
    """Return the prefixes to try: the fixed size, or for pods what they need and as much again, or just that."""
    if field == "private_services_range":
        return [min(preferred.prefixlen, prefix_length_for(private_addresses(plan)))]
    if field != "pods_range":
        return [preferred.prefixlen]
    needed = prefix_length_for(pod_addresses(plan))
    wanted = [preferred.prefixlen] if needed >= preferred.prefixlen else [needed - 1, needed]
    return [prefix for prefix in wanted if prefix >= PRIVATE_RANGES[0].prefixlen]
