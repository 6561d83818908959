"""GKE's add-ons that a specification needs."""

from enum import StrEnum

from pulumi_slurm.gke.model import GkeOperator
from pulumi_slurm.gke.plan.gke_plan import GkePlan


class GkeAddon(StrEnum):
    """An add-on of GKE, by its name in `gcloud container clusters create --addons`."""

    FILESTORE = "GcpFilestoreCsiDriver"
    GCS_FUSE = "GcsFuseCsiDriver"
    LUSTRE = "LustreCsiDriver"
    SLURM_OPERATOR = "SlurmOperator"


def addons(plan: GkePlan) -> list[GkeAddon]:
    """Return the add-ons that the storage and the operator of a specification need."""
    is_needed = {
        GkeAddon.FILESTORE: any(storage.filestore for storage in plan.spec.storage),
        GkeAddon.GCS_FUSE: any(storage.bucket for storage in plan.spec.storage),
        GkeAddon.LUSTRE: any(storage.lustre for storage in plan.spec.storage),
        GkeAddon.SLURM_OPERATOR: plan.spec.slurm_operator is GkeOperator.GKE_ADDON,
    }
    return [addon for addon, needed in is_needed.items() if needed]
