"""The configuration of a stack on a Kubernetes cluster that exists already: how to reach that."""

import os
from typing import Self

from pulumi_slurm.errors import FieldError
from pulumi_slurm_stacks.config import StackConfig
from pulumi_slurm_stacks.kubeconfig import is_a_path, is_on_this_machine


class ExistingClusterConfig(StackConfig):
    """The configuration of a stack on a Kubernetes cluster that exists already, without its secrets."""

    kubeconfig: str | None = None
    """The path of a kubeconfig; by default $KUBECONFIG or the one in your home folder."""
    context: str | None = None
    """The context within the kubeconfig; by default $KUBE_CONTEXT or the current one."""
    cluster_identifier: str | None = None
    """A name for the Kubernetes cluster. As long as it stays, nothing is replaced when its address changes."""

    def with_context(self) -> Self:
        """Return it with the context of the environment, unless it has its own."""
        return self.model_copy(update={"context": self.context or os.environ.get("KUBE_CONTEXT")})

    def errors_of_kubeconfig(self) -> tuple[list[FieldError], list[FieldError]]:
        """Return what is wrong with the way to the cluster: in the configuration, and on this machine."""
        unusable = is_a_path(self.kubeconfig)
        return unusable, [] if unusable else is_on_this_machine(self.kubeconfig, self.context)
