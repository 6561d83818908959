"""Validators of the fields that identify a cluster: its name, its namespace, and its releases."""

from typing import Any

from pulumi_slurm.errors import field_error
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.model.names import MAX_CLUSTER_NAME, dns_label, slurm_cluster_name
from pulumi_slurm.model.releases.operator_version import operator_version
from pulumi_slurm.slurmconf.version import is_release


def cluster_prefix(value: str) -> str:
    """Validate the prefix of the names of all objects, which is also the default of ClusterName."""
    return dns_label(value, MAX_CLUSTER_NAME)


def conf_cluster_name(value: str | None) -> str | None:
    """Validate a ClusterName that differs from the names of objects."""
    return value if value is None else slurm_cluster_name(value)


def cluster_namespace(value: str) -> str:
    """Validate the namespace of the cluster's objects."""
    return made_namespace(value, "the Slurm cluster", "slurm")


def made_namespace(value: str, content: str, example: str) -> str:
    """Validate a namespace that is made for some content, and destroyed with it."""
    if value in {"default", "kube-system", "kube-public", "kube-node-lease"}:
        raise field_error(
            f"this namespace belongs to Kubernetes, and destroying {content} would delete it",
            f'Write for example "{example}".',
        )
    return dns_label(value)


def slurm_release(value: Any) -> str:
    """Validate a Slurm series, or a release of it; runs before the field's type is checked."""
    # YAML parses 25.11 as a number. Its text is what the user wrote, but for a trailing zero, which no series has.
    text = str(value)
    if isinstance(value, bool) or not is_release(text, OS_BY_SERIES):
        raise field_error(
            "this Slurm version is not known here",
            f"Write one of: {', '.join(map(str, sorted(OS_BY_SERIES)))}, or a release of it.",
        )
    return text


def operator_release(value: str) -> str:
    """Validate a release of slurm-operator."""
    return operator_version(value).version
