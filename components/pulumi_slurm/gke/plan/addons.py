"""GKE's add-ons that a specification needs."""

from enum import StrEnum

from pulumi_slurm.gke.model import GkeOperator, GkeSpec


class GkeAddon(StrEnum):
    """An add-on of GKE, by its name in `gcloud container clusters create --addons`."""

    FILESTORE = "GcpFilestoreCsiDriver"
    GCS_FUSE = "GcsFuseCsiDriver"
    LUSTRE = "LustreCsiDriver"
    SLURM_OPERATOR = "SlurmOperator"


def addons(spec: GkeSpec) -> list[GkeAddon]:
    """Return the add-ons that the storage and the operator of a specification need."""
    needed = {
        GkeAddon.FILESTORE: any(storage.filestore for storage in spec.storage),
        GkeAddon.GCS_FUSE: any(storage.bucket for storage in spec.storage),
        GkeAddon.LUSTRE: any(storage.lustre for storage in spec.storage),
        GkeAddon.SLURM_OPERATOR: spec.operator is GkeOperator.GKE_ADDON,
    }
    return [addon for addon, wanted in needed.items() if wanted]
