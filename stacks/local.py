"""The embedded cluster of `make up`: a real control plane and operator, on nodes that are simulated."""

from pulumi_slurm import SlurmCluster

from .config import Operator, StackSecrets
from .kubernetes import kubernetes_stack
from .kubernetes_config import KubernetesConfig


def local_stack(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the Slurm cluster; the operator is there already, because pods of the embedded cluster don't run."""
    return kubernetes_stack(config.model_copy(update={"operator": Operator(preinstalled=True)}), secrets)
