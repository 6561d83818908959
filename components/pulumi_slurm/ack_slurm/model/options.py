"""The options of ack-slurm-operator that the Slurm specification, which is the same on every cloud, doesn't have.

Source of names and defaults: Alibaba Cloud's guides for containerised Slurm and for colocated scheduling, and the
public start scripts and API types in https://github.com/AliyunContainerService/ai-models-on-ack (framework/slurm).
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.ack_slurm.model.pods import (
    PodExtrasSpec,
    StartedPodExtrasSpec,
    WorkerExtrasSpec,
    WorkerRequestsSpec,
    absolute,
)
from pulumi_slurm.errors import FieldError, check_each_pair, each, field_error, optional, raise_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.alibaba_annotations import only_from
from pulumi_slurm.model.alibaba_ids import id_of_access_list
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_fields import made_namespace
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.pod import ServiceSpec, ServiceType
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release

IMAGE = "registry-{region}-vpc.ack.aliyuncs.com/acs/slurm:23.06-1.6-aliyun-49259f59"
"""Alibaba's image; in spite of its tag it contains Slurm 23.02.7, built with Alibaba's two plugins. Nodes
pull it within their VPC, not through a NAT gateway; the region's public registry has no "-vpc" in its name."""
CHARTS = "https://aliacs-app-catalog.oss-cn-hangzhou.aliyuncs.com/charts-incubator/"
"""The repository of the chart ack-slurm-cluster in Alibaba's guide."""


_OWN_FOLDERS = ("/var/spool/slurmctld", "/etc/munge", "/etc/slurm", "/root/.ssh")
"""Where slurmctld has its state, start scripts install files, and root has its keys."""


class OperatorChartSpec(Model):
    """ack-slurm-operator, from a Helm chart; it is installed once per Kubernetes cluster."""

    install: bool = True
    """Write false if it is installed already, for example from the App Marketplace."""
    repository: str | None = CHARTS
    """The chart's repository; empty if `chart` is an address or a folder."""
    chart: str = "ack-slurm-operator"
    """The chart's name in the repository, its OCI address, or a folder."""
    version: str | None = None
    """The chart's version; by default the newest."""
    namespace: str = "ack-slurm-operator"
    """The operator's namespace."""
    watch_namespace: str | None = None
    """The only namespace in which the copilot looks for clusters; by default the Slurm cluster's."""
    values: dict[str, Any] = {}
    """Additional values of the chart."""

    _namespace_is_a_label = field_validator("watch_namespace")(optional(dns_label))

    @field_validator("namespace")
    @classmethod
    def _namespace_is_made(cls, value: str, info: ValidationInfo) -> str:
        return (
            made_namespace(value, "the operator", "ack-slurm-operator")
            if info.data.get("install")
            else dns_label(value)
        )


class ClusterChartSpec(Model):
    """The chart ack-slurm-cluster, for those who want Helm to manage the SlurmCluster object."""

    repository: str | None = CHARTS
    """The chart's repository; empty if `chart` is an address or a folder."""
    chart: str = "ack-slurm-cluster"
    """The chart's name in the repository, its OCI address, or a folder."""
    version: str | None = "2.0.0"
    """The chart's version."""
    values: dict[str, Any] = {}
    """Merged last into the derived values."""


class CopilotSpec(Model):
    """Colocation: Slurm jobs and Kubernetes pods share nodes, without allocating the same resources twice."""

    submit_plugin: bool = True
    """Let a plugin derive the two GRES of each job; jobs must then set --ntasks, --cpus-per-task and --mem."""
    token: bool = False
    """Take the copilot's token from the stack secret `slurm:copilotToken`; by default slurmctld writes it."""
    create_token_secret: bool = True
    """Create the Secret ack-slurm-jwt-token in the operator's namespace. Write false if it exists already, with
    tokens of other clusters: then it is left alone, and stays."""
    requests: WorkerRequestsSpec = WorkerRequestsSpec()
    """The requests of each worker. The copilot counts them as used by Kubernetes."""

    @model_validator(mode="after")
    def _token_is_written_somewhere(self) -> Self:
        if self.token and not self.create_token_secret:
            problem, fix = "createTokenSecret is false, so no token is written", "Leave one of the two out."
            raise_errors([FieldError(("token",), True, problem, fix, depends_on_fields=(("create_token_secret",),))])
        return self


