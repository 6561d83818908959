"""What ack-slurm-operator's route has to be told beside the Slurm specification, which knows no cloud.

Source of names and defaults: Alibaba Cloud's guides for containerised Slurm and for colocated scheduling, and the
public start scripts and API types in https://github.com/AliyunContainerService/ai-models-on-ack (framework/slurm).
"""

from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.model.ack_slurm_pods import PodExtrasSpec, StartedPodExtrasSpec, absolute
from pulumi_slurm.errors import FieldError, check_each, check_each_pair, field_error, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.pod import ServiceSpec, ServiceType
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release

IMAGE = "registry-{region}.ack.aliyuncs.com/acs/slurm:23.06-1.6-aliyun-49259f59"
"""Alibaba's image; in spite of its tag it holds Slurm 23.02.7, built with Alibaba's two plugins."""
CHARTS = "https://aliacs-app-catalog.oss-cn-hangzhou.aliyuncs.com/charts-incubator/"
"""Where Alibaba's guide takes the chart ack-slurm-cluster from; that the operator's chart is there too is not
checked."""
PRIVATE = {"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type": "intranet"}
"""The annotation that keeps a load balancer off the internet."""


class OperatorChartSpec(Model):
    """ack-slurm-operator, from a Helm chart; it is installed once per Kubernetes cluster."""

    install: bool = True
    """Write false where it is there already, for example from the App Marketplace."""
    repository: str | None = CHARTS
    """The chart's repository; null where `chart` is an address or a folder."""
    chart: str = "ack-slurm-operator"
    """The chart's name in the repository, its OCI address, or a folder."""
    version: str | None = None
    """The chart's version; by default the newest."""
    namespace: str = "ack-slurm-operator"
    """The operator's namespace."""
    watch_namespace: str | None = None
    """The one namespace in which the copilot looks for clusters; by default the Slurm cluster's."""
    values: dict[str, Any] = {}
    """Further values of the chart."""

    @field_validator("namespace", "watch_namespace")
    @classmethod
    def _label(cls, value: str | None) -> str | None:
        return value if value is None else dns_label(value)


class ClusterChartSpec(Model):
    """The chart ack-slurm-cluster, for those who want Helm to own the SlurmCluster object."""

    repository: str | None = CHARTS
    """The chart's repository; null where `chart` is an address or a folder."""
    chart: str = "ack-slurm-cluster"
    """The chart's name in the repository, its OCI address, or a folder."""
    version: str | None = "2.0.0"
    """The chart's version."""
    values: dict[str, Any] = {}
    """Merged last into the values that are derived."""


class CopilotSpec(Model):
    """Colocation: Slurm's jobs and Kubernetes' pods share nodes, and neither counts what the other uses."""

    submit_plugin: bool = True
    """Let a plugin derive the two GRES of each job; jobs then have to give --ntasks, --cpus-per-task and --mem."""
    token: bool = False
    """Write the copilot's token by hand, from the stack secret `slurm:copilotToken`; by default slurmctld writes it."""


class PowerSavingSpec(Model):
    """Autoscaling by Slurm itself: nodes that are named beforehand, and programs that ask for their pods."""

    groups: dict[str, int] = {}
    """Node sets that Slurm scales, with the most nodes of each; those with `autoscaling` of their own are scaled
    too."""
    suspend_time: int = Field(default=600, ge=1, le=2**31 - 1)
    """Idle seconds after which a node's pod is ended."""
    suspend_timeout: int = Field(default=600, ge=1, le=65533)
    """Seconds that the end of a pod may take."""
    resume_timeout: int | None = Field(default=None, ge=1, le=65533)
    """Seconds in which a new pod has to register, new machine, GPU driver and image included: 600 by default, or 1800
    where a node set that Slurm scales has GPUs."""
    suspend_rate: int = Field(default=1, ge=0, le=65533)
    """How many nodes a minute are ended; 0 is no limit."""
    resume_rate: int = Field(default=1, ge=0, le=65533)
    """How many nodes a minute are started; 0 is no limit."""
    suspend_program: str = "/slurm-suspend.sh"
    """The image's program that ends pods."""
    resume_program: str = "/slurm-resume.sh"
    """The image's program that starts pods."""

    _programs = field_validator("suspend_program", "resume_program")(absolute)

    @field_validator("groups")
    @classmethod
    def _some_nodes(cls, value: dict[str, int]) -> dict[str, int]:
        return check_each_pair(value, value.items(), _has_nodes)


