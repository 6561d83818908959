"""What can be said of any pod that the operator makes, and of the Services in front of it."""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.machine import TaintEffect
from pulumi_slurm.model.units import quantity_text


class TolerationOperator(StrEnum):
    """How a toleration compares a taint's value."""

    EQUAL = "Equal"
    EXISTS = "Exists"


class TolerationSpec(Model):
    """A toleration, as in a pod's specification."""

    key: str | None = None
    """The taint's key; none, with operator Exists, tolerates everything."""
    operator: TolerationOperator = TolerationOperator.EQUAL
    """Whether the value has to be equal or the taint only has to exist."""
    value: str | None = None
    """The taint's value."""
    effect: TaintEffect | None = None
    """The effect that is tolerated; none means every effect."""

    _key = field_validator("key")(kubernetes_names.label_key)
    _value = field_validator("value")(kubernetes_names.label_value)

    @model_validator(mode="after")
    def _operator_fits(self) -> Self:
        exists = self.operator is TolerationOperator.EXISTS
        if exists and self.value:
            problem, fix = "operator Exists compares no value", "Leave value out."
            raise field_errors([FieldError(("value",), self.value, problem, fix, depends_on_fields=(("operator",),))])
        if not exists and not self.key:
            problem, fix = "without a key only operator Exists is possible", 'Add key, or write operator "Exists".'
            raise field_errors(
                [FieldError(("key",), FieldError.ABSENT, problem, fix, depends_on_fields=(("operator",),))]
            )
        return self


class ResourcesSpec(Model):
    """CPU and memory of a container; requests and limits are the same, so that the pod is never throttled by others."""

    cpu: str
    """CPUs, for example "2" or "500m"."""
    memory: str
    """Memory, for example "4Gi"."""

    @field_validator("cpu", "memory", mode="before")
    @classmethod
    def _quantities(cls, value: Any) -> str:
        return quantity_text(value)


class PodSpec(Model):
    """Where a pod runs and what it is marked with."""

    labels: dict[str, str] = {}
    """Labels of the pod, beside those of the operator."""
    annotations: dict[str, str] = {}
    """Annotations of the pod."""
    node_selector: dict[str, str] = {}
    """Labels that a node must carry."""
    tolerations: list[TolerationSpec] = []
    """Taints that the pod puts up with."""
    affinity: dict[str, Any] = {}
    """A pod's `affinity`, in Kubernetes' own form."""
    priority_class_name: str | None = None
    """The pod's PriorityClass."""
    service_account_name: str | None = None
    """The pod's ServiceAccount."""
    runtime_class_name: str | None = None
    """The pod's RuntimeClass."""
    image_pull_secrets: list[str] = []
    """Names of Secrets for pulling images."""
    host_network: bool = False
    """Use the node's network, for hybrid clusters whose outside daemons can't reach pod addresses."""
    env: dict[str, str] = {}
    """Environment of the main container, for example SLURMD_OPTIONS."""

    _labels = field_validator("labels", "node_selector")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _names = field_validator("priority_class_name", "service_account_name", "runtime_class_name")(
        kubernetes_names.object_name
    )
    _secrets = field_validator("image_pull_secrets")(kubernetes_names.object_names)
    _env = field_validator("env")(kubernetes_names.environment)


class ServiceType(StrEnum):
    """How a Service is reached."""

    CLUSTER_IP = "ClusterIP"
    NODE_PORT = "NodePort"
    LOAD_BALANCER = "LoadBalancer"


class ServiceSpec(Model):
    """A Service in front of a daemon.

    The operator makes Services of its own once and never updates them; these are ours, so a change here takes effect.
    """

    type: ServiceType = ServiceType.CLUSTER_IP
    """ClusterIP keeps it inside the cluster; LoadBalancer asks the cloud for an address."""
    node_port: int | None = Field(default=None, ge=30000, le=32767)
    """The port on every node, with type NodePort or LoadBalancer."""
    annotations: dict[str, str] = {}
    """Annotations, for example to ask a cloud for an internal load balancer."""
    source_ranges: list[str] = []
    """Networks that may connect through the load balancer, in CIDR form."""

    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _networks = field_validator("source_ranges")(kubernetes_names.networks)