class PowerSavingSpec(Model):
    """Autoscaling by Slurm itself: slurm.conf lists the nodes in advance, and programs request their pods."""

    groups: dict[str, int] = {}
    """Node sets that Slurm scales, with the maximum number of nodes of each. Node sets with `autoscaling` are scaled
    too."""
    suspend_time: int = Field(default=600, ge=1, le=2**31 - 1)
    """Idle seconds after which a node's pod is deleted."""
    suspend_timeout: int = Field(default=600, ge=1, le=65533)
    """Seconds that the termination of a pod may take."""
    resume_timeout: int | None = Field(default=None, ge=1, le=65533)
    """Seconds within which a new pod has to register, including the time for a new machine, its GPU driver and the
    image: 600 by default, or 1800 if a node set that Slurm scales has GPUs."""
    suspend_rate: int = Field(default=1, ge=0, le=65533)
    """How many nodes are suspended per minute; 0 is no limit."""
    resume_rate: int = Field(default=0, ge=0, le=65533)
    """How many nodes are resumed per minute; 0 is no limit. With one per minute, as in Alibaba's guides, a job of ten
    nodes pays for the first one nine minutes before the last is asked for."""
    suspend_program: str = "/slurm-suspend.sh"
    """The program in the image that deletes pods."""
    resume_program: str = "/slurm-resume.sh"
    """The program in the image that starts pods."""

    _programs = field_validator("suspend_program", "resume_program")(absolute)

    @field_validator("groups")
    @classmethod
    def _groups_have_nodes(cls, value: dict[str, int]) -> dict[str, int]:
        return check_each_pair(value, value.items(), _has_nodes)


class JobCompletionSpec(Model):
    """A record of every finished job in MySQL, in addition to accounting (jobcomp/mysql).

    Slurm reads its password from slurm.conf, so everyone who may log in to the controller can read it too: use a
    database user whose only right is to write to this database.
    """

    host: str | None = None
    """The database's host; by default the host of the accounting database."""
    port: int = Field(default=3306, ge=1, le=65535)
    """Its port."""
    user: str = Field(default="slurm_jobcomp", pattern=r"^[A-Za-z0-9_]+$")
    """The user; its password is the stack secret `slurm:jobCompletionPassword`."""
    database: str = "slurm_jobcomp_db"
    """The database's name. Slurm creates its table but not the database itself."""

    @field_validator("database")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        if "/" in value or "." in value:
            raise field_error(
                "with jobcomp/mysql this is the name of a database, and Slurm would write to slurm_jobcomp_db instead",
                'Write a name such as "slurm_jobcomp_db".',
            )
        return value


class AckSshSpec(Model):
    """The SSH server of the controller, through a load balancer."""

    _with_line_breaks = frozenset({"annotations"})

    internal: bool = True
    """Keep the load balancer off the Internet. With false `accessControlList` says who may connect."""
    annotations: dict[str, str] = {}
    """Additional annotations of the Service, for example the id of an existing load balancer."""
    controller_type: str = "head"
    """The value of the label kai.alibabacloud.com/slurm-node-type by which the load balancer finds controllers. It is
    that of Alibaba's guide; if `kubectl get pods --show-labels` has another, write it here."""
    access_control_list: str | None = None
    """The id of an access control list of CLB: only its networks may connect. Without it, all networks may that reach
    the load balancer."""

    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _access_control_list = field_validator("access_control_list")(optional(id_of_access_list))
    _controller_type = field_validator("controller_type")(kubernetes_names.label_value)

    @property
    def service(self) -> ServiceSpec:
        """The Service in the form that the rest of this library uses."""
        access = only_from(self.access_control_list) if self.access_control_list else {}
        return ServiceSpec(
            type=ServiceType.LOAD_BALANCER, internal=self.internal, annotations={**access, **self.annotations}
        )


class LdapClientSpec(Model):
    """How the controller and workers query the LDAP server of `identity`: by nslcd, which the image must contain."""

    start_nslcd: bool = True
    """Start nslcd when a pod starts; write false for an image that starts it by itself."""
    ca_file: str = "/etc/ssl/certs/ca-certificates.crt"
    """The CA certificates that verify an ldaps:// server."""
    admin_page: str | None = None
    """The image of phpLDAPadmin, to run it for the directory; it can't be reached from outside the cluster."""

    _ca_file = field_validator("ca_file")(absolute)
    _image = field_validator("admin_page")(kubernetes_names.image)


