"""The embedded cluster of `make up`: a real control plane and operator, on nodes that are simulated."""

from pulumi_slurm import SlurmCluster
from stacks.config import OperatorSpec, StackSecrets
from stacks.kubernetes import kubernetes_stack
from stacks.kubernetes_config import KubernetesConfig


def local_stack(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the Slurm cluster; the operator is there already, because pods of the embedded cluster don't run."""
    return kubernetes_stack(config.model_copy(update={"operator": OperatorSpec(preinstalled=True)}), secrets)
