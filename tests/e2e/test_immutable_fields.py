"""What the operator's webhook lets nobody change is what our previews show as a replacement."""

import copy
from typing import Any

import pytest

from devcluster.api import ApiError
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.immutable import IMMUTABLE
from tests.e2e.objects import Object, Objects
from tests.e2e.stack_settings import CPU_POOL, small
from tests.waiting import eventually_nothing

NOT_LOOKED_AT = ("spec.jwtHs256KeyRef.", "spec.persistence.existingClaim", "spec.external")
"""Fields that release 1.1 lacks, or lets change; why we replace their objects all the same says `IMMUTABLE`."""
CHANGES: dict[str, tuple[str, ...]] = {
    "Controller": (
        *("spec.clusterName", "spec.external", "spec.persistence.enabled"),
        *("spec.slurmKeyRef.name", "spec.slurmKeyRef.key", "spec.jwtKeyRef.name", "spec.jwtKeyRef.key"),
        *("spec.persistence.existingClaim", "spec.extraConf"),
    ),
    "Accounting": ("spec.jwtKeyRef.name", "spec.jwtKeyRef.key", "spec.slurmKeyRef.name", "spec.extraConf"),
    "Token": ("spec.jwtKeyRef.name", "spec.jwtKeyRef.key", "spec.lifetime"),
}
"""By kind: fields that the webhook is asked about."""


@pytest.mark.parametrize("kind", CHANGES)
def test_the_webhook_refuses_what_a_preview_shows_as_a_replacement(objects: Objects, kind: str) -> None:
    name = f"immutable-{kind.lower()}"
    cluster = small(name, accounting={}, tokens=[{"name": "admin", "username": "slurm"}])["slurm:cluster"]
    rendered = [*render(*load(cluster, [CPU_POOL]))]
    item = next(item for item in rendered if item["kind"] == kind)
    objects.namespace(name)
    try:
        for config_map in rendered:
            if config_map["kind"] == "ConfigMap":
                objects.apply(config_map)
        objects.apply(item)
        refusals = {path: refusal(objects, changed(item, path)) for path in CHANGES[kind]}
        refused = {path for path, text in refusals.items() if text}
        assert all("after deployment" in refusals[path] for path in refused), refusals
        assert refused == {path for path in IMMUTABLE[kind] if not path.startswith(NOT_LOOKED_AT)}
    finally:
        objects.delete("Namespace", None, name)
        # slurm-operator 1.1.0 ends when an Accounting goes while any Controller has none, as in tests after this one.
        eventually_nothing("Accountings", lambda: objects.names("Accounting", name))


def changed(item: Object, path: str) -> Object:
    """Return an object with another value of one field."""
    other = copy.deepcopy(item)
    *parents, name = path.split(".")
    within: dict[str, Any] = other
    for parent in parents:
        within = within.setdefault(parent, {})
    before = within.get(name)
    if name == "external":
        within |= {name: True, "externalConfig": {"host": "other", "port": 6817}}
    elif name == "enabled":
        within[name] = not before
    else:
        within[name] = "2h" if name == "lifetime" else f"{before or ''}other"
    return other


def refusal(objects: Objects, item: Object) -> str:
    """Return why an object is not taken, "" where it is."""
    try:
        objects.apply(item, dryRun="All")
    except ApiError as error:
        return str(error)
    return ""
