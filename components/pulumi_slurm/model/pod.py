"""Options of the pods that the operator creates, and of the Services in front of them."""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_errors, optional
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_fields import in_form_of
from pulumi_slurm.model.machine import TaintEffect
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.units import bytes_text, quantity, quantity_text


class TolerationOperator(StrEnum):
    """How a toleration compares a taint's value."""

    EQUAL = "Equal"
    EXISTS = "Exists"


class TolerationSpec(Model):
    """A toleration of a pod, as in Kubernetes."""

    key: str | None = None
    """The taint's key; if omitted, with operator Exists, all taints are tolerated."""
    operator: OneOf[TolerationOperator] = TolerationOperator.EQUAL
    """Whether the values have to be equal, or the taint only has to exist."""
    value: str | None = None
    """The taint's value."""
    effect: OneOf[TaintEffect] | None = None
    """The effect to tolerate; by default every effect."""
    toleration_seconds: int | None = Field(default=None, ge=0)
    """With effect NoExecute: how long the pod stays on a node with the taint; by default for ever."""

    _key = field_validator("key")(kubernetes_names.label_key)
    _value = field_validator("value")(kubernetes_names.label_value)

    @model_validator(mode="after")
    def _operator_fits(self) -> Self:
        exists = self.operator is TolerationOperator.EXISTS
        if self.toleration_seconds is not None and self.effect is not TaintEffect.NO_EXECUTE:
            problem, fix = (
                "only effect NoExecute evicts pods",
                'Write effect "NoExecute", or leave tolerationSeconds out.',
            )
            at = ("toleration_seconds",)
            raise field_errors(
                [FieldError(at, self.toleration_seconds, problem, fix, depends_on_fields=(("effect",),))]
            )
        if exists and self.value:
            problem, fix = "operator Exists compares no value", "Leave value out."
            raise field_errors([FieldError(("value",), self.value, problem, fix, depends_on_fields=(("operator",),))])
        if not exists and not self.key:
            problem, fix = "without a key only operator Exists is possible", 'Add key, or write operator "Exists".'
            raise field_errors(
                [FieldError(("key",), FieldError.ABSENT, problem, fix, depends_on_fields=(("operator",),))]
            )
        return self


class RequestsSpec(Model):
    """CPU and memory that the scheduler sets aside for a container, where they are less than its limits."""

    cpu: str | None = None
    """CPUs, for example "500m"; by default the limit."""
    memory: str | None = None
    """Memory, for example "1Gi"; by default the limit."""

    _cpu_is_a_quantity = field_validator("cpu", mode="before")(optional(quantity_text))

    _memory_is_a_quantity = field_validator("memory", mode="before")(optional(bytes_text))


class ResourcesSpec(Model):
    """Limits of a container's CPU and memory, which it also requests unless `requests` says otherwise."""

    cpu: str
    """CPUs, for example "2" or "500m"."""
    memory: str
    """Memory, for example "4Gi"."""
    requests: RequestsSpec = RequestsSpec()
    """What to request in place of the limits, so that other pods can use what this one leaves."""

    _cpu_is_a_quantity = field_validator("cpu", mode="before")(quantity_text)
    _memory_is_a_quantity = field_validator("memory", mode="before")(bytes_text)

    @model_validator(mode="after")
    def _requests_are_within_limits(self) -> Self:
        errors = [
            FieldError(
                ("requests", name),
                request,
                f"Kubernetes refuses a request above the limit, {limit}",
                f'Write "{limit}" or less, or raise the limit.',
                depends_on_fields=((name,),),
            )
            for name, request, limit in (
                ("cpu", self.requests.cpu, self.cpu),
                ("memory", self.requests.memory, self.memory),
            )
            if request and quantity(request) > quantity(limit)
        ]
        if errors:
            raise field_errors(errors)
        return self


