"""Autoscaling of node sets and login sets."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model.base import Model


class Autoscaler(StrEnum):
    """The autoscaler that sets the number of replicas."""

    KEDA = "keda"
    HPA = "hpa"


class AutoscalingSpec(Model):
    """Bounds and trigger of an autoscaler. With it, Pulumi no longer changes the number of replicas."""

    kind: Autoscaler = Autoscaler.KEDA
    """"keda" creates a ScaledObject, which can scale to zero; "hpa" creates a HorizontalPodAutoscaler, which can't."""
    min_replicas: int = Field(default=0, ge=0)
    """Minimum number of replicas."""
    max_replicas: int = Field(ge=1)
    """Maximum number of replicas."""
    prometheus_address: str | None = None
    """With KEDA: the address of Prometheus, for example "http://prometheus.monitoring:9090"; required."""
    partition: str | None = None
    """The partition whose pending jobs are counted; by default the first one that contains the node set."""
    jobs_per_replica: int = Field(default=1, ge=1)
    """With KEDA: number of pending jobs for each additional replica."""
    cpu_utilization: int = Field(default=80, ge=1, le=100)
    """With HPA: target for the average CPU utilization, in percent of the request."""
    cooldown_seconds: int = Field(default=300, ge=0)
    """With KEDA: seconds to wait after the last pending job before scaling down to the minimum."""

    @model_validator(mode="after")
    def _bounds_fit(self) -> Self:
        errors: list[FieldError] = []
        if self.min_replicas > self.max_replicas:
            errors.append(
                FieldError(
                    ("min_replicas",),
                    self.min_replicas,
                    f"the minimum is above maxReplicas, {self.max_replicas}",
                    f"Write {self.max_replicas} or less.",
                )
            )
        if self.kind is Autoscaler.HPA and self.min_replicas == 0:
            errors.append(
                FieldError(
                    ("min_replicas",),
                    0,
                    "a HorizontalPodAutoscaler can't go to zero",
                    'Write 1 or more, or use kind "keda".',
                )
            )
        if self.kind is Autoscaler.KEDA and not self.prometheus_address:
            errors.append(
                FieldError(
                    ("prometheus_address",),
                    FieldError.ABSENT,
                    "KEDA counts pending jobs in Prometheus and needs its address",
                    'Add prometheusAddress, for example "http://prometheus.monitoring:9090", or use kind "hpa".',
                    depends_on_fields=(("kind",),),
                )
            )
        if errors:
            raise field_errors(errors)
        return self
