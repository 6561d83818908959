"""Autoscaling of node sets and login sets."""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_fields import in_form_of
from pulumi_slurm.model.one_of import OneOf


class Autoscaler(StrEnum):
    """The autoscaler that sets the number of replicas."""

    KEDA = "keda"
    HPA = "hpa"


class AuthenticationKind(StrEnum):
    """The kind of KEDA's object with credentials."""

    TRIGGER = "TriggerAuthentication"
    CLUSTER_TRIGGER = "ClusterTriggerAuthentication"


class AuthenticationMode(StrEnum):
    """How KEDA authenticates to Prometheus."""

    BASIC = "basic"
    BEARER = "bearer"
    TLS = "tls"
    CUSTOM = "custom"


class AuthenticationSpec(Model):
    """An object of KEDA with the credentials for Prometheus."""

    name: str
    """The object's name."""
    kind: OneOf[AuthenticationKind] = AuthenticationKind.TRIGGER
    """"TriggerAuthentication" is in the cluster's namespace, "ClusterTriggerAuthentication" in none."""
    modes: list[OneOf[AuthenticationMode]] = []
    """The modes for which the object has credentials; none with the identity of KEDA's pod."""

    _name = field_validator("name")(kubernetes_names.object_name)


class AutoscalingSpec(Model):
    """Bounds and trigger of an autoscaler. With it, Pulumi no longer changes the number of replicas."""

    _with_line_breaks = frozenset({"query"})

    kind: OneOf[Autoscaler] = Autoscaler.KEDA
    """"keda" creates a ScaledObject, which can scale to zero; "hpa" creates a HorizontalPodAutoscaler, which can't."""
    min_replicas: int = Field(default=0, ge=0)
    """Minimum number of replicas."""
    max_replicas: int = Field(ge=1)
    """Maximum number of replicas."""
    idle_replicas: int | None = None
    """With KEDA: 0 to go to zero when nothing runs or waits, and to at least minReplicas otherwise."""
    prometheus_address: str | None = None
    """With KEDA: the address of Prometheus, for example "http://prometheus.monitoring:9090"; by default that of
    `monitoring.prometheus`."""
    authentication: AuthenticationSpec | None = None
    """With KEDA: the credentials for Prometheus, if it asks for them."""
    partition: str | None = None
    """The partition whose pending jobs are counted; by default the first one that contains the node set."""
    jobs_per_replica: int = Field(default=1, ge=1)
    """With KEDA: number of pending jobs that share a node. A job of several nodes gets them all in any case."""
    query: str | None = None
    """With KEDA: a query of your own in PromQL, whose only value is the number of replicas. The default counts nodes
    with jobs and nodes for pending jobs, in metrics with the label `namespace`, as a ServiceMonitor adds it."""
    cpu_utilization: int = Field(default=80, ge=1, le=100)
    """With HPA: target for the average CPU utilization, in percent of the request."""
    polling_seconds: int = Field(default=30, ge=1)
    """With KEDA: seconds between two looks at Prometheus while there are no replicas."""
    cooldown_seconds: int = Field(default=300, ge=0)
    """With KEDA: seconds without any job before the last replica is removed. Until then the HorizontalPodAutoscaler's
    own wait of 300 seconds counts; see `behavior`."""
    behavior: dict[str, Any] = {}
    """Pace of scaling, in the form of a HorizontalPodAutoscaler's `behavior`."""

    @field_validator("query")
    @classmethod
    def _query_is_not_empty(cls, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise field_error("this is no query", "Write one in PromQL, or leave it out.")
        return value

    _behavior = field_validator("behavior")(in_form_of("HorizontalPodAutoscalerBehavior"))

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
        errors += self._idle_errors()
        errors += self._keda_errors()
        if errors:
            raise field_errors(errors)
        return self

    def _idle_errors(self) -> list[FieldError]:
        if self.idle_replicas is None or self.kind is not Autoscaler.KEDA:
            return []
        at = ("idle_replicas",)
        if self.idle_replicas:
            return [FieldError(at, self.idle_replicas, "KEDA goes to zero or not at all", "Write 0, or leave it out.")]
        if self.min_replicas == 0:
            problem = "minReplicas is 0, so there are no replicas when idle anyway, and KEDA refuses idleReplicas then"
            return [FieldError(at, 0, problem, "Leave idleReplicas out, or write minReplicas of at least 1.")]
        return []

    def _keda_errors(self) -> list[FieldError]:
        if self.kind is Autoscaler.KEDA:
            return []
        return [
            FieldError((field,), getattr(self, field), "only KEDA has this", 'Leave it out, or write kind "keda".')
            for field in ("idle_replicas", "authentication", "query")
            if getattr(self, field) is not None
        ]