class PlacementSpec(Model):
    """Placement and metadata of a pod that runs no daemon of Slurm."""

    _with_line_breaks = frozenset({"annotations"})

    labels: dict[str, str] = {}
    """Labels of the pod, in addition to the operator's."""
    annotations: dict[str, str] = {}
    """Annotations of the pod."""
    node_selector: dict[str, str] = {}
    """Labels that a node must have."""
    tolerations: list[TolerationSpec] = []
    """Tolerations of the pod."""
    affinity: dict[str, Any] = {}
    """The pod's `affinity`, in the form of the Kubernetes API."""
    priority_class_name: str | None = None
    """The pod's PriorityClass, in place of the cluster's `priorityClassName`."""
    image_pull_secrets: list[str] = []
    """Names of Secrets for pulling images, in addition to `images.pullSecrets`."""

    _labels = field_validator("labels", "node_selector")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _affinity = field_validator("affinity")(in_form_of("Affinity"))
    _priority_class = field_validator("priority_class_name")(kubernetes_names.object_name)
    _secrets = field_validator("image_pull_secrets")(kubernetes_names.object_names)


class PodSpec(PlacementSpec):
    """Placement and metadata of a pod."""

    _with_line_breaks = frozenset({"env"})

    service_account_name: str | None = None
    """The pod's ServiceAccount."""
    runtime_class_name: str | None = None
    """The pod's RuntimeClass."""
    topology_spread_constraints: list[dict[str, Any]] = []
    """The pod's `topologySpreadConstraints`, in the form of the Kubernetes API."""
    termination_grace_period_seconds: int | None = Field(default=None, ge=1)
    """Seconds that the pod has to end by itself; 30 by default, as in Kubernetes."""
    host_network: bool = False
    """Use the node's network, for hybrid clusters whose external daemons can't reach the addresses of pods."""
    env: dict[str, str] = {}
    """Environment variables of the main container, for example SLURMD_OPTIONS."""

    _names = field_validator("service_account_name", "runtime_class_name")(kubernetes_names.object_name)
    _env = field_validator("env")(kubernetes_names.environment)
    _spread = field_validator("topology_spread_constraints")(in_form_of("[TopologySpreadConstraint]"))


class ServiceType(StrEnum):
    """How a Service is exposed."""

    CLUSTER_IP = "ClusterIP"
    NODE_PORT = "NodePort"
    LOAD_BALANCER = "LoadBalancer"


class TrafficPolicy(StrEnum):
    """Which nodes forward connections from outside."""

    CLUSTER = "Cluster"
    LOCAL = "Local"


class SessionAffinity(StrEnum):
    """Whether connections of a client go to the same pod."""

    NONE = "None"
    CLIENT_IP = "ClientIP"


class ServiceSpec(Model):
    """A Service in front of a daemon, in addition to the operator's own, which daemons and the operator itself use.

    All of it can be changed at any time; of its own Services the operator never updates the one of slurmctld.
    """

    _with_line_breaks = frozenset({"annotations"})

    type: OneOf[ServiceType] = ServiceType.CLUSTER_IP
    """ClusterIP keeps the Service inside the cluster; LoadBalancer requests an address from the cloud."""
    node_port: int | None = Field(default=None, ge=30000, le=32767)
    """The port on every node, with type NodePort or LoadBalancer."""
    labels: dict[str, str] = {}
    """Labels of the Service, in addition to those of all of the cluster's objects."""
    annotations: dict[str, str] = {}
    """Annotations of the Service, for example the id of a load balancer that exists already."""
    internal: bool = True
    """Keep the load balancer off the Internet. Annotations ask for that on Google Cloud, Alibaba Cloud, AWS, Azure,
    Oracle Cloud, IBM Cloud, DigitalOcean, OpenStack and Baidu Cloud; elsewhere add the cloud's own to `annotations`.
    With false, `sourceRanges` has to say who may connect."""
    source_ranges: list[str] = []
    """Networks that may connect through the load balancer, in CIDR notation; 0.0.0.0/0 is the whole Internet."""
    load_balancer_class: str | None = None
    """Which of several load balancers serves the Service. It can't be changed while the Service is there."""
    external_traffic_policy: OneOf[TrafficPolicy] | None = None
    """Local keeps clients' addresses and only uses nodes with a pod; Cluster, the default, uses every node."""
    session_affinity: OneOf[SessionAffinity] | None = None
    """ClientIP sends all connections of a client to the same pod; by default they are spread."""

    _labels = field_validator("labels")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _class = field_validator("load_balancer_class")(kubernetes_names.label_key)
    _networks = field_validator("source_ranges")(kubernetes_names.networks)
