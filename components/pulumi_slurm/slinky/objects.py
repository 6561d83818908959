"""How one of the operator's objects becomes a Pulumi resource."""

from collections.abc import Sequence

import pulumi

from pulumi_slurm.kube.resources import child_options, create
from pulumi_slurm.manifests.objects import Manifest

_JWT_KEY = ["spec.jwtHs256KeyRef.name", "spec.jwtKeyRef.name"]

IMMUTABLE = {
    "Controller": [
        "spec.clusterName",
        "spec.external",
        "spec.persistence.enabled",
        "spec.slurmKeyRef.name",
        *_JWT_KEY,
    ],
    "Accounting": _JWT_KEY,
    "Token": _JWT_KEY,
}
"""What the operator's webhook lets nobody change. A preview then shows a replacement, where `up` would fail halfway."""


def create_object(
    name: str,
    made: Manifest,
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None,
    depends_on: Sequence[pulumi.Resource] = (),
) -> pulumi.CustomResource:
    """Return the resource for one of the operator's objects, a child of ``parent``."""
    immutable = IMMUTABLE.get(made["kind"], [])
    options = child_options(
        parent, opts, depends_on, replace_on_changes=immutable, delete_before_replace=True if immutable else None
    )
    return create(name, made, options)