class JobCompletionSpec(Model):
    """A record of every finished job in MySQL, beside accounting (jobcomp/mysql).

    Slurm has its password in slurm.conf, so whoever may log in to the controller can read it: use a user that may do
    nothing but write to this database.
    """

    host: str | None = None
    """The database's host; by default that of accounting."""
    port: int = Field(default=3306, ge=1, le=65535)
    """Its port."""
    user: str = Field(default="slurm_jobcomp", pattern=r"^[A-Za-z0-9_]+$")
    """The user; its password is the stack secret `slurm:jobCompletionPassword`."""
    database: str = "slurm_jobcomp_db"
    """The database's name. Slurm makes the table in it, not the database."""

    @field_validator("database")
    @classmethod
    def _is_no_path(cls, value: str) -> str:
        if "/" in value or "." in value:
            raise field_error(
                "with jobcomp/mysql this is the name of a database, and Slurm would write to slurm_jobcomp_db instead",
                'Write a name such as "slurm_jobcomp_db".',
            )
        return value


class AckSshSpec(Model):
    """The SSH server of the controller, through a load balancer."""

    private: bool = True
    """Keep the load balancer off the internet."""
    annotations: dict[str, str] = {}
    """Further annotations of the Service, for example an existing load balancer's id."""
    source_ranges: list[str] = []
    """Networks that may connect, in CIDR form."""

    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _networks = field_validator("source_ranges")(kubernetes_names.networks)

    @property
    def service(self) -> ServiceSpec:
        """The Service, as any other of this library."""
        private = PRIVATE if self.private else {}
        return ServiceSpec(
            type=ServiceType.LOAD_BALANCER,
            annotations={**private, **self.annotations},
            source_ranges=self.source_ranges,
        )


class LdapClientSpec(Model):
    """How controller and workers ask the LDAP server of `identity`: by nslcd, which the image has to hold."""

    start_nslcd: bool = True
    """Start nslcd when a pod starts; write false for an image that does so itself."""
    ca_file: str = "/etc/ssl/certs/ca-certificates.crt"
    """The certificates by which an ldaps:// server is checked."""
    admin_page: str | None = None
    """The image of phpLDAPadmin, to run it beside the directory; nothing is reached from outside the cluster."""

    _ca_file = field_validator("ca_file")(absolute)
    _image = field_validator("admin_page")(kubernetes_names.image)


