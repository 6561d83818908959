"""References to existing objects in the cluster's namespace."""

import ipaddress
import re

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model

_LABEL = r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?"
_HOST_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?", re.ASCII)


def host(text: str) -> str:
    """Return a host name or an address of IPv4 or IPv6; raise an error for anything else, such as one with a port."""
    try:
        # A zone, which may be any text, is of one machine only.
        ipaddress.ip_address(text if "%" not in text else "")
    except ValueError:
        if not _HOST_NAME.fullmatch(text):
            problem = "this is neither a host name nor an address"
            fix = 'Write it without scheme, port and path, for example "host.example.org".'
            raise field_error(problem, fix) from None
    return text


def reachable_host(text: str) -> str:
    """Return a host name or address; raise an error for one that means the pod itself."""
    host(text)
    if _OF_THE_POD.fullmatch(text) or _is_an_address_of_the_pod(text):
        raise field_error("in a pod this is the pod itself", "Write a name or address that pods can reach.")
    return text


def _is_an_address_of_the_pod(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any(one.is_loopback or one.is_unspecified for one in (address, inner) if one)


_OF_THE_POD = re.compile(r"(ip6-)?localhost[46]?(\.localdomain[46]?)?\.?|127\.[0-9.]+|::1|0\.0\.0\.0", re.IGNORECASE)


class SecretKeyRef(Model):
    """One key of a Secret in the namespace of the Slurm cluster."""

    name: str
    """The Secret's name."""
    key: str
    """The key within the Secret."""

    _name = field_validator("name")(kubernetes_names.object_name)
    _key = field_validator("key")(kubernetes_names.data_key)


class EndpointSpec(Model):
    """A daemon that runs outside the cluster."""

    host: str
    """Host name or address; pods have to be able to reach it."""
    port: int = Field(ge=1, le=65535)
    """The TCP port."""

    _host = field_validator("host")(reachable_host)
