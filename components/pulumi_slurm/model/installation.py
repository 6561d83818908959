"""A Slurm cluster, and what is installed into the Kubernetes cluster for it."""

from collections.abc import Iterator
from typing import Self

from pydantic import model_validator

from pulumi_slurm.errors import FieldError, raise_errors
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

    @model_validator(mode="after")
    def _namespaces_are_several(self) -> Self:
        raise_errors(self._namespaces_twice())
        return self

    def _namespaces_twice(self) -> Iterator[FieldError]:
        """Yield the namespaces that are written for an operator, and made for something else."""
        owners = {self.cluster.namespace: "the Slurm cluster"} if self.create_namespace else {}
        for field, settings, owner in (("operator", self.operator, "slurm-operator"), ("keda", self.keda, "KEDA")):
            if settings and "namespace" in settings.model_fields_set and settings.namespace in owners:
                problem = f"this is the namespace of {owners[settings.namespace]}, and the stack makes each once"
                yield FieldError((field, "namespace"), settings.namespace, problem, "Write another one.")
            if settings:
                owners.setdefault(settings.namespace, owner)
