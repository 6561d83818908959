"""Names, labels and images, as the API server checks them; each function returns its value or raises its error."""

import ipaddress
import re
from typing import TypeVar

from pulumi_slurm.errors import check_each, check_each_pair, field_error

_SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_DATA_KEY = re.compile(r"[A-Za-z0-9._-]{1,253}")
_LABEL_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")
_ENV = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

S = TypeVar("S", str, str | None)


def object_name(value: S) -> S:
    """Return the name of an object."""
    if value is not None and (not _SUBDOMAIN.fullmatch(value) or len(value) > 253):
        raise field_error(
            "no object in Kubernetes has a name like this", 'Use lower-case letters, digits, "-" and ".".'
        )
    return value


def data_key(value: str) -> str:
    """Return a key of a Secret or a ConfigMap."""
    if not _DATA_KEY.fullmatch(value):
        raise field_error("no Secret or ConfigMap has a key like this", 'Use letters, digits, "_", "-" and ".".')
    return value


def object_names(value: list[str]) -> list[str]:
    """Return names of objects."""
    return check_each(value, object_name)


def labels(value: dict[str, str]) -> dict[str, str]:
    """Return labels, or a selector of labels."""
    return check_each_pair(value, value.items(), _label)


def annotations(value: dict[str, str]) -> dict[str, str]:
    """Return annotations."""
    return check_each_pair(value, value.items(), lambda key, _: label_key(key))


def environment(value: dict[str, str]) -> dict[str, str]:
    """Return environment variables."""
    return check_each_pair(value, value.items(), lambda key, _: _variable(key))


def networks(value: list[str]) -> list[str]:
    """Return networks in CIDR form."""
    return check_each(value, _network)


def image(value: S) -> S:
    """Return an image's name."""
    if value is not None and (not value or "://" in value or any(mark.isspace() for mark in value)):
        raise field_error(
            "no image has a name like this",
            'Write registry/path:tag, for example "ghcr.io/slinkyproject/slurmd:25.11".',
        )
    return value


def label_key(key: str | None) -> str | None:
    """Return the key of a label, an annotation or a taint."""
    if key is None:
        return key
    prefix, slash, name = key.rpartition("/")
    if not _LABEL_NAME.fullmatch(name) or (slash and (not _SUBDOMAIN.fullmatch(prefix) or len(prefix) > 253)):
        raise field_error(
            "Kubernetes would refuse this key", 'Write a word, or a domain and a word, such as "example.org/kind".'
        )
    return key


def label_value(value: str | None) -> str | None:
    """Return the value of a label or a taint."""
    if value is not None and not _LABEL_VALUE.fullmatch(value):
        raise field_error("Kubernetes would refuse this value", 'Use up to 63 letters, digits, "_", "-" and ".".')
    return value


def _label(key: str, value: str) -> None:
    label_key(key)
    label_value(value)


def _variable(key: str) -> None:
    if not _ENV.fullmatch(key):
        raise field_error("this is not the name of an environment variable", 'Use letters, digits and "_".')


def _network(text: str) -> None:
    try:
        if "/" not in text:
            raise ValueError
        ipaddress.ip_network(text)
    except ValueError:
        raise field_error("this is not a network in CIDR form", 'Write for example "192.0.2.0/24".') from None
