"""Nodes of pools: Confidential VMs, how many pods they take, and labels and taints that aren't the user's."""

import re
from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.confidential import CONFIDENTIAL_SERIES, confidential_types
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.taints import QUEUED
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.machines.gke import GkeCatalogueSpec
from pulumi_slurm.rules.run import Rule, warns

MIN_PODS = 16
"""A node takes the same range of addresses for 9 to 16 pods:
https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr#cidr_ranges_for_clusters."""

_KUBERNETES = re.compile(r"(.*\.)?(kubernetes|k8s)\.io/.*")
_OF_THE_KUBELET = re.compile(
    r"(.*\.)?(node|kubelet)\.kubernetes\.io/.*|(beta\.)?kubernetes\.io/(arch|os)|kubernetes\.io/hostname"
    r"|beta\.kubernetes\.io/instance-type|(topology|failure-domain\.beta)\.kubernetes\.io/(zone|region)"
)
_GOOGLE = re.compile(r"(.*\.)?(cloud\.google\.com|gke\.io)/.*")
_FOR_USERS = frozenset(
    (
        *(QUEUED, "cloud.google.com/compute-class", "kubernetes.io/arch", "cloud.google.com/gke-spot"),
        *("cloud.google.com/gke-networking-dra-driver", "cloud.google.com/gke-nvidia-gpu-dra-driver"),
    )
)
"""Labels and taints that Google's guides ask users to set on pools: of queued nodes, of Arm nodes, of spot nodes
(https://cloud.google.com/kubernetes-engine/docs/how-to/spot-vms), of managed DRANET
(https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra), of GPUs by DRA
(https://gke-ai-labs.dev/docs/tutorials/dynamic-resource-allocation/gpu-fungibility/), and
https://cloud.google.com/kubernetes-engine/docs/concepts/about-custom-compute-classes."""
_STARTUP = re.compile(r"(startup|status|ignore)-taint\.cluster-autoscaler\.kubernetes\.io/.*")
"""Taints that the cluster autoscaler looks through: cluster-autoscaler/FAQ.md of https://github.com/kubernetes/autoscaler."""
_SET_BY_GKE = frozenset(
    f"cloud.google.com/{name}"
    for name in (
        *("gke-nodepool", "gke-accelerator", "gke-accelerator-count", "gke-boot-disk", "gke-container-runtime"),
        *("gke-cpu-scaling-level", "gke-memory-gb-scaling-level", "gke-logging-variant", "gke-max-pods-per-node"),
        *("gke-os-distribution", "gke-provisioning", "gke-spot", "gke-flex-start", "gke-stack-type"),
        *(
            "gke-gpu",
            "gke-gpu-driver-version",
            "gke-ephemeral-storage-local-ssd",
            "gke-local-nvme-ssd",
            "gke-netd-ready",
        ),
        *("machine-family", "private-node", "gce-topology-block", "gce-topology-subblock", "gce-topology-host"),
    )
)


def machines_can_be_confidential(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse Confidential VMs of machine types that are none; those that users add to the catalogue are theirs."""
    for at, planned in configured_pools(plan):
        wanted, name = planned.pool.confidential, planned.pool.machine_type
        ways = confidential_types(name)
        if wanted is None or wanted in ways or name not in GkeCatalogueSpec.built_in_types():
            continue
        yield FieldError(
            (*at, "confidential"),
            wanted,
            f"{name} can't be a Confidential VM with it",
            f"Write {' or '.join(ways)}, or leave it out."
            if ways
            else f"Leave it out, or choose one of {CONFIDENTIAL_SERIES}.",
            depends_on_fields=((*at, "machine_type"),),
        )


@warns
def nodes_take_pods_beside_slurmd(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of nodes that have room for few pods: GKE's own come first, since DaemonSets are on each node.

    With Dataplane V2, GKE's metadata server, logs and metrics they are about ten, and more with GPUs, NCCL and storage.
    """
    for at, planned in configured_pools(plan):
        if planned.pool.max_pods_per_node < MIN_PODS:
            yield FieldError(
                (*at, "max_pods_per_node"),
                planned.pool.max_pods_per_node,
                "GKE's own DaemonSets take ten of them and more, and slurmd's pod may stay Pending",
                f"Write {MIN_PODS} or more; a node takes no more addresses with {MIN_PODS} than with 9.",
            )


def labels_are_the_users(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse labels of nodes that the kubelet doesn't take, or that GKE sets itself.

    Source: IsKubeletLabel in staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go of
    https://github.com/kubernetes/kubernetes, which the kubelet's options are held against; those of GKE are on every
    node: https://cloud.google.com/kubernetes-engine/docs/how-to/update-existing-nodepools.
    """
    for index, pool in enumerate(plan.spec.pools):
        for key, value in pool.node_labels.items():
            if _KUBERNETES.fullmatch(key) and not _OF_THE_KUBELET.fullmatch(key):
                problem = "the kubelet takes no such label of kubernetes.io or k8s.io, and nodes would not join"
            elif key in _SET_BY_GKE:
                problem = "GKE sets this label itself"
            else:
                continue
            fix = 'Write one of your own, such as "example.org/group", or leave it out.'
            yield FieldError(("pools", index, "node_labels", key), value, problem, fix)


@warns
def labels_and_taints_have_the_users_names(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of labels and taints with a prefix of Google's or Kubernetes', which may be refused or taken away.

    Source of the prefixes: systemLabelPatterns in pkg/cloudprovider/gke/labels/system_labels.go of
    https://github.com/GoogleCloudPlatform/cluster-autoscaler, commit 7d25050. A refusal of such a label is quoted in
    https://github.com/hashicorp/terraform-provider-google/pull/19677.
    """
    for index, pool in enumerate(plan.spec.pools):
        keys: list[tuple[Path, str]] = [
            *((("node_labels", key), key) for key in pool.node_labels if key not in _SET_BY_GKE),
            *((("taints", number, "key"), taint.key) for number, taint in enumerate(pool.taints)),
        ]
        for field, key in keys:
            is_kubernetes = field[0] == "taints" and _KUBERNETES.fullmatch(key)
            if key not in _FOR_USERS and not _STARTUP.fullmatch(key) and (is_kubernetes or _GOOGLE.fullmatch(key)):
                yield FieldError(
                    ("pools", index, *field),
                    key if field[0] == "taints" else pool.node_labels[key],
                    f"{'Kubernetes' if is_kubernetes else 'Google'} keeps this prefix for itself: GKE may refuse the "
                    "pool, or a controller may take it away again",
                    'Write a prefix of your own, such as "example.org/group".',
                )


RULES: tuple[Rule, ...] = (
    machines_can_be_confidential,
    nodes_take_pods_beside_slurmd,
    labels_are_the_users,
    labels_and_taints_have_the_users_names,
)
