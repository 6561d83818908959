"""Autoscaling: who changes the number of replicas when Pulumi doesn't."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model.base import Model


class Autoscaler(StrEnum):
    """What watches the queue and sets replicas."""

    KEDA = "keda"
    HPA = "hpa"


class AutoscalingSpec(Model):
    """Bounds and trigger of an autoscaler. With it, replicas are no longer Pulumi's to change."""

    kind: Autoscaler = Autoscaler.KEDA
    """"keda" makes a ScaledObject and can reach zero; "hpa" makes a HorizontalPodAutoscaler and can't."""
    min_replicas: int = Field(default=0, ge=0)
    """Fewest replicas."""
    max_replicas: int = Field(ge=1)
    """Most replicas."""
    prometheus_address: str | None = None
    """Where KEDA asks Prometheus, for example "http://prometheus.monitoring:9090"; required with "keda"."""
    partition: str | None = None
    """The partition whose pending jobs are counted; by default the first one that holds the node set."""
    jobs_per_replica: int = Field(default=1, ge=1)
    """With KEDA: pending jobs that justify one more replica."""
    cpu_utilization: int = Field(default=80, ge=1, le=100)
    """With HPA: average CPU use, in percent of the request, that is aimed at."""
    cooldown_seconds: int = Field(default=300, ge=0)
    """With KEDA: how long to wait after the last pending job before going to the minimum."""

    @model_validator(mode="after")
    def _bounds_fit(self) -> Self:
        found: list[FieldError] = []
        if self.min_replicas > self.max_replicas:
            found.append(
                FieldError(
                    ("min_replicas",),
                    self.min_replicas,
                    f"the minimum is above maxReplicas, {self.max_replicas}",
                    f"Write {self.max_replicas} or less.",
                )
            )
        if self.kind is Autoscaler.HPA and self.min_replicas == 0:
            found.append(
                FieldError(
                    ("min_replicas",),
                    0,
                    "a HorizontalPodAutoscaler can't go to zero",
                    'Write 1 or more, or use kind "keda".',
                )
            )
        if self.kind is Autoscaler.KEDA and not self.prometheus_address:
            found.append(
                FieldError(
                    ("prometheus_address",),
                    FieldError.ABSENT,
                    "KEDA counts pending jobs in Prometheus and needs its address",
                    'Add prometheusAddress, for example "http://prometheus.monitoring:9090", or use kind "hpa".',
                    depends_on_fields=(("kind",),),
                )
            )
        if found:
            raise field_errors(found)
        return self
