"""The SlurmCluster, in the shape that it has since September 2024: `slurmctld`, not `headGroupSpec`."""

from collections.abc import Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.groups import groups_of
from pulumi_slurm.ack.slurm.names import API
from pulumi_slurm.ack.slurm.start_scripts import worker_script
from pulumi_slurm.ack.slurm.templates import Templates
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest, merged, pruned
from pulumi_slurm.model import NodePoolSpec, SlurmSpec


def slurm_cluster(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> Manifest:
    """Return the SlurmCluster; ``image`` is that of daemons without one of their own."""
    templates = Templates(spec, pools, ack, image)
    workers = [
        {
            "groupName": group.name,
            "replicas": group.fewest,
            "initBash": worker_script(spec, group, ack),
            "template": templates.worker(group),
        }
        for group in groups_of(spec, pools, ack)
    ]
    slurmrestd = {"replicas": spec.rest_api.replicas, "template": templates.slurmrestd()} if ack.slurmrestd else None
    slurmdbd = {"template": templates.slurmdbd()} if spec.accounting and not spec.accounting.external else None
    cluster = pruned(
        {
            "mungeConfPath": ack.munge_path,
            "slurmConfPath": ack.config_path,
            "slurmctld": pruned(
                {
                    "replicas": controllers(ack),
                    "enablePrometheus": ack.prometheus or None,
                    "initBash": ack.controller.init_bash,
                    "template": templates.controller(),
                }
            ),
            "slurmdbd": slurmdbd,
            "slurmrestd": slurmrestd,
            "workerGroupSpecs": workers,
        }
    )
    return manifest(API, "SlurmCluster", ClusterRef.of(spec), spec.name, spec=merged(cluster, ack.overrides))


def controllers(ack: AckSlurmSpec) -> int:
    """Return how many controllers there are."""
    return max(len(ack.controller_hosts), 1)


def left_to_scaler(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[str]:
    """Return the paths of the SlurmCluster's fields that Slurm's own programs change.

    To ignore changes of them is enough while nothing else of the object changes. The API server takes the list of
    groups as a whole (its schema has no keys for it, and tried with it), so any other change in place sends `replicas`
    along, as Pulumi last saw them: as they are after a refresh, else as they were when the cluster was made. The two
    lists of pods are lost then; they speak of pods that are about to come or go.
    """
    fields = ("replicas", "podsToBeCreated", "podsToBeDeleted")
    elastic = [index for index, group in enumerate(groups_of(spec, pools, ack)) if group.elastic]
    return [f"spec.workerGroupSpecs[{index}].{field}" for index in elastic for field in fields]
