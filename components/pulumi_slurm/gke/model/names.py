"""Names as Google checks them; every function that checks a name returns it or raises its error."""

import re

from pulumi_slurm.errors import check_each, check_each_pair, check_unique, field_error

MAX_CLUSTER_NAME_LENGTH = 20
"""GKE accepts 40 characters, but the name is a prefix of those of service accounts (30) and of other resources."""

_PROJECT = re.compile(r"([a-z][a-z0-9.-]{0,62}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]")
_REGION = re.compile(r"[a-z]+(-[a-z]+)+[0-9]+")
_AI = r"(ai[0-9]+)"
_ZONE = re.compile(rf"[a-z]+(-[a-z]+)+[0-9]+-{_AI}?[a-z]")
"""AI zones, such as us-central1-ai1a, match as well."""
_KMS_KEY = re.compile(r"projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+")
RESOURCE = r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?"
"""The pattern of the names of resources of Compute Engine."""
_LABEL_KEY = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_LABEL_VALUE = re.compile(r"[a-z0-9_-]{0,63}")
_GOOGLES_LABEL = re.compile(r"goog(le)?[-_](?!partner-solution\Z)")
"""All but the one by which partners of Google's have customers mark what they use, as GitLab does:
https://docs.gitlab.com/install/google_cloud_platform/."""
MAX_LABELS = 63
"""Google takes 64 for a resource, https://cloud.google.com/resource-manager/docs/labels-overview#requirements, and its
provider adds goog-pulumi-provisioned: https://www.pulumi.com/registry/packages/gcp/installation-configuration/."""


def project_id(value: str) -> str:
    """Return the id of a project, which is neither its name nor its number."""
    if not _PROJECT.fullmatch(value):
        raise field_error(
            "this is not the id of a project",
            "Write what `gcloud projects list` shows as PROJECT_ID: 6 to 30 lower-case letters, digits and hyphens.",
        )
    return value


def region(value: str) -> str:
    """Return a region such as us-central1."""
    if _ZONE.fullmatch(value):
        raise field_error("this is a zone", f'Write its region, "{value.rpartition("-")[0]}", and the zone in zones.')
    if not _REGION.fullmatch(value):
        raise field_error("this is not a region", 'Write for example "us-central1".')
    return value


def zone_names(value: list[str]) -> list[str]:
    """Return zones such as us-central1-b, without duplicates."""
    check_each(value, zone_name)
    check_unique(value, "this zone is named before", "Leave it out.")
    return value


def zone_name(value: str) -> str:
    """Return a zone such as us-central1-b."""
    if not _ZONE.fullmatch(value):
        raise field_error("this is not a zone", 'Write for example "us-central1-b".')
    return value


def is_region(value: str) -> bool:
    """Return whether this is a region rather than a zone."""
    return _REGION.fullmatch(value) is not None


def region_of(zone: str) -> str:
    """Return the region of a zone."""
    return zone.rpartition("-")[0]


def is_ai_zone(zone: str) -> bool:
    """Return whether this is an AI zone, such as us-central1-ai1a."""
    return parent_zone(zone) != zone


def parent_zone(zone: str) -> str:
    """Return the standard zone that an AI zone belongs to, us-central1-a, or a standard zone itself."""
    return re.sub(rf"-{_AI}([a-z])\Z", r"-\2", zone)


def kms_key(value: str) -> str:
    """Return the full name of a key of Cloud KMS."""
    if not _KMS_KEY.fullmatch(value):
        raise field_error("this is not the full name of a key", "Write projects/P/locations/R/keyRings/K/cryptoKeys/C.")
    return value


def region_or_zone(value: str) -> str:
    """Return the location of a cluster: a region, or a zone if its control plane runs in a single zone."""
    return value if _ZONE.fullmatch(value) else region(value)


def region_of_location(location: str) -> str:
    """Return the region of a location, which is a region itself or a zone."""
    return location if is_region(location) else region_of(location)


def network_tag_names(value: list[str]) -> list[str]:
    """Return network tags: https://cloud.google.com/vpc/docs/add-remove-network-tags#restrictions."""
    return check_each(value, _network_tag)


def _network_tag(tag: str) -> None:
    if not re.fullmatch(RESOURCE, tag):
        raise field_error(
            "Google takes no such tag", "Write up to 63 lower-case letters, digits and -, a letter first and no - last."
        )


def resource_labels(value: dict[str, str]) -> dict[str, str]:
    """Return labels of Google's resources, which have other rules than those of Kubernetes."""
    check_each_pair(value, value.items(), _label)
    if len(value) > MAX_LABELS:
        raise field_error(
            f"these are {len(value)} labels, and Google takes 64 with the one that its provider for Pulumi adds",
            f"Keep {MAX_LABELS} of them.",
        )
    return value


def _label(key: str, value: str) -> None:
    if _GOOGLES_LABEL.match(key):
        raise field_error("labels that begin so are Google's own", "Write another name, or leave it out.")
    if not _LABEL_KEY.fullmatch(key):
        raise field_error(
            "Google takes no such label", "Write up to 63 lower-case letters, digits, _ and -, a letter first."
        )
    if not _LABEL_VALUE.fullmatch(value):
        raise field_error("Google takes no such value", "Write up to 63 lower-case letters, digits, _ and -.")
