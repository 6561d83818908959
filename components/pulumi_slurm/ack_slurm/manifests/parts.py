"""The parts of a Slurm cluster that ack-slurm-operator runs, and their order.

`pulumi_slurm.ack_slurm.AckSlurmCluster` creates the resources of these parts, and `render` returns their objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pulumi_slurm.ack_slurm.manifests import names
from pulumi_slurm.ack_slurm.manifests.access import controller_account, copilot_access
from pulumi_slurm.ack_slurm.manifests.accounting_job import accounting_job
from pulumi_slurm.ack_slurm.manifests.admin_page import admin_page
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.config_maps import config_maps
from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.network_policies import network_policies
from pulumi_slurm.ack_slurm.manifests.services import controller_ssh_service
from pulumi_slurm.ack_slurm.manifests.slurm_conf import uses_tokens
from pulumi_slurm.ack_slurm.manifests.state import state_volume
from pulumi_slurm.ack_slurm.manifests.worker_placement import worker_priority
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.objects import Manifest, Manifests, by_kind, manifest
from pulumi_slurm.manifests.parts.database import DatabasePart
from pulumi_slurm.manifests.parts.directory import DirectoryPart
from pulumi_slurm.manifests.parts.network_policies import NetworkPoliciesPart
from pulumi_slurm.manifests.parts.planned_part import PartKey, PlannedPart
from pulumi_slurm.manifests.parts.shared_volume import SharedVolumePart
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import key_secret

NAMESPACE, CLUSTER = "namespace", "slurmcluster"
MUNGE_KEY, JWT_KEY = "munge-key", "jwt-key"
LDAP_CLIENT, SLURMDBD_CONF, SLURM_CONF = "ldap-client", "slurmdbd-conf", "slurm-conf"
DIRECTORY, STATE, SSH = "directory", "state", "ssh"


@dataclass(frozen=True)
class PlannedAckPart(PlannedPart):
    """A part of a cluster: a component, a Secret, or other objects."""

    after: tuple[PartKey, ...] = ((None, NAMESPACE),)
    """The parts on which it depends directly, by class and name; other dependencies follow from theirs."""
    secret: Manifest | None = None
    """The Secret, without its data."""
    manifests: Manifests = field(default_factory=dict)
    """The objects, by the suffixes of their resource names."""
    in_turn: bool = False
    """Whether each object depends on the previous one."""

    def objects(self) -> Iterator[Manifest]:
        """Yield the objects of the part, without Secrets."""
        if self.part:
            yield from self.part.manifests().values()
        yield from self.manifests.values()


def cluster_parts(
    spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str
) -> Iterator[PlannedAckPart]:
    """Yield the parts of a cluster in the order of their creation.

    ``image`` is the default image of daemons.
    """
    yield PlannedAckPart(NAMESPACE, after=())
    policies = network_policies(spec, ack)
    if policies:
        part = NetworkPoliciesPart(cluster=ClusterRef.of(spec), policies=policies)
        yield PlannedAckPart("network-policies", part=part)
    before_cluster = [*_keys(spec, ack), *_identity(spec, ack), *_volumes(spec), *_database(spec)]
    before_cluster += [*_access(spec, ack), *_state(spec), *_files(spec, pools, ack), *_priority(spec, pools, ack)]
    yield from before_cluster
    # The operator immediately starts pods, which need all of these parts.
    cluster = PlannedAckPart(
        CLUSTER,
        after=tuple(part.key for part in before_cluster),
        manifests={CLUSTER: slurm_cluster(spec, pools, ack, image)},
    )
    yield cluster
    yield PlannedAckPart(SSH, after=(cluster.key,), manifests=by_kind(SSH, controller_ssh_service(spec, ack)))
    yield PlannedAckPart("accounts", after=(cluster.key,), manifests=accounting_job(spec, image), in_turn=True)


def _keys(spec: SlurmSpec, ack: AckSlurmSpec) -> Iterator[PlannedAckPart]:
    if not spec.keys.slurm.existing:
        yield _secret(spec, MUNGE_KEY, key_secret(spec.name, Purpose.MUNGE))
    if not spec.keys.jwt.existing and uses_tokens(ack):
        yield _secret(spec, JWT_KEY, key_secret(spec.name, Purpose.JWT))


def _identity(spec: SlurmSpec, ack: AckSlurmSpec) -> Iterator[PlannedAckPart]:
    if spec.identity is None:
        return
    if spec.identity.directory:
        directory = DirectoryPart(cluster=ClusterRef.of(spec), directory=spec.identity.directory)
        yield PlannedAckPart(DIRECTORY, part=directory)
        yield PlannedAckPart("ldap-admin", manifests=by_kind("ldap-admin", admin_page(spec, ack)))
    yield _secret(spec, LDAP_CLIENT, names.ldap_secret(spec.name))


def _volumes(spec: SlurmSpec) -> Iterator[PlannedAckPart]:
    for volume in spec.shared_volumes:
        yield PlannedAckPart(volume.name, part=SharedVolumePart(cluster=ClusterRef.of(spec), volume=volume))


def _database(spec: SlurmSpec) -> Iterator[PlannedAckPart]:
    if spec.accounting and not spec.accounting.external:
        yield PlannedAckPart(
            "database", part=DatabasePart(cluster=ClusterRef.of(spec), database=spec.accounting.database)
        )
        yield _secret(spec, SLURMDBD_CONF, names.slurmdbd_secret(spec.name))


def _access(spec: SlurmSpec, ack: AckSlurmSpec) -> Iterator[PlannedAckPart]:
    if ack.cluster_chart:
        return  # The chart creates the same objects, and Helm refuses those that exist.
    yield PlannedAckPart("access", manifests=by_kind("access", controller_account(spec)))
    yield PlannedAckPart("copilot-access", manifests=by_kind("copilot-access", copilot_access(spec, ack)))


def _state(spec: SlurmSpec) -> Iterator[PlannedAckPart]:
    yield PlannedAckPart(STATE, manifests=by_kind(STATE, state_volume(spec)))


def _files(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Iterator[PlannedAckPart]:
    manifests = config_maps(spec, pools, ack)
    yield PlannedAckPart(
        "files",
        manifests={
            config_map["metadata"]["name"].removeprefix(f"{spec.name}-"): config_map for config_map in manifests
        },
    )
    if ack.job_completion:
        yield _secret(spec, SLURM_CONF, names.controller_secret(spec.name))


def _priority(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Iterator[PlannedAckPart]:
    for item in worker_priority(spec, groups_of(spec, pools, ack), ack):
        yield PlannedAckPart("worker-priority", after=(), manifests={"worker-priority": item})


def _secret(spec: SlurmSpec, name: str, kubernetes_name: str) -> PlannedAckPart:
    return PlannedAckPart(name, secret=manifest("v1", "Secret", ClusterRef.of(spec), kubernetes_name))
