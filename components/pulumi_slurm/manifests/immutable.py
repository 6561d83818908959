"""Fields of the operator's objects that nobody may change: another value makes the object anew."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.objects import Manifest

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


_SELECTOR = ("spec.selector",)
OF_KUBERNETES = MappingProxyType(
    {
        "Deployment": _SELECTOR,
        "Job": ("spec.completions", "spec.parallelism", "spec.selector", "spec.template"),
        "PersistentVolume": ("spec.csi", "spec.hostPath", "spec.local", "spec.nfs"),
        "PersistentVolumeClaim": ("spec.accessModes", "spec.selector", "spec.storageClassName", "spec.volumeName"),
        "PodDisruptionBudget": ("spec",),
        "RoleBinding": ("roleRef",),
        "ClusterRoleBinding": ("roleRef",),
        "Secret": ("type",),
        "Service": ("spec.clusterIP",),
        "StatefulSet": (
            *("spec.podManagementPolicy", "spec.revisionHistoryLimit", "spec.selector", "spec.serviceName"),
            "spec.volumeClaimTemplates",
        ),
        "StorageClass": ("parameters", "provisioner"),
    }
)
"""For which fields of Kubernetes' own objects Pulumi's provider makes one anew: of kinds and fields that are used here.

Source: provider/pkg/provider/diff.go of https://github.com/pulumi/pulumi-kubernetes, 2026-07-01. Of an immutable Secret
or ConfigMap the content counts too; none here is one.
"""


def made_anew_for(old: Manifest, new: Manifest) -> Iterator[str]:
    """Yield the paths for which an object is made anew, such as "spec.clusterName"."""
    yield from changed_paths(old, new, IMMUTABLE.get(str(new["kind"]), ()))


def changed_paths(old: Mapping[str, Any], new: Mapping[str, Any], paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths, such as "spec.clusterName" or "pools[*].name", at which two sides differ.

    A path counts where both sides have the object that it is a field of, as for `replace_on_changes`: see `_JWT_KEY`.
    """
    for path in paths:
        steps = path.replace("[*]", ".*").split(".")
        if any(before != after for before, after in _pairs(old, new, steps)):
            yield path


def _pairs(old: Any, new: Any, steps: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yield what is at a path on both sides, with None for a field that its object lacks.

    Of lists only the items count that both sides have: the provider tells one more or less as a change of that item
    itself, which is above the path (addPatchArrayToDiff in provider/pkg/provider/provider.go of
    https://github.com/pulumi/pulumi-kubernetes), and the engine replaces for what is at a path or below it
    (PropertyPath.Contains in sdk/go/common/resource/properties_path.go of https://github.com/pulumi/pulumi).
    """
    step, *remaining = steps
    if step == "*":
        if isinstance(old, list) and isinstance(new, list):
            for items in zip(old, new, strict=False):
                yield from _pairs(*items, remaining) if remaining else (items,)
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        sides = (old.get(step), new.get(step))
        yield from _pairs(*sides, remaining) if remaining else (sides,)
