"""A Slurm cluster, and what is installed into the Kubernetes cluster for it."""

from pulumi_slurm.model.base import Model
from pulumi_slurm.model.operator_settings import KedaSettings, OperatorSpec
from pulumi_slurm.model.slurm import SlurmSpec


class SlurmInstallation(Model):
    """What is written of a Slurm cluster in every stack's file, and given to the component of a whole one."""

    cluster: SlurmSpec
    """The Slurm cluster."""
    operator: OperatorSpec = OperatorSpec()
    """How slurm-operator comes into the Kubernetes cluster."""
    keda: KedaSettings | None = None
    """Install KEDA, which autoscaling of node sets needs. Leave it out where it runs already, or isn't used."""
    create_namespace: bool = True
    """Create the Slurm cluster's namespace. Write false if another program creates it, on a cluster that exists."""
