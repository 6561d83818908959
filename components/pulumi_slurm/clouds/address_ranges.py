"""Ranges of IPv4 addresses: how users state them, and gaps between those that are taken."""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network

from pulumi_slurm.errors import field_error

PRIVATE_RANGES = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
"""What RFC 1918 leaves to private networks."""
DOCKER_RANGE = IPv4Network("172.17.0.0/16")
"""Container hosts use this range for themselves, so routes to others in it would lead nowhere."""


def ipv4_range(value: str, example: str) -> str:
    """Return a range in CIDR form; raise the field's error, which shows ``example``, where it is none."""
    try:
        IPv4Network(value)
    except ValueError as error:
        try:
            meant = str(IPv4Network(value, strict=False))
        except ValueError:
            raise field_error("this is not an IPv4 range", f'Write for example "{example}".') from error
        raise field_error("this is an address within a range", f'Write "{meant}".') from error
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


def prefix_for(addresses: int) -> int:
    """Return the prefix of the smallest range with so many addresses."""
    return 32 - max(addresses - 1, 0).bit_length()


def place_for(
    preferred: IPv4Network, prefixes: Iterable[int], spaces: Collection[IPv4Network], taken: Collection[IPv4Network]
) -> IPv4Network | None:
    """Return a range of the first of ``prefixes`` for which one of ``spaces`` has room beside ``taken``, or None.

    It lies where ``preferred`` does, if that is free, else in the first gap.
    """
    for prefix in prefixes:
        there = _resized(preferred, prefix)
        for candidate in (there, *(first_gap(space, prefix, taken) for space in spaces)):
            if candidate and any(map(candidate.subnet_of, spaces)) and not any(map(candidate.overlaps, taken)):
                return candidate
    return None


def _resized(network: IPv4Network, prefix: int) -> IPv4Network:
    if prefix < network.prefixlen:
        return network.supernet(new_prefix=prefix)
    return IPv4Network((network.network_address, prefix))
