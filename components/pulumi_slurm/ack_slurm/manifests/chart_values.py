"""Values of the chart ack-slurm-cluster 2.0.0, for those who want Helm to manage the SlurmCluster.

Source: the table of values in Alibaba Cloud's guide to colocated scheduling. The chart isn't public, and the guide
doesn't show the fields for the name and number of a worker group; `groupName` and `replicas` are those of the
SlurmCluster.
"""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.templates import Templates
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import Manifest, merged, pruned
from pulumi_slurm.model import NodePoolSpec, SlurmSpec

_POD_FIELDS = (
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
    """Return the chart's values: the same pods as without it, except for start scripts, which it doesn't support.

    Configuration files and the munge key are mounted from objects outside of the chart, so no secret is among the
    values. For this the chart must not replace them.
    """
    templates = Templates(spec, pools, ack, image)
    workers = [
        {"groupName": group.name, "replicas": group.min_nodes, **_flat(templates.worker(group))}
        for group in groups_of(spec, pools, ack)
    ]
    runs_slurmdbd = spec.accounting is not None and not spec.accounting.external
    values = pruned(
        {
            "clusterName": spec.name,
            "slurmOperatorNamespace": ack.operator.namespace,
            "headNodeConfig": _flat(templates.controller()),
            "slurmdbdConfigs": _flat(templates.slurmdbd()) if runs_slurmdbd else None,
            "slurmrestdConfigs": _flat(templates.slurmrestd()) if ack.slurmrestd else None,
            "workerNodesConfig": {"deleteSelfBeforeSuspend": ack.drain_before_end, "workerGroups": workers},
            # Without the name of a ConfigMap or Secret, which the chart would mount into all pods: slurmdbd.conf is
            # only for slurmdbd. The volumes above contain the files.
            "slurmConfigs": {"createConfigsByConfigMap": False, "slurmConfigPathInPod": ack.config_path},
            "mungeConfigs": {"createConfigsBySecret": False, "mungeConfigPathInPod": ack.munge_path},
        }
    )
    user_values = ack.cluster_chart.values if ack.cluster_chart else {}
    result: dict[str, Any] = merged(values, user_values)
    return result


def _flat(template: Manifest) -> Manifest:
    """Return a pod template in the form of the chart's values."""
    pod = template["spec"]
    container = pod["containers"][0]
    return pruned(
        {
            "image": container["image"],
            "resources": container.get("resources"),
            **{field: pod[field] for field in _POD_FIELDS if field in pod},
            "podSecurityContext": pod.get("securityContext"),
            "securityContext": container.get("securityContext"),
            "volumes": pod["volumes"],
            "volumeMounts": container["volumeMounts"],
        }
    )
