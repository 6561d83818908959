"""Resource options of the operator's objects."""

from collections.abc import Callable
from typing import Any

from pulumi_slurm.manifests.immutable import IMMUTABLE
from pulumi_slurm.model.cluster_ref import ClusterRef


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
