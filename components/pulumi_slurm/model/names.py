"""Names: those that Kubernetes and Slurm accept, and the names of objects, derived from names in a specification."""

import re
from collections.abc import Callable

from pulumi_slurm.errors import check_each, field_error

_DNS_LABEL = re.compile(r"[a-z]([a-z0-9-]*[a-z0-9])?")
_SLURM_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

MAX_CLUSTER_NAME = 40
"""The limit of slurmdbd on ClusterName, and of the operator's webhook on the name of a Controller."""

MAX_PART_NAME = 40
"""The most characters of the name of a node set, a login set, a token or a volume: with the cluster's name and what is
derived from both it makes the names of objects."""

MAX_LABEL = 63
"""The longest DNS label: a pod's host name, a Service, the value of a label."""


def dns_label(value: str, longest: int = MAX_LABEL) -> str:
    """Return the value if it is a DNS label that starts with a letter; otherwise raise a field error."""
    if not _DNS_LABEL.fullmatch(value):
        raise field_error(
            "Kubernetes would refuse this name",
            f'Use lower-case letters, digits and "-", starting with a letter, for example "{_suggest(value)}".',
        )
    if len(value) > longest:
        raise field_error(f"this name has {len(value)} characters", f"Use {longest} at most.")
    return value


def dns_label_of(longest: int) -> Callable[[str], str]:
    """Return the validator of a DNS label with at most this many characters."""
    return lambda value: dns_label(value, longest)


def slurm_name(value: str) -> str:
    """Return the value if slurm.conf can hold it as a name: one word without comma, equals sign, quotes or brackets."""
    if not _SLURM_NAME.fullmatch(value):
        raise field_error(
            "Slurm would not read this name as one word",
            f'Use letters, digits, "_", "-" and ".", for example "{_suggest(value)}".',
        )
    return value


def user_name(value: str) -> str:
    """Return the value if it is a user's name, which may have a domain, as in "alice@example.org"."""
    name, at, domain = value.partition("@")
    if at and not _SLURM_NAME.fullmatch(domain):
        raise field_error("this is not the name of a user", 'Write for example "alice" or "alice@example.org".')
    return slurm_name(name) + at + domain


def slurm_names(value: list[str]) -> list[str]:
    """Return the values if slurm.conf can hold each of them as a name."""
    return check_each(value, slurm_name)


def is_cluster_name(value: str) -> bool:
    """Return whether slurm-operator and slurmdbd take a name as ClusterName."""
    return bool(_SLURM_NAME.fullmatch(value)) and len(value) <= MAX_CLUSTER_NAME


def slurm_cluster_name(value: str) -> str:
    """Return the value if it can be ClusterName; Slurm itself and its database turn it into lower case."""
    if not _SLURM_NAME.fullmatch(value):
        raise field_error(
            "this can't be the name of a cluster in slurm.conf and in the names of database tables",
            f'Use letters, digits, "_", "-" and ".", for example "{_suggest(value)}".',
        )
    if len(value) > MAX_CLUSTER_NAME:
        raise field_error(f"this name has {len(value)} characters", f"Use {MAX_CLUSTER_NAME} at most.")
    return value


def file_name(value: str) -> str:
    """Return the value if it can be the name of a file in /etc/slurm, which is also a key of a ConfigMap."""
    if not _FILE_NAME.fullmatch(value) or len(value) > 253:
        raise field_error("this can't be the name of a file in /etc/slurm", 'Use letters, digits, "_", "-" and ".".')
    return value


def _suggest(value: str) -> str:
    word = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-0123456789")
    return word[:MAX_LABEL] or "gpu"


def node_set_object(cluster: str, node_set: str) -> str:
    """Return the name of a NodeSet object, the same as in Slinky's chart."""
    return f"{cluster}-worker-{node_set}"


def operators_cluster_name(namespace: str, name: str) -> str:
    """Return what the operator calls the cluster of a Controller that has no clusterName.

    Source: `ClusterName` in api/v1beta1/controller_keys.go of slurm-operator, v1.0.0 to v1.2.1.
    """
    return f"{namespace}_{name}"


def login_set_object(cluster: str, login_set: str) -> str:
    """Return the name of a LoginSet object, the same as in Slinky's chart."""
    return f"{cluster}-login-{login_set}"


def token_object(cluster: str, token: str) -> str:
    """Return the name of a Token object."""
    return f"{cluster}-token-{token}"


def shared_volume_claim(cluster: str, volume: str) -> str:
    """Return the name of the PersistentVolumeClaim that is created for a shared volume."""
    return f"{cluster}-{volume}"


def key_secret(cluster: str, purpose: str) -> str:
    """Return the name of the Secret with a key; it never changes, because references to keys are immutable."""
    return f"{cluster}-auth-{purpose}"
