"""The embedded cluster of `make up`: a real control plane and operator, on real nodes or simulated ones."""

from pulumi_slurm import SlurmCluster
from pulumi_slurm.model.operator_settings import OperatorSpec
from pulumi_slurm_stacks import kubernetes
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig


def build(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the Slurm cluster; the operator runs already, as a process next to the embedded control plane."""
    return kubernetes.build(config.model_copy(update={"operator": OperatorSpec(preinstalled=True)}), secrets)
