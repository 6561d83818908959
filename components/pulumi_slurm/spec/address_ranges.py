"""Ranges of IPv4 addresses: how users state them, and gaps between those that are taken."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network

from .mistakes import wrong

PRIVATE_RANGES = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
"""What RFC 1918 leaves to private networks."""
DOCKER_RANGE = IPv4Network("172.17.0.0/16")
"""Container hosts use this range for themselves, so routes to others in it would lead nowhere."""


def ipv4_range(value: str, example: str) -> str:
    """Return a range in CIDR form; raise the field's mistake, which shows ``example``, where it is none."""
    try:
        IPv4Network(value)
    except ValueError as error:
        try:
            meant = str(IPv4Network(value, strict=False))
        except ValueError:
            raise wrong("this is not an IPv4 range", f'Write for example "{example}".') from error
        raise wrong("this is an address within a range", f'Write "{meant}".') from error
    return value


def is_private(network: IPv4Network) -> bool:
    """Return whether a range lies within one of the private ones."""
    return any(network.subnet_of(space) for space in PRIVATE_RANGES)


def first_gap(space: IPv4Network, prefix: int, taken: Iterable[IPv4Network]) -> IPv4Network | None:
    """Return the first range of a prefix within ``space`` that overlaps with none of ``taken``, or None."""
    taken = list(taken)
    size = 1 << (32 - prefix)
    start = int(space.network_address)
    while start + size - 1 <= int(space.broadcast_address):
        candidate = IPv4Network((IPv4Address(start), prefix))
        ends = [int(other.broadcast_address) for other in taken if candidate.overlaps(other)]
        if not ends:
            return candidate
        start = (max(ends) // size + 1) * size
    return None
