"""Where the ranges of the cluster's VPC lie that the user doesn't state."""

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from ...spec.address_ranges import DOCKER_RANGE, PRIVATE_RANGES, first_gap, is_private
from ...spec.mistakes import Mistake
from .address_needs import pod_addresses, private_addresses

if TYPE_CHECKING:
    from .cluster import GkeSpec

_PREFERRED = {
    "nodes_range": IPv4Network("10.0.0.0/18"),
    "services_range": IPv4Network("10.1.0.0/20"),
    "private_services_range": IPv4Network("10.2.0.0/16"),
    "pods_range": IPv4Network("10.64.0.0/12"),
}


def place(spec: "GkeSpec") -> tuple[dict[str, IPv4Network], list[Mistake]]:
    """Return the VPC's ranges by the names of their fields, and the mistakes of those for which there is no room."""
    stated = {field: getattr(spec.network, field) for field in _PREFERRED}
    placed = {field: IPv4Network(value) for field, value in stated.items() if value}
    taken = [*placed.values(), DOCKER_RANGE]  # Cloud SQL uses that too.
    taken += [IPv4Network(spec.network.control_plane_range), IPv4Network(spec.network.fabric_range)]
    missing: list[Mistake] = []
    for field, preferred in _PREFERRED.items():
        if field in placed:
            continue
        found = _room(preferred, _prefixes(spec, field, preferred), taken)
        if found:
            placed[field] = found
            taken.append(found)
        else:
            missing.append(
                Mistake(
                    ("network", field),
                    Mistake.ABSENT,
                    "the private ranges that are left are too small for it",
                    "Make the other ranges smaller, or state this one.",
                )
            )
    return placed, missing


def _prefixes(spec: "GkeSpec", field: str, preferred: IPv4Network) -> list[int]:
    """Return the prefixes to try: the fixed size, or for pods what they need and as much again, or just that."""
    if field == "private_services_range":
        return [min(preferred.prefixlen, _prefix(private_addresses(spec)))]
    if field != "pods_range":
        return [preferred.prefixlen]
    needed = _prefix(pod_addresses(spec))
    wanted = [preferred.prefixlen] if needed >= preferred.prefixlen else [needed - 1, needed]
    return [prefix for prefix in wanted if prefix >= PRIVATE_RANGES[0].prefixlen]


def _prefix(addresses: int) -> int:
    return 32 - max(addresses - 1, 0).bit_length()


def _room(preferred: IPv4Network, prefixes: list[int], taken: list[IPv4Network]) -> IPv4Network | None:
    for prefix in prefixes:
        there = preferred.supernet(new_prefix=prefix) if prefix < preferred.prefixlen else preferred
        for candidate in (there, *(first_gap(space, prefix, taken) for space in PRIVATE_RANGES)):
            if candidate and is_private(candidate) and not any(map(candidate.overlaps, taken)):
                return candidate
    return None
