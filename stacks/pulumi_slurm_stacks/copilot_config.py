"""The configuration of a stack for a Slurm that runs elsewhere, on nodes of an ACK cluster: the kind "copilot"."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from pulumi_slurm.ack_slurm.manifests import secret_checks
from pulumi_slurm.ack_slurm.manifests.outside_files import outside_needs
from pulumi_slurm.ack_slurm.model.options import OperatorChartSpec
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.ack_slurm.rules.colocation import operator_runs_the_copilot
from pulumi_slurm.clouds.cloud import NeededSecret
from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load_model
from pulumi_slurm.model.base import Model
from pulumi_slurm.slurmconf.conf import render
from pulumi_slurm_stacks.config import SUBJECT, ConfigReading
from pulumi_slurm_stacks.existing_cluster_config import ExistingClusterConfig


class CopilotSecrets(Model):
    """The secrets of a stack for a Slurm that runs elsewhere."""

    copilot_token: str | None = Field(default=None, repr=False)
    """A token for the copilot, without `outsideSlurm.jwtKeySecret`. It is written once: change it in the Secret
    ack-slurm-jwt-token afterwards."""


class CopilotConfig(ExistingClusterConfig):
    """The configuration of a stack for a Slurm that runs elsewhere, on nodes of an ACK cluster, without its secrets."""

    SECRETS: ClassVar[type[Model]] = CopilotSecrets

    outside_slurm: OutsideSlurmSpec
    """The Slurm that runs elsewhere."""
    operator: OperatorChartSpec = OperatorChartSpec()
    """ack-slurm-operator, whose copilot it is."""
    create_token_secret: bool = True
    """Create the Secret ack-slurm-jwt-token. Write false if it exists already: then it stays, also after a destroy, and
    without `outsideSlurm.jwtKeySecret` you keep the token in it valid."""

    @property
    def writes_token(self) -> bool:
        """Whether the token comes from the stack's secret."""
        return self.create_token_secret and self.outside_slurm.jwt_key_secret is None

    @property
    def slurm_namespace(self) -> str:
        """The namespace of the Service by which slurmrestd is found."""
        return self.outside_slurm.namespace

    def slurm_files(self) -> dict[str, str]:
        """Return what the files of that Slurm have to hold, by name."""
        return {file.value: render(conf) for file, conf in outside_needs(self.outside_slurm).files.items()}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ConfigReading:
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        try:
            config = load_model(cls, data, SUBJECT)
        except SpecError as error:
            return ConfigReading(None, None, error.errors)
        config = config.with_context()
        errors, on_this_machine = config.errors_of_kubeconfig()
        outside = config.outside_slurm
        errors += operator_runs_the_copilot(config.operator, outside.namespace, ("operator",))
        why = f'the copilot speaks with it to the slurmrestd of "{outside.name}"; or write outsideSlurm.jwtKeySecret'
        needs = {"copilotToken": NeededSecret(why, secret_checks.token)} if config.writes_token else {}
        return ConfigReading(None if errors else config, None, errors, needs, on_this_machine)


CONFIG = CopilotConfig
