"""Names as Alibaba Cloud checks them; each function that checks one returns its value or raises its error."""

import re

from pulumi_slurm.errors import check_each, check_each_pair, check_unique, field_error

LONGEST_CLUSTER_NAME = 40
"""ACK takes 63, but names of other resources begin with it, and it is the Slurm cluster's by default, which has 40."""
MOST_TAGS = 20
"""How many tags a resource can have."""

_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+(-[0-9]+)?")
_ZONE = re.compile(r"[a-z]{2}(-[a-z]+)+(-[0-9]+[a-z]|-[a-z])")


def region(value: str) -> str:
    """Return a region such as cn-hangzhou or ap-southeast-1."""
    if not _REGION.fullmatch(value):
        if _ZONE.fullmatch(value):
            raise field_error("this is a zone", f'Write its region, "{region_of(value)}", and the zone in zones.')
        raise field_error("this is not a region", 'Write for example "cn-hangzhou" or "ap-southeast-1".')
    if len(value.rpartition("-")[2]) == 1 and value[-1].isalpha():
        raise field_error("this is a zone", f'Write its region, "{region_of(value)}", and the zone in zones.')
    return value


def zone_names(value: list[str]) -> list[str]:
    """Return zones such as cn-hangzhou-h or ap-southeast-1a, each once."""
    check_each(value, zone_name)
    check_unique(value, "this zone is named before", "Leave it out.")
    return value


def zone_name(value: str) -> str:
    """Return a zone such as cn-hangzhou-h or ap-southeast-1a."""
    if not _ZONE.fullmatch(value):
        raise field_error("this is not a zone", 'Write for example "cn-hangzhou-h" or "ap-southeast-1a".')
    return value


def region_of(zone: str) -> str:
    """Return the region that a zone lies in: of "ap-southeast-1a" what is before the letter, of "cn-hangzhou-h" also
    without the hyphen."""
    return zone[:-1].removesuffix("-")


def zone_in(region: str) -> str:
    """Return what a zone of a region may be called: a hyphen is before its letter where the region has no number."""
    return f"{region}a" if region[-1:].isdigit() else f"{region}-a"


def tags(value: dict[str, str]) -> dict[str, str]:
    """Return tags of Alibaba Cloud's resources; the limits are the narrowest among those of what is made."""
    if len(value) > MOST_TAGS:
        raise field_error(f"these are {len(value)} tags, and a resource can have {MOST_TAGS}", "Leave some out.")
    return check_each_pair(value, value.items(), _tag)


def _tag(key: str, value: str) -> None:
    for text, longest, what in ((key, 64, "key"), (value, 128, "value")):
        if text.startswith(("aliyun", "acs:")) or "http://" in text or "https://" in text:
            raise field_error(
                f'Alibaba Cloud keeps such a {what} to itself: it begins with "aliyun" or "acs:", or holds a URL',
                "Write another.",
            )
        if len(text) > longest:
            raise field_error(f"this {what} has {len(text)} characters", f"Write {longest} at most.")
    if not key:
        raise field_error("a tag has to have a key", "Write one, or leave it out.")
