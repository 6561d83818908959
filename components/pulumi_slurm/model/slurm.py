"""The specification of one Slurm cluster, which is the same on every kind of Kubernetes cluster."""

from pydantic import field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.access import LoginSetSpec, RestApiSpec, TokenSpec
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.bridge import BridgeSpec
from pulumi_slurm.model.cluster_fields import (
    cluster_namespace,
    cluster_prefix,
    conf_cluster_name,
    operator_release,
    slurm_release,
)
from pulumi_slurm.model.confine import ConfineSpec
from pulumi_slurm.model.controller import ControllerSpec
from pulumi_slurm.model.external_nodes import ExternalNodesSpec
from pulumi_slurm.model.hooks import HooksSpec, check_files
from pulumi_slurm.model.identity import IdentitySpec
from pulumi_slurm.model.images import ImagesSpec
from pulumi_slurm.model.keys import KeysSpec
from pulumi_slurm.model.monitoring import MonitoringSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.operator_version import DEFAULT_OPERATOR, OperatorVersion, operator_version
from pulumi_slurm.model.partition import PartitionSpec
from pulumi_slurm.model.slurm_conf import SlurmConfSpec
from pulumi_slurm.model.storage import SharedVolumeSpec
from pulumi_slurm.model.topology import TopologySpec
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES, Series


class SlurmSpec(Model):
    """A Slurm cluster."""

    name: str
    """ClusterName, unless `clusterName` differs, and the prefix of the names of all objects. It can't be changed after
    creation."""
    cluster_name: str | None = None
    """ClusterName in slurm.conf, under which slurmdbd keeps jobs and accounts; by default `name`. Slurm turns it into
    lower case. It can't be changed after creation."""
    namespace: str = "slurm"
    """The Kubernetes namespace of the cluster's objects; it can hold only one Slurm cluster."""
    slurm_version: str = str(DEFAULT_SERIES)
    """The Slurm series, or a release of it."""
    operator_version: str = DEFAULT_OPERATOR
    """The release of slurm-operator that reconciles the objects. A patch release that is not known here is treated as
    the newest known one of its minor release, with a warning."""
    node_sets: list[NodeSetSpec] = []
    """Node sets: the workers."""
    external_nodes: list[ExternalNodesSpec] = []
    """Machines outside the Kubernetes cluster, whose slurmds register by themselves."""
    partitions: list[PartitionSpec] = []
    """Partitions of node sets. A node set can also have a partition of its own, see its field `partition`."""
    topologies: list[TopologySpec] = []
    """Where nodes are in the network, by labels of their Kubernetes nodes: topology.yaml, and what fills it."""
    bridge: BridgeSpec | None = None
    """Slurm Bridge, by which Slurm schedules pods too."""
    controller: ControllerSpec = ControllerSpec()
    """slurmctld, the daemon that schedules jobs."""
    accounting: AccountingSpec | None = None
    """slurmdbd and its database. Without it there are no job history and no limits."""
    rest_api: RestApiSpec = RestApiSpec()
    """slurmrestd, Slurm's REST API."""
    login_sets: list[LoginSetSpec] = []
    """Login nodes."""
    identity: IdentitySpec | None = None
    """The source of users; required by login sets and by SSH into workers."""
    shared_volumes: list[SharedVolumeSpec] = []
    """Volumes that login and worker pods share, for example /home."""
    hooks: HooksSpec = HooksSpec()
    """Prolog and epilog scripts."""
    config_files: dict[str, str] = {}
    """Configuration files other than slurm.conf by name, for example gres.conf or topology.yaml."""
    confine: ConfineSpec = ConfineSpec()
    """What each job is confined to on its nodes: cgroup.conf."""
    slurm_conf: SlurmConfSpec = SlurmConfSpec()
    """Additional lines of slurm.conf."""
    keys: KeysSpec = KeysSpec()
    """Slurm's authentication keys: their generations, or Secrets with existing keys."""
    tokens: list[TokenSpec] = []
    """Tokens for users of the REST API."""
    monitoring: MonitoringSpec = MonitoringSpec()
    """Metrics of slurmctld, and scraping them."""
    images: ImagesSpec = ImagesSpec()
    """Registry, tag and pulling of the images."""
    labels: dict[str, str] = {}
    """Labels of all of the cluster's objects and pods, for example for cost allocation."""
    namespace_labels: dict[str, str] = {}
    """Labels of the namespace, if it is created with the cluster. By default it admits privileged pods, which workers
    are: `pod-security.kubernetes.io/enforce: privileged`."""
    priority_class_name: str | None = None
    """The PriorityClass of all pods that have none of their own, Jobs, database and directory included."""

    _labels = field_validator("labels", "namespace_labels")(kubernetes_names.labels)
    _priority_class = field_validator("priority_class_name")(kubernetes_names.object_name)
    _name = field_validator("name")(cluster_prefix)
    _cluster_name = field_validator("cluster_name")(conf_cluster_name)
    _namespace = field_validator("namespace")(cluster_namespace)
    _slurm_version = field_validator("slurm_version", mode="before")(slurm_release)
    _operator_version = field_validator("operator_version")(operator_release)

    @field_validator("config_files")
    @classmethod
    def _files_are_ours(cls, value: dict[str, str]) -> dict[str, str]:
        return check_files(value)

    @property
    def slurm_name(self) -> str:
        """The cluster's name in slurm.conf."""
        return self.cluster_name or self.name

    @property
    def operator(self) -> OperatorVersion:
        """The row of the operator's release: its features and the form of its objects."""
        return operator_version(self.operator_version)

    @property
    def slurm_series(self) -> str:
        """The Slurm series, for example "25.11"."""
        return str(Series.of(self.slurm_version))