class AckSlurmSpec(Model):
    """A Slurm cluster that ack-slurm-operator runs."""

    slurm_version: str = "23.02.7"
    """The Slurm release in the image, by which lines and files are judged: cluster.slurmVersion has to be left out."""
    image: str | None = None
    """The image of all daemons; by default Alibaba's, from the registry of the region."""
    operator: OperatorChartSpec = OperatorChartSpec()
    """The operator's chart."""
    cluster_chart: ClusterChartSpec | None = None
    """Let the chart ack-slurm-cluster create the SlurmCluster object; by default it is created without Helm."""
    copilot: CopilotSpec | None = None
    """Colocation; without it no Kubernetes pods share nodes with Slurm."""
    power_saving: PowerSavingSpec = PowerSavingSpec()
    """Autoscaling by Slurm."""
    controller_hosts: list[str] = []
    """The host names of several controllers, the primary first; the host name of a single one is the cluster's name."""
    slurmrestd: bool = True
    """Run slurmrestd, which the copilot needs."""
    job_completion: JobCompletionSpec | None = None
    """Records of finished jobs in MySQL."""
    ssh: AckSshSpec | None = None
    """Login to the controller through a load balancer; a login set of the Slurm specification enables it too."""
    ldap: LdapClientSpec = LdapClientSpec()
    """How pods look up users, if the Slurm specification has an `identity`."""
    config_path: str = "/var/slurm"
    """Where pods mount the configuration files (spec.slurmConfPath)."""
    munge_path: str = "/var/munge"
    """Where pods mount the munge key (spec.mungeConfPath): a folder, or the key itself if it ends in "/munge.key".

    Controllers, workers and slurmdbd start munge with either. For slurmrestd, which needs none, the operator's script
    does, and public texts contradict each other on what it expects: if it doesn't start, write "/var/munge/munge.key".
    """
    jwt_path: str = "/var/jwt"
    """Where slurmctld, slurmdbd and slurmrestd mount the JWT key."""
    drain_before_end: bool = False
    """Drain a worker before its pod terminates, by a preStop hook (deleteSelfBeforeSuspend of the chart)."""
    wait: bool = True
    """Wait until the SlurmCluster's status is "ready", 30 minutes at most."""
    prometheus: bool = False
    """Let the controller run the image's Prometheus exporter, which Alibaba's own image doesn't contain."""
    controller: StartedPodExtrasSpec = StartedPodExtrasSpec()
    """Additional fields of the controller's pods."""
    slurmdbd: PodExtrasSpec = PodExtrasSpec()
    """Additional fields of slurmdbd's pod."""
    rest: PodExtrasSpec = PodExtrasSpec()
    """Additional fields of slurmrestd's pods."""
    workers: dict[str, WorkerExtrasSpec] = {}
    """Additional fields of workers' pods, by node set."""
    overrides: dict[str, Any] = {}
    """Merged last into the spec of the SlurmCluster, in the form of its CRD."""

    _image = field_validator("image")(kubernetes_names.image)
    _paths = field_validator("config_path", "munge_path", "jwt_path")(absolute)

    @field_validator("slurm_version", mode="before")
    @classmethod
    def _version_is_supported(cls, value: Any) -> str:
        # YAML reads 23.02 as a number; formatted with two decimals it keeps all digits.
        text = f"{value:.2f}" if isinstance(value, float) else str(value)
        if isinstance(value, bool) or not is_release(text, SERIES):
            raise field_error(
                "this Slurm version is not known here",
                f"Write one of: {', '.join(map(str, SERIES))}, or a release of it.",
            )
        return text

    _host_names = field_validator("controller_hosts")(each(dns_label))

    @model_validator(mode="after")
    def _mount_paths_are_separate(self) -> Self:
        raise_errors(self._nested_mount_paths())
        return self

    def _nested_mount_paths(self) -> Iterator[FieldError]:
        for other, field in combinations(("config_path", "munge_path", "jwt_path"), 2):
            path, other_path = getattr(self, field), getattr(self, other)
            if _within(path, other_path) or _within(other_path, path):
                problem = (
                    f"it overlaps with {to_camel(other)}, {other_path}, and a pod can mount only one of them there"
                )
                yield FieldError((field,), path, problem, "Choose another path.", depends_on_fields=((other,),))

    def own_folder(self, path: str) -> str | None:
        """Return the folder of Slurm's own in which a volume at a path would be mounted, or that it would hide."""
        folders = (self.config_path, self.munge_path, self.jwt_path, *_OWN_FOLDERS)
        return next((folder for folder in folders if _within(path, folder) or _within(folder, path)), None)

    @property
    def series(self) -> Series:
        """The Slurm series, on which the supported lines depend."""
        return Series.of(self.slurm_version)

    def image_in(self, region: str | None) -> str:
        """Return the image of all daemons in a region; that of cn-hangzhou without a region."""
        return self.image or IMAGE.format(region=region or "cn-hangzhou")

    def worker(self, node_set: str) -> WorkerExtrasSpec:
        """Return the additional fields of a node set's pods."""
        return self.workers.get(node_set) or WorkerExtrasSpec()

    def worker_requests(self, node_set: str) -> WorkerRequestsSpec | None:
        """Return what a node set's pods request; None if that is as much as their limits."""
        return self.worker(node_set).requests or (self.copilot.requests if self.copilot else None)


def _has_nodes(_: str, max_nodes: int) -> None:
    if max_nodes < 1:
        raise field_error("a group without nodes runs nothing", "Write 1 or more.")


def _within(path: str, outer: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{outer.rstrip('/')}/")
