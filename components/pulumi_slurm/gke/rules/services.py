"""Volumes and the database: configured in only one of the two specifications, and usable by the pods."""

import ipaddress
from collections.abc import Iterator

from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.model.pod import PodSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.access import services_of
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.rules.system_priorities import system_priorities


def volumes_have_one_owner(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse shared volumes that the GKE specification creates already."""
    return cloud_services.volumes_have_one_owner(plan.spec.storage, slurm, specification="GKE specification")


def pods_reach_their_buckets(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse pods in the node's network in a cluster with buckets.

    Such pods have no identity of their own, and Cloud Storage FUSE mounts nothing unless its volumes are configured to
    get one, which these volumes aren't: docs/authentication.md in
    https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver.
    """
    bucket = next((storage.name for storage in plan.spec.storage if storage.bucket), None)
    if bucket is None:
        return
    pods: list[tuple[Path, PodSpec]] = [
        *((("node_sets", index), node_set.pod) for index, node_set in enumerate(slurm.node_sets)),
        *((("login_sets", index), login_set.pod) for index, login_set in enumerate(slurm.login_sets)),
    ]
    for at, pod in pods:
        if pod.host_network:
            yield FieldError(
                (*at, "pod", "host_network"),
                True,
                f"the storage \"{bucket}\" is a bucket, which pods in the node's network can't mount",
                "Write false, or leave the bucket out in the GKE specification.",
            )


def source_ranges_are_ipv4(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse IPv6 networks of load balancers in clusters of the stack, whose VPC has IPv4 alone.

    Google's load balancers pass over them, and let everyone in where no other network is left:
    `IPv4ServiceSourceRanges` in pkg/utils of https://github.com/kubernetes/ingress-gce.
    """
    for at, service in services_of(slurm) if plan.spec.existing_cluster is None else ():
        for index, text in enumerate(service.source_ranges):
            if ipaddress.ip_network(text).version == 6:
                yield FieldError(
                    (*at, "source_ranges", index),
                    text,
                    "the VPC has IPv4 alone, and Google's load balancer would pass over this network",
                    'Write IPv4 networks, for example ["192.0.2.0/24"].',
                )


@warns
def priorities_are_admitted(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of PriorityClasses of Kubernetes' own, since GKE admits their pods to kube-system alone."""
    del plan
    yield from system_priorities(slurm)


def database_has_one_owner(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse Cloud SQL in addition to another database, or without a slurmdbd that uses it."""
    if plan.spec.database:
        yield from cloud_services.database_has_one_owner(slurm, specification="GKE specification")


RULES_WITH_SLURM: tuple[Rule, ...] = (
    volumes_have_one_owner,
    pods_reach_their_buckets,
    database_has_one_owner,
    priorities_are_admitted,
    source_ranges_are_ipv4,
)
