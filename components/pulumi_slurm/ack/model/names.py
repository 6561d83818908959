"""Checks of names in Alibaba Cloud: every check returns its value, or raises a field error."""

import re

from pulumi_slurm.errors import check_each, check_each_pair, check_unique, field_error

MAX_ACK_CLUSTER_NAME = 40
"""ACK allows 63 characters, but other names start with it, and by default it is the Slurm cluster's, which has 40."""
MAX_TAGS = 20
"""How many tags a resource can have."""

_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+(-[0-9]+)?")
_ZONE = re.compile(r"[a-z]{2}(-[a-z]+)+(-[0-9]+[a-z]|-[a-z])")


def region(value: str) -> str:
    """Return the value if it is a region such as cn-hangzhou or ap-southeast-1."""
    if not _REGION.fullmatch(value):
        if _ZONE.fullmatch(value):
            raise field_error("this is a zone", f'Write its region, "{region_of(value)}", and the zone in zones.')
        raise field_error("this is not a region", 'Write for example "cn-hangzhou" or "ap-southeast-1".')
    if len(value.rpartition("-")[2]) == 1 and value[-1].isalpha():
        raise field_error("this is a zone", f'Write its region, "{region_of(value)}", and the zone in zones.')
    return value


def zone_names(value: list[str]) -> list[str]:
    """Return the values if they are zones, without duplicates."""
    check_each(value, zone_name)
    check_unique(value, "this zone is in the list twice", "Leave it out.")
    return value


def zone_name(value: str) -> str:
    """Return the value if it is a zone such as cn-hangzhou-h or ap-southeast-1a."""
    if not _ZONE.fullmatch(value):
        raise field_error("this is not a zone", 'Write for example "cn-hangzhou-h" or "ap-southeast-1a".')
    return value


def region_of(zone: str) -> str:
    """Return the region of a zone: ap-southeast-1 for ap-southeast-1a, cn-hangzhou for cn-hangzhou-h."""
    return zone[:-1].removesuffix("-")


def zone_in(region: str) -> str:
    """Return a zone of a region; its letter follows a hyphen if the region doesn't end in a number."""
    return f"{region}a" if region[-1:].isdigit() else f"{region}-a"


def tags(value: dict[str, str]) -> dict[str, str]:
    """Return the tags if all resources that get them allow them."""
    if len(value) > MAX_TAGS:
        raise field_error(f"these are {len(value)} tags, and a resource can have {MAX_TAGS}", "Leave some out.")
    return check_each_pair(value, value.items(), _tag)


def _tag(key: str, value: str) -> None:
    for text, max_length, part in ((key, 64, "key"), (value, 128, "value")):
        if text.startswith(("aliyun", "acs:")) or "http://" in text or "https://" in text:
            raise field_error(
                f'Alibaba Cloud keeps such a {part} to itself: it begins with "aliyun" or "acs:", or contains a URL',
                "Write another.",
            )
        if len(text) > max_length:
            raise field_error(f"this {part} has {len(text)} characters", f"Write {max_length} at most.")
    if not key:
        raise field_error("a tag has to have a key", "Write one, or leave it out.")
