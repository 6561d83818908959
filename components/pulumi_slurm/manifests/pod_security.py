"""What pods of ours may do on their nodes and in Kubernetes: as little as their images allow.

By https://kubernetes.io/docs/concepts/security/pod-security-standards/ most are at the level "restricted".
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.objects import Manifest

SLURM_USER_ID = 401
"""The user `slurm`, as which slurm-operator runs slurmctld and slurmdbd of whatever image: SlurmUserUid in
internal/builder/common/const.go of https://github.com/SlinkyProject/slurm-operator, v1.0 to v1.3."""

WITHOUT_TOKEN: Mapping[str, Any] = MappingProxyType({"automountServiceAccountToken": False})
"""Of the spec of a pod that asks Kubernetes nothing. Without it the pod has its namespace's account `default`."""


def as_user(user: int, *, has_volumes: bool = False) -> Manifest:
    """Return a pod's securityContext; with ``has_volumes`` its user may read and write what it mounts."""
    return {
        "runAsNonRoot": True,
        "runAsUser": user,
        "runAsGroup": user,
        # A large volume isn't gone through again each time that its pod starts.
        **({"fsGroup": user, "fsGroupChangePolicy": "OnRootMismatch"} if has_volumes else {}),
        **as_root(),
    }


def as_root() -> Manifest:
    """Return a pod's securityContext where the image's program begins as root."""
    return {"seccompProfile": {"type": "RuntimeDefault"}}


def without_rights() -> Manifest:
    """Return the securityContext of a container whose program gets no rights beyond those of its user."""
    return {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def root_without_more() -> Manifest:
    """Return the securityContext of a container that begins as root, and of which no other user becomes root."""
    return {"allowPrivilegeEscalation": False}


def only_reads() -> Manifest:
    """Return the same, where the program writes into volumes alone."""
    return {**without_rights(), "readOnlyRootFilesystem": True}
