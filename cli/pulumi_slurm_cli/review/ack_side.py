"""A cluster of ack-slurm-operator on one side of a change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pulumi_slurm.ack_slurm.manifests.gres_conf import gres_conf
from pulumi_slurm.ack_slurm.manifests.groups import Group, groups_of
from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_files
from pulumi_slurm.ack_slurm.manifests.names import config_map, state_claim
from pulumi_slurm.ack_slurm.manifests.parts import CLUSTER, PlannedAckPart, cluster_parts
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.files import parse_files
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.review.cluster_side import ClusterSide, Inputs, by_kind_and_name

ACK_COMPONENT = "slurm:index:AckSlurmCluster"
_PASSWORD = "password"
"""In place of one that is the same on both sides, as nobody knows it here."""


@dataclass(frozen=True)
class AckSide(ClusterSide):
    """A cluster on one side of a change."""

    ack: AckSlurmSpec = field(default_factory=AckSlurmSpec)
    image: str = ""
    """The default image of daemons."""

    @cached_property
    def groups(self) -> Mapping[str, Group]:
        """Its groups of workers, by the names of their node sets."""
        return {group.name: group for group in groups_of(self.spec, self.pools, self.ack)}

    @cached_property
    def _planned(self) -> Sequence[PlannedAckPart]:
        return [*cluster_parts(self.spec, self.pools, self.ack, self.image)]

    @property
    def slurm_cluster(self) -> Manifest:
        """Its SlurmCluster."""
        return next(part.manifests[CLUSTER] for part in self._planned if part.name == CLUSTER)

    @cached_property
    def objects(self) -> Mapping[tuple[str, str], Manifest]:
        """Its objects, by kind and name, but the SlurmCluster and Secrets."""
        return by_kind_and_name(item for part in self._planned if part.name != CLUSTER for item in part.objects())

    @cached_property
    def files(self) -> Mapping[File, Conf]:
        """Slurm's files as the daemons in the cluster read them, without passwords."""
        spec, pools, ack = self.spec, self.pools, self.ack
        with_slurmdbd = spec.accounting and not spec.accounting.external
        return {
            File.SLURM: slurm_conf(spec, pools, ack),
            File.GRES: gres_conf(spec, pools, ack),
            **parse_files(spec.config_files, ack.series),
            **({File.SLURMDBD: slurmdbd_conf(spec, ack, _PASSWORD)} if with_slurmdbd else {}),
        }

    @property
    def texts(self) -> Mapping[str, str]:
        """The files and scripts that are brought into pods that run, by name."""
        texts: Mapping[str, str] = self.objects["ConfigMap", config_map(self.spec.name)]["data"]
        return texts

    @cached_property
    def ldap_texts(self) -> Mapping[str, str]:
        """The files of the LDAP client, without its password."""
        return ldap_files(self.spec, self.ack, _PASSWORD) if self.spec.identity else {}

    def render(self) -> None:
        """Render all that is looked at, or raise the error of what can't be rendered."""
        super().render()
        _ = self.ldap_texts

    @property
    def keeps_state(self) -> bool:
        """Whether the claim with slurmctld's state stays where it is once it isn't named any more."""
        state = self.spec.controller.state
        return bool(state.existing_claim or state.retain)

    @property
    def state_claim(self) -> str | None:
        """The claim with slurmctld's state; None where it is on no volume."""
        state = self.spec.controller.state
        return (state.existing_claim or state_claim(self.spec.name)) if state.enabled else None

    @property
    def series(self) -> Series:
        """The Slurm series in its image."""
        return self.ack.series

    def node_counts(self, node_set: NodeSetSpec) -> tuple[int | None, int | None]:
        """Return how many nodes a node set has, the least and the most."""
        group = self.groups[node_set.name]
        return group.min_nodes, group.max_nodes


class AckInputs(Inputs):
    """What the component of a cluster of ack-slurm-operator has as its inputs."""

    ack: AckSlurmSpec = AckSlurmSpec()
    region: str | None = None


def ack_side_of(inputs: Mapping[str, Any] | None) -> AckSide:
    """Return the cluster of a component's inputs.

    Raises:
        ValidationError: if another release wrote them; see `why_unread`.
    """
    read = AckInputs.model_validate(inputs or {})
    return AckSide(read.spec, tuple(read.pools or ()), read.ack, read.ack.image_in(read.region))
