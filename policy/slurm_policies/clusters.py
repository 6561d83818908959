"""Policies on Kubernetes clusters and on what Kubernetes needs to keep a Slurm cluster."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke import resources as google
from slurm_policies.clouds import CLUSTERS, is_protected_by_default
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy
from slurm_policies.reading import UNKNOWN, at, is_true, text_at
from slurm_policies.types import CUSTOM_RESOURCE_DEFINITION, HELM_RELEASE


@policy(*CLUSTERS, level=Level.MANDATORY, severity=Severity.CRITICAL, ends_jobs=True)
def clusters_are_protected_from_deletion(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A mistake doesn't delete the Kubernetes cluster.

    Source: `deletionProtection` in
    https://www.pulumi.com/registry/packages/gcp/api-docs/container/cluster/, where it is on by default, and in
    https://www.pulumi.com/registry/packages/alicloud/api-docs/cs/managedkubernetes/, where it is off.
    """
    protection = at(resource.inputs, "deletionProtection")
    unprotected = protection is False or (protection is None and not is_protected_by_default(resource.type))
    if unprotected and not resource.protected:
        yield FieldError(
            ("deletionProtection",),
            FieldError.ABSENT if protection is None else protection,
            "a destroy or a replacement ends all jobs and deletes the volume with the queue",
            "Write true, or give the resource the option protect.",
        )


@policy(google.CLUSTER, level=Level.ADVISORY, severity=Severity.MEDIUM, ends_jobs=True)
def clusters_have_a_maintenance_window(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Maintenance by the cloud comes when nobody minds.

    Source: https://cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions.
    """
    maintenance = at(resource.inputs, "maintenancePolicy")
    kinds = ("recurringWindow", "dailyMaintenanceWindow", "maintenanceExclusions")
    if maintenance is not UNKNOWN and not any(at(maintenance, kind) for kind in kinds):
        yield FieldError(
            ("maintenancePolicy",),
            FieldError.ABSENT,
            "GKE upgrades control plane and nodes at any hour of any day",
            "Write a recurringWindow, and maintenanceExclusions with the scope NO_MINOR_OR_NODE_UPGRADES.",
        )


@policy(CUSTOM_RESOURCE_DEFINITION, HELM_RELEASE, level=Level.ADVISORY, severity=Severity.CRITICAL, ends_jobs=True)
def definitions_of_objects_are_protected(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """What defines the operator's objects isn't deleted by mistake.

    With a CustomResourceDefinition go all objects of its kind, and with these their pods:
    https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#delete-a-customresourcedefinition.
    No policy sees the option retainOnDelete, which our components give them.
    """
    if resource.protected:
        return
    group = text_at(resource.inputs, "spec", "group")
    chart = text_at(resource.inputs, "chart").rstrip("/").rpartition("/")[2]
    with_chart = is_true(at(resource.inputs, "values", "crds", "enabled"))
    if resource.type == CUSTOM_RESOURCE_DEFINITION and group in ("slinky.slurm.net", "kai.alibabacloud.com"):
        path: Path = ("spec", "group")
    elif chart == "slurm-operator-crds" or (chart == "slurm-operator" and with_chart):
        path = ("chart",)
    else:
        return
    yield FieldError(
        path,
        at(resource.inputs, *path),
        "if it is deleted, all Slurm clusters of this Kubernetes cluster go with it",
        "Give the resource the option protect or retainOnDelete; with retainOnDelete name it in allowed.",
    )


POLICIES: tuple[Policy, ...] = (
    clusters_are_protected_from_deletion,
    clusters_have_a_maintenance_window,
    definitions_of_objects_are_protected,
)
