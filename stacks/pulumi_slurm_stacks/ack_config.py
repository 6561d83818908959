"""The configuration of a stack on Alibaba Cloud: an ACK cluster with all that belongs to it, and a Slurm cluster."""

from typing import Any, ClassVar

from pydantic import Field

from pulumi_slurm.ack.cloud import CLOUD
from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack_slurm.manifests.files import public_files
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render
from pulumi_slurm_stacks.cloud_config import CloudConfig
from pulumi_slurm_stacks.config import StackSecrets


class AckSecrets(StackSecrets):
    """Secrets of a stack on Alibaba Cloud, in addition to those of every stack, if it uses ack-slurm-operator."""

    database_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.accounting.database`, if it names a Secret with it: slurmdbd.conf contains it."""
    job_completion_password: str | None = Field(default=None, repr=False)
    """The password of `ack.slurm.jobCompletion.user`."""
    copilot_token: str | None = Field(default=None, repr=False)
    """A token for the copilot, with `ack.slurm.copilot.token`."""


class AckConfig(CloudConfig):
    """The configuration of a stack on Alibaba Cloud, without its secrets."""

    _cloud: ClassVar[Cloud[Any, Any]] = CLOUD
    SECRETS: ClassVar[type[StackSecrets]] = AckSecrets

    ack: AckSpec
    """The ACK cluster, its network, node pools, storage and database, and which operator runs Slurm there."""

    @property
    def kubernetes_cluster(self) -> tuple[str, ...]:
        """What tells its Kubernetes cluster from those of other stacks; empty where the configuration doesn't say."""
        return (self.ack.existing_cluster.id,) if self.ack.existing_cluster else ()

    def slurm_files(self) -> dict[str, str]:
        """Return Slurm's files, by name; with ack-slurm-operator slurmdbd.conf too, without its password."""
        if self.ack.slurm_operator is AckOperator.SLINKY:
            return super().slurm_files()
        slurm, options = self.slurm, self.ack.slurm
        files = public_files(slurm, self.pools, options)
        if slurm.accounting and not slurm.accounting.external:
            files[File.SLURMDBD.value] = render(slurmdbd_conf(slurm, options, SECRET))
        return files


CONFIG = AckConfig
