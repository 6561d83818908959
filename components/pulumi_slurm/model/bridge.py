"""Slurm Bridge, by which Slurm schedules pods of Kubernetes in addition to its own jobs.

Source: charts, docs and code of https://github.com/SlinkyProject/slurm-bridge, releases 1.1.2 and 1.2.1.
"""

from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label, slurm_name, slurm_names
from pulumi_slurm.model.pod import PlacementSpec, ResourcesSpec
from pulumi_slurm.model.releases.bridge_version import bridge_version
from pulumi_slurm.model.units import MAX_SLURM_NODES, duration

MANAGED_NODE = "slinky.slurm.net/managed-node"
"""The taint, with effect NoExecute, that the bridge puts on all nodes whose name Slurm knows."""

TOKEN = "bridge"
"""The name of the bridge's token, as in `tokens`."""
SCHEDULER = "slurm-bridge-scheduler"
"""The name of the bridge's scheduler by default."""


class BridgedNamespaceSpec(Model):
    """A namespace whose pods Slurm schedules, and what the annotations of workloads there may name.

    The bridge itself lets whoever may make pods there act as any user of Slurm, so a ValidatingAdmissionPolicy admits
    what is listed here alone; an annotation whose list is empty may not be given at all. A workload without user-id is
    SlurmUser's, so where `users` are listed, every workload has to name one of them.
    """

    name: str
    """The namespace."""
    create: bool = True
    """Create it. Write false if it exists already."""
    labels: dict[str, str] = {}
    """Further labels of a namespace that is made here."""
    quota: dict[str, str] = {}
    """Hard limits of a ResourceQuota, for example {"requests.cpu": "64", "pods": "100"}."""
    users: list[str] = []
    """Users that the annotation user-id has to name, by name or number as they are written there; the images of
    slurmrestd and slurmctld have to know them, which Slinky's don't."""
    groups: list[str] = []
    """Groups that group-id may name."""
    accounts: list[str] = []
    """Accounts that account may name; without the annotation, it is the user's default account that pays."""
    qos: list[str] = []
    """QoS that qos may name."""
    partitions: list[str] = []
    """Partitions that partition may name; without the annotation, it is the partition of the bridge."""
    reservations: list[str] = []
    """Reservations that reservation may name."""
    max_priority: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """The largest number that priority may name. Slurm takes any from the bridge, which is an operator to it."""

    _words = field_validator("users", "groups", "accounts", "qos", "partitions", "reservations")(slurm_names)
    _name = field_validator("name")(dns_label)
    _labels = field_validator("labels")(kubernetes_names.labels)

    @field_validator("quota", mode="before")
    @classmethod
    def _numbers_as_text(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: item if isinstance(item, dict | list) else str(item) for key, item in value.items()}


class BridgeNodesSpec(Model):
    """Kubernetes nodes without slurmd, which Slurm knows as external nodes and gives to pods alone."""

    name: str
    """The name by which partitions refer to them. In Slurm they have the names of these partitions as features."""
    pool: str | None = None
    """The node pool that they are; its nodes' own labels select them."""
    node_selector: dict[str, str] = {}
    """Labels of the nodes, in place of a pool."""
    max_nodes: int | None = Field(default=None, ge=1, le=MAX_SLURM_NODES)
    """The maximum number of nodes, where the pool doesn't say it. Slurm has room for 1024 dynamic nodes, or for as many
    as are stated in all node sets, pools and here."""

    _name = field_validator("name")(slurm_name)
    _node_selector = field_validator("node_selector")(kubernetes_names.labels)


class BridgeProgramSpec(Model):
    """One of the bridge's programs."""

    replicas: int = Field(default=1, ge=1)
    """Number of pods."""
    resources: ResourcesSpec | None = None
    """CPU and memory of a pod."""
    image: str | None = None
    """The image, in place of the one from `images.registry` and `version`."""
    pod: PlacementSpec = PlacementSpec()
    """Placement and metadata of the pods."""

    _image = field_validator("image")(kubernetes_names.image)


class ReadableOwnerSpec(Model):
    """A kind of object that the bridge's scheduler may read, because it owns pods that it schedules."""

    api_group: str
    """The API group, for example "trainer.kubeflow.org"."""
    resource: str
    """The plural name, for example "trainjobs"."""

    _api_group = field_validator("api_group")(kubernetes_names.object_name)
    _resource = field_validator("resource")(dns_label)


class BridgeSpec(Model):
    """Slurm Bridge: a scheduler, an admission webhook and controllers, in the namespace of the Slurm cluster."""

    partition: str
    """The partition of pods whose workload names none."""
    version: str | None = None
    """The release; by default the newest known one of the operator's minor release, since the two belong together."""
    scheduler_name: str = SCHEDULER
    """What pods have as `schedulerName`, and the value of the nodes' taint. A Kubernetes cluster can have one bridge,
    whose controllers take the taint off all nodes that their own Slurm doesn't know."""
    mcs_label: str = "kubernetes"
    """The MCS label of the bridge's jobs, by which pods share no node with Slurm's own jobs; see `bridged` of a node
    set."""
    namespaces: list[BridgedNamespaceSpec] = []
    """Namespaces whose pods Slurm schedules."""
    namespace_selector: dict[str, str] = {}
    """Labels of the namespaces whose pods Slurm schedules, in place of `namespaces`."""
    external_nodes: list[BridgeNodesSpec] = []
    """Kubernetes nodes without slurmd."""
    scheduler: BridgeProgramSpec = BridgeProgramSpec()
    """The scheduler; several pods elect a leader."""
    admission: BridgeProgramSpec = BridgeProgramSpec(replicas=2)
    """The webhook. While none of its pods runs, no pod can be made in the namespaces whose pods Slurm schedules."""
    controllers: BridgeProgramSpec = BridgeProgramSpec()
    """The controllers, which register nodes and clean up; before 1.3 they elect no leader, so there is one pod."""
    owners: list[ReadableOwnerSpec] = []
    """Further kinds that own pods. An annotation counts on the highest owner that the scheduler may read."""
    priority_class_name: str | None = None
    """The PriorityClass of its pods, in place of the cluster's."""
    wait: bool = True
    """Let `pulumi up` wait until its programs answer."""
    token_lifetime: str = "8760h"
    """How long the bridge's token is valid. Before 1.3 the bridge reads it at its start alone, so raise
    `generation` before."""
    generation: int = Field(default=1, ge=1)
    """Raise it by one to restart the bridge's pods, which then read the token anew."""

    _partition = field_validator("partition", "mcs_label")(slurm_name)
    _priority_class = field_validator("priority_class_name")(kubernetes_names.object_name)
    _selector = field_validator("namespace_selector")(kubernetes_names.labels)

    @field_validator("scheduler_name")
    @classmethod
    def _scheduler_is_another(cls, value: str) -> str:
        if value == "default-scheduler":
            raise field_error("this is Kubernetes' own scheduler", "Write another name, or leave it out.")
        return dns_label(value)

    @field_validator("version")
    @classmethod
    def _version_is_known(cls, value: str | None) -> str | None:
        return value if value is None else bridge_version(value).version

    @field_validator("token_lifetime", mode="before")
    @classmethod
    def _lifetime_is_a_duration(cls, value: Any) -> str:
        return duration(str(value))
