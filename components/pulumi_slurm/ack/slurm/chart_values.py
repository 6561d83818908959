"""Values of the chart ack-slurm-cluster 2.0.0, for those who want Helm to own the SlurmCluster.

Source: the table of values in Alibaba Cloud's guide to colocated scheduling. The chart isn't public. The guide doesn't
show how a worker group states its name and number; `groupName` and `replicas` are taken from the object, and not
checked.
"""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.groups import groups_of
from pulumi_slurm.ack.slurm.templates import Templates
from pulumi_slurm.manifests.objects import Manifest, merged, pruned
from pulumi_slurm.model import NodePoolSpec, SlurmSpec

_FROM_POD = (
    "imagePullSecrets",
    "nodeSelector",
    "tolerations",
    "affinity",
    "hostNetwork",
    "setHostnameAsFQDN",
    "serviceAccountName",
    "priorityClassName",
)


def chart_values(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> dict[str, Any]:
    """Return the chart's values: the same pods as without it, but for start scripts, which the chart doesn't take.

    Configuration files and the munge key stay objects and mounts of ours, so no secret is among the values. For this
    the chart has to leave them alone; see docs/verification.md.
    """
    templates = Templates(spec, pools, ack, image)
    workers = [
        {"groupName": group.name, "replicas": group.fewest, **_flat(templates.worker(group))}
        for group in groups_of(spec, pools, ack)
    ]
    database = spec.accounting is not None and not spec.accounting.external
    values = pruned(
        {
            "clusterName": spec.name,
            "slurmOperatorNamespace": ack.operator.namespace,
            "headNodeConfig": _flat(templates.controller()),
            "slurmdbdConfigs": _flat(templates.slurmdbd()) if database else None,
            "slurmrestdConfigs": _flat(templates.slurmrestd()) if ack.slurmrestd else None,
            "workerNodesConfig": {"deleteSelfBeforeSuspend": ack.drain_before_end, "workerGroups": workers},
            # Without a name of a ConfigMap or Secret: the chart would mount one for all pods alike, and slurmdbd.conf
            # is for one of them alone. Ours are among the volumes.
            "slurmConfigs": {"createConfigsByConfigMap": False, "slurmConfigPathInPod": ack.config_path},
            "mungeConfigs": {"createConfigsBySecret": False, "mungeConfigPathInPod": ack.munge_path},
        }
    )
    own_values = ack.cluster_chart.values if ack.cluster_chart else {}
    result: dict[str, Any] = merged(values, own_values)
    return result


def _flat(template: Manifest) -> Manifest:
    """Return a pod template as the chart's table spells it."""
    pod = template["spec"]
    container = pod["containers"][0]
    return pruned(
        {
            "image": container["image"],
            "resources": container.get("resources"),
            **{field: pod[field] for field in _FROM_POD if field in pod},
            "podSecurityContext": pod.get("securityContext"),
            "securityContext": container.get("securityContext"),
            "volumes": pod["volumes"],
            "volumeMounts": container["volumeMounts"],
        }
    )
