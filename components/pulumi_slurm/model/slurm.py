"""The specification of one Slurm cluster, which is the same on every kind of Kubernetes cluster."""

from pydantic import field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.access import LoginSetSpec, RestApiSpec, TokenSpec
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.bridge import BridgeSpec
from pulumi_slurm.model.cluster_settings import ClusterSettings
from pulumi_slurm.model.confine import ConfineSpec
from pulumi_slurm.model.controller import ControllerSpec
from pulumi_slurm.model.external_nodes import ExternalNodesSpec
from pulumi_slurm.model.hooks import HooksSpec, check_files
from pulumi_slurm.model.identity import IdentitySpec
from pulumi_slurm.model.monitoring import MonitoringSpec
from pulumi_slurm.model.network_policies import NetworkPoliciesSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.partition import PartitionSpec
from pulumi_slurm.model.slurm_conf import SlurmConfSpec
from pulumi_slurm.model.storage import SharedVolumeSpec
from pulumi_slurm.model.topology import TopologySpec
from pulumi_slurm.slurmconf.version import Series


class SlurmSpec(ClusterSettings):
    """A Slurm cluster."""

    _with_line_breaks = frozenset({"config_files"})

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
    """Confinement of each job on its nodes: cgroup.conf."""
    slurm_conf: SlurmConfSpec = SlurmConfSpec()
    """Additional lines of slurm.conf."""
    tokens: list[TokenSpec] = []
    """Tokens for users of the REST API."""
    monitoring: MonitoringSpec = MonitoringSpec()
    """Metrics of slurmctld, and scraping them."""
    network_policies: NetworkPoliciesSpec = NetworkPoliciesSpec()
    """Who may connect to Slurm's daemons, the database and the directory."""
    namespace_labels: dict[str, str] = {}
    """Labels of the namespace, if it is created with the cluster. By default it admits privileged pods, which workers
    are: `pod-security.kubernetes.io/enforce: privileged`."""

    _namespace_labels = field_validator("namespace_labels")(kubernetes_names.labels)

    _files_are_ours = field_validator("config_files")(check_files)

    @property
    def slurm_series(self) -> str:
        """The Slurm series, for example "25.11"."""
        return str(Series.of(self.slurm_version))