class AckSlurmSpec(Model):
    """A Slurm cluster by ack-slurm-operator."""

    slurm_version: str = "23.02.7"
    """The Slurm release in the image; lines that its series doesn't know are refused."""
    image: str | None = None
    """The image of every daemon; by default Alibaba's, from the registry of the region."""
    operator: OperatorChartSpec = OperatorChartSpec()
    """The operator's chart."""
    cluster_chart: ClusterChartSpec | None = None
    """Let the chart ack-slurm-cluster make the SlurmCluster object; by default it is made without Helm."""
    copilot: CopilotSpec | None = None
    """Colocation; without it Slurm has its nodes to itself."""
    power_saving: PowerSavingSpec = PowerSavingSpec()
    """Autoscaling by Slurm."""
    controller_hosts: list[str] = []
    """The host names of several controllers, the primary first; that of a single one is the cluster's name."""
    slurmrestd: bool = True
    """Run slurmrestd; the copilot needs it."""
    job_completion: JobCompletionSpec | None = None
    """Records of finished jobs in MySQL."""
    ssh: AckSshSpec | None = None
    """Logging in to the controller through a load balancer; a login set of the Slurm specification asks for it too."""
    ldap: LdapClientSpec = LdapClientSpec()
    """How pods ask for users, where the Slurm specification has an `identity`."""
    config_path: str = "/var/slurm"
    """Where pods mount the configuration files (spec.slurmConfPath)."""
    munge_path: str = "/var/munge"
    """Where pods mount the munge key (spec.mungeConfPath)."""
    jwt_path: str = "/var/jwt"
    """Where slurmctld, slurmdbd and slurmrestd mount the JWT key."""
    drain_before_end: bool = False
    """Drain a worker before its pod ends, by a preStop hook (the chart's deleteSelfBeforeSuspend)."""
    prometheus: bool = False
    """Let the controller run the exporter of the image, which Alibaba's own doesn't hold."""
    controller: StartedPodExtrasSpec = StartedPodExtrasSpec()
    """Further fields of the controller's pods."""
    slurmdbd: PodExtrasSpec = PodExtrasSpec()
    """Further fields of slurmdbd's pod."""
    rest: PodExtrasSpec = PodExtrasSpec()
    """Further fields of slurmrestd's pods."""
    workers: dict[str, StartedPodExtrasSpec] = {}
    """Further fields of workers' pods, by node set."""
    overrides: dict[str, Any] = {}
    """Merged last into the SlurmCluster's spec, in the operator's own form."""

    _image = field_validator("image")(kubernetes_names.image)
    _paths = field_validator("config_path", "munge_path", "jwt_path")(absolute)

    @field_validator("slurm_version", mode="before")
    @classmethod
    def _version_is_known(cls, value: Any) -> str:
        # YAML reads 23.02 as a number, and its text would lose no digit.
        text = f"{value:.2f}" if isinstance(value, float) else str(value)
        if isinstance(value, bool) or not is_release(text, SERIES):
            raise field_error(
                "this Slurm version is not known here",
                f"Write one of: {', '.join(map(str, SERIES))}, or a release of it.",
            )
        return text

    @field_validator("controller_hosts")
    @classmethod
    def _host_names(cls, value: list[str]) -> list[str]:
        return check_each(value, dns_label)

    @model_validator(mode="after")
    def _places_are_apart(self) -> Self:
        found: list[FieldError] = []
        paths = {"config_path": self.config_path, "munge_path": self.munge_path, "jwt_path": self.jwt_path}
        for index, (field, path) in enumerate(paths.items()):
            for other, taken in list(paths.items())[:index]:
                if _within(path, taken) or _within(taken, path):
                    problem = (
                        f"it is not apart from {_camel(other)}, {taken}, and a pod can mount only one of them there"
                    )
                    found.append(
                        FieldError((field,), path, problem, "Choose another path.", depends_on_fields=((other,),))
                    )
        if found:
            raise field_errors(found)
        return self

    @property
    def series(self) -> Series:
        """The Slurm series, which lines depend on."""
        return Series.of(self.slurm_version)

    def image_in(self, region: str | None) -> str:
        """Return the image of every daemon in a region; cn-hangzhou's where none is known."""
        return self.image or IMAGE.format(region=region or "cn-hangzhou")

    def worker(self, node_set: str) -> StartedPodExtrasSpec:
        """Return the further fields of a node set's pods."""
        return self.workers.get(node_set) or StartedPodExtrasSpec()


def _has_nodes(_: str, most: int) -> None:
    if most < 1:
        raise field_error("a group without a node runs nothing", "Write 1 or more.")


def _within(path: str, outer: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{outer.rstrip('/')}/")


def _camel(field: str) -> str:
    head, *rest = field.split("_")
    return head + "".join(map(str.title, rest))
