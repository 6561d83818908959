"""The SlurmCluster in the form of its API since September 2024: `slurmctld` instead of `headGroupSpec`."""

from collections.abc import Sequence

from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.names import API
from pulumi_slurm.ack_slurm.manifests.start_scripts import worker_script
from pulumi_slurm.ack_slurm.manifests.templates import Templates
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import Manifest, manifest, merged, pruned
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

REPLACED = (
    *(f"spec.{daemon}.template" for daemon in ("slurmctld", "slurmdbd", "slurmrestd")),
    "spec.slurmctld.initBash",
    "spec.workerGroupSpecs[*].template",
    "spec.workerGroupSpecs[*].initBash",
)
"""Fields whose changes only take effect if the cluster is created again, by Alibaba's guide."""


def slurm_cluster(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> Manifest:
    """Return the SlurmCluster; ``image`` is the default image of daemons."""
    templates = Templates(spec, pools, ack, image)
    workers = [
        {
            "groupName": group.name,
            "replicas": group.min_nodes,
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
                    "replicas": controller_count(ack),
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
    slurm_cluster_object = manifest(
        API, "SlurmCluster", ClusterRef.of(spec), spec.name, spec=merged(cluster, ack.overrides)
    )
    if ack.wait:
        slurm_cluster_object["metadata"]["annotations"] = {
            # ClusterState in framework/slurm/slurmcluster-scaler/apis of AliyunContainerService/ai-models-on-ack.
            "pulumi.com/waitFor": "jsonpath={.status.state}=ready"
        }
    return slurm_cluster_object


def controller_count(ack: AckSlurmSpec) -> int:
    """Return the number of controllers."""
    return max(len(ack.controller_hosts), 1)


def autoscaled_fields(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[str]:
    """Return the paths of the SlurmCluster's fields that Slurm's suspend and resume programs change.

    Ignoring changes of these fields is enough as long as nothing else in the object changes. The API server replaces
    the list of groups as a whole, because its schema has no keys, so any other change in place also sends `replicas`
    from Pulumi's state: the current numbers after a refresh, otherwise those from when the cluster was created. The two
    lists of pods, which contain pods about to be created or deleted, are then lost.
    """
    fields = ("replicas", "podsToBeCreated", "podsToBeDeleted")
    scaled_groups = [index for index, group in enumerate(groups_of(spec, pools, ack)) if group.elastic]
    return [f"spec.workerGroupSpecs[{index}].{field}" for index in scaled_groups for field in fields]
