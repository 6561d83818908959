"""What only newer versions of GKE know; checked where `controlPlane.version` is stated.

Sources: https://cloud.google.com/kubernetes-engine/docs/concepts/slurm-operator (the add-on), .../persistent-volumes/
lustre-csi-driver-new-volume (Lustre), .../concepts/dws (flex-start).
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.machines.gke import Architecture

ADD_ON = "1.35.2-gke.1842000"
FLEX_START = "1.32.2-gke.1652000"
LUSTRE = "1.33.2-gke.1111000"
LUSTRE_ON_ARM = "1.34.1-gke.2541000"


def version_knows_it(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a version that is too old for what is asked of it."""
    version = plan.spec.control_plane.version
    if version is None:
        return
    for floor, what, path in _needs(plan):
        if is_before(version, floor):
            yield FieldError(
                ("control_plane", "version"),
                version,
                f"{what} needs {floor}",
                f'Write "{floor}" or a later one.',
                depends_on_fields=(path,),
            )


def _needs(plan: GkePlan) -> Iterator[tuple[str, str, Path]]:
    if plan.spec.slurm_operator is GkeOperator.GKE_ADDON:
        yield ADD_ON, "slurmOperator gke-addon", ("slurm_operator",)
    planned = plan.pools
    waiting = next((each for each in planned if each.capacity_option.capacity.is_flex_start), None)
    if waiting:
        yield FLEX_START, f"capacity {waiting.capacity_option.capacity}", (*waiting.at, "capacity")
    if any(storage.lustre for storage in plan.spec.storage):
        arm = next((each for each in planned if each.machine_type.architecture is Architecture.ARM64), None)
        if arm:
            yield LUSTRE_ON_ARM, f'Lustre on the Arm machines of "{arm.pool.name}"', ("storage",)
        else:
            yield LUSTRE, "Lustre", ("storage",)
