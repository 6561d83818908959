"""The argument of rules."""

from dataclasses import dataclass
from functools import cached_property

from pulumi_slurm.ack_slurm.manifests.groups import Group, groups_of
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.errors import Path
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.conf import Conf

CLUSTER: Path = ("cluster",)
ACK: Path = ("ack", "slurm")


@dataclass(frozen=True)
class RuleContext:
    """A cluster, its pools, the options of ack-slurm-operator, and some properties of the ACK cluster."""

    spec: SlurmSpec
    pools: tuple[NodePoolSpec, ...]
    ack: AckSlurmSpec
    kubernetes_version: str | None = None
    cluster_domain: str = "cluster.local"
    pools_from_zero: frozenset[str] = frozenset()

    @cached_property
    def groups(self) -> list[Group]:
        """The worker groups."""
        return groups_of(self.spec, self.pools, self.ack)

    @cached_property
    def elastic(self) -> bool:
        """Whether Slurm scales any group."""
        return any(group.elastic for group in self.groups)

    @cached_property
    def conf(self) -> Conf:
        """The resulting slurm.conf."""
        return slurm_conf(self.spec, self.pools, self.ack)

    def extra_key(self, key: str) -> str | None:
        """Return a key of slurm.conf as the user spells it in slurmConf.extra; None if it isn't there."""
        return next((name for name in self.spec.slurm_conf.extra if name.lower() == key.lower()), None)

    def extra_path(self, key: str) -> Path:
        """Return the path of a key in slurmConf.extra, whether or not it is there."""
        return (*CLUSTER, "slurm_conf", "extra", self.extra_key(key) or key)
