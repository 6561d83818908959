"""Immutable fields of the operator's objects."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from pulumi_slurm.model.cluster_ref import ClusterRef

# Not the whole reference: an upgrade of the operator gives it its other name, which replaces nothing.
_JWT_KEY = tuple(f"spec.{field}.{part}" for field in ("jwtHs256KeyRef", "jwtKeyRef") for part in ("name", "key"))

IMMUTABLE = MappingProxyType(
    {
        "Controller": (
            "spec.clusterName",
            "spec.external",
            "spec.persistence.enabled",
            "spec.persistence.existingClaim",
            "spec.slurmKeyRef.name",
            *_JWT_KEY,
        ),
        "Accounting": _JWT_KEY,
        "Token": _JWT_KEY,
    }
)
"""What the operator's webhook lets nobody change. A preview then shows a replacement, where `up` would fail halfway.

A preview refuses another `spec.clusterName` where state is on a volume: see `cluster_name`.

`spec.external` it would let change, at least until 1.1, but another slurmctld means other objects and other jobs. It
refuses another `existingClaim` from 1.3 on; before, the operator ignores it, and slurmctld stays on the old claim.

A NodeSet's `volumeClaimTemplates` are missing: a replacement would end the jobs on its nodes, so 1.2 refuses the change
during `up`. Source: internal/webhook of https://github.com/SlinkyProject/slurm-operator, v1.0.5 to v1.2.1, and
commit f2ed3fc53252 for 1.3.
"""


def replacement(kind: str) -> dict[str, Any]:
    """Return the resource options with which a change of what is immutable replaces an object of a kind."""
    if kind not in IMMUTABLE:
        return {"replace_on_changes": []}
    return {"replace_on_changes": list(IMMUTABLE[kind]), "delete_before_replace": True}


_ANNOTATE_PODS = frozenset({"Accounting", "Controller", "LoginSet", "RestApi"})
"""Kinds whose annotations the operator puts into the templates of their pods. It does so for NodeSets too, whose pods
it replaces for a change of their own template alone.

Source: the functions with podTemplate in their names in internal/builder of slurm-operator, and getPatch in
internal/controller/nodeset/nodeset_history.go, v1.1.0.
"""


def options_in(cluster: ClusterRef) -> Callable[[str], dict[str, Any]]:
    """Return what returns the options of an object by its kind; see `replacement`.

    Of a cluster that a chart made nothing is replaced, and no annotation of Pulumi comes into pods.
    """
    if not cluster.adopted:
        return replacement
    return lambda kind: {"replace_on_changes": [], "annotate": kind not in _ANNOTATE_PODS}
