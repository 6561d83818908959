"""Validators of names, labels and images, as the API server checks them; each returns its value or raises an error."""

import ipaddress
import re
from typing import TypeVar

from pulumi_slurm.errors import check_each, check_each_pair, field_error

_SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_DATA_KEY = re.compile(r"[A-Za-z0-9._-]{1,253}")
_LABEL_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")
_IMAGE = re.compile(
    # A domain has a dot, a port, an upper-case letter or is localhost; else it is the first part of the path.
    r"((?=[^/]*[.:A-Z]|localhost/)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]+)?/)?"
    r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*"
    r"(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64}|@sha512:[0-9a-f]{128})?",
    re.ASCII,
)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

S = TypeVar("S", str, str | None)


def object_name(value: S) -> S:
    """Validate the name of an object."""
    if value is not None and (not _SUBDOMAIN.fullmatch(value) or len(value) > 253):
        raise field_error(
            "no object in Kubernetes has a name like this", 'Use lower-case letters, digits, "-" and ".".'
        )
    return value


def data_key(value: str) -> str:
    """Validate a key of a Secret or a ConfigMap."""
    if not _DATA_KEY.fullmatch(value):
        raise field_error("no Secret or ConfigMap has a key like this", 'Use letters, digits, "_", "-" and ".".')
    return value


def object_names(value: list[str]) -> list[str]:
    """Validate the names of objects."""
    return check_each(value, object_name)


def labels(value: dict[str, str]) -> dict[str, str]:
    """Validate labels, or a label selector."""
    return check_each_pair(value, value.items(), _check_label)


def annotations(value: dict[str, str]) -> dict[str, str]:
    """Validate annotations."""
    return check_each_pair(value, value.items(), lambda key, _: label_key(key))


def environment(value: dict[str, str]) -> dict[str, str]:
    """Validate environment variables."""
    return check_each_pair(value, value.items(), lambda key, _: _check_variable_name(key))


def networks(value: list[str]) -> list[str]:
    """Validate networks in CIDR notation."""
    return check_each(value, network)


def image(value: S) -> S:
    """Validate the name of an image: the grammar of https://github.com/distribution/reference."""
    if value is not None and not _IMAGE.fullmatch(value):
        raise field_error(
            "no image has a name like this",
            'Write registry/path:tag, for example "ghcr.io/slinkyproject/slurmd:25.11".',
        )
    return value


def label_key(key: str | None) -> str | None:
    """Validate the key of a label, an annotation or a taint."""
    if key is None:
        return key
    prefix, slash, name = key.rpartition("/")
    if not _LABEL_NAME.fullmatch(name) or (slash and (not _SUBDOMAIN.fullmatch(prefix) or len(prefix) > 253)):
        raise field_error(
            "Kubernetes would refuse this key", 'Write a word, or a domain and a word, such as "example.org/kind".'
        )
    return key


def label_value(value: str | None) -> str | None:
    """Validate the value of a label or a taint."""
    if value is not None and not _LABEL_VALUE.fullmatch(value):
        raise field_error("Kubernetes would refuse this value", 'Use up to 63 letters, digits, "_", "-" and ".".')
    return value


def _check_label(key: str, value: str) -> None:
    label_key(key)
    label_value(value)


def _check_variable_name(key: str) -> None:
    if not _ENV_NAME.fullmatch(key):
        raise field_error("this is not the name of an environment variable", 'Use letters, digits and "_".')


def network(text: str) -> str:
    """Validate a network in CIDR notation; the length is a number, where Python also takes a mask such as 255.0.0.0."""
    try:
        if not re.fullmatch(r".+/[0-9]{1,3}", text, re.ASCII):
            raise ValueError
        ipaddress.ip_network(text)
    except ValueError:
        raise field_error("this is not a network in CIDR form", 'Write for example "192.0.2.0/24".') from None
    return text
