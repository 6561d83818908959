"""IPv4 address ranges: validation of the user's ranges, and a search for free ones."""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network

from pulumi_slurm.errors import field_error

PRIVATE_RANGES = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
"""The private ranges of RFC 1918."""
DOCKER_RANGE = IPv4Network("172.17.0.0/16")
"""Docker's default bridge uses this range on every host, so other addresses in it would be unreachable."""


def ipv4_range(value: str, example: str) -> str:
    """Return the value if it is a range in CIDR notation; otherwise raise a field error that shows ``example``."""
    try:
        enclosing = str(IPv4Network(value, strict=False))
    except ValueError as error:
        raise field_error("this is not an IPv4 range", f'Write for example "{example}".') from error
    # Python also takes a mask such as 255.0.0.0, and an address alone.
    if "/" not in value or not value.rpartition("/")[2].isdecimal():
        raise field_error("this is not in CIDR form", f'Write "{enclosing}".')
    try:
        IPv4Network(value)
    except ValueError as error:
        raise field_error("this is an address within a range", f'Write "{enclosing}".') from error
    return value


def is_private(network: IPv4Network) -> bool:
    """Return whether a range lies within one of the private ranges."""
    return any(network.subnet_of(block) for block in PRIVATE_RANGES)


def first_free_range(block: IPv4Network, prefix: int, used_ranges: Iterable[IPv4Network]) -> IPv4Network | None:
    """Return the first range with this prefix length in ``block`` that overlaps none of ``used_ranges``, or None."""
    used_ranges = list(used_ranges)
    size = 1 << (32 - prefix)
    start = int(block.network_address)
    while start + size - 1 <= int(block.broadcast_address):
        candidate = IPv4Network((IPv4Address(start), prefix))
        last_addresses = [int(used.broadcast_address) for used in used_ranges if candidate.overlaps(used)]
        if not last_addresses:
            return candidate
        start = (max(last_addresses) // size + 1) * size
    return None


def prefix_length_for(addresses: int) -> int:
    """Return the prefix length of the smallest range with at least this many addresses."""
    return 32 - max(addresses - 1, 0).bit_length()


def find_free_range(
    preferred: IPv4Network,
    prefixes: Iterable[int],
    blocks: Collection[IPv4Network],
    used_ranges: Collection[IPv4Network],
) -> IPv4Network | None:
    """Return a free range with the first of ``prefixes`` for which one of ``blocks`` has room, or None.

    It overlaps none of ``used_ranges``. It starts where ``preferred`` does if that is free, otherwise in the first gap.
    """
    for prefix in prefixes:
        at_preferred = _resized(preferred, prefix)
        for candidate in (at_preferred, *(first_free_range(block, prefix, used_ranges) for block in blocks)):
            if candidate and any(map(candidate.subnet_of, blocks)) and not any(map(candidate.overlaps, used_ranges)):
                return candidate
    return None


def _resized(network: IPv4Network, prefix: int) -> IPv4Network:
    if prefix < network.prefixlen:
        return network.supernet(new_prefix=prefix)
    return IPv4Network((network.network_address, prefix))
