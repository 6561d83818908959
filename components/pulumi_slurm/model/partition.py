"""Partitions, with Slurm's options as typed fields.

Source of names and meanings: https://slurm.schedmd.com/slurm.conf.html, section PARTITION CONFIGURATION.
"""

from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import check_each, check_each_pair, each, field_error, optional
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import check_line, scalars_to_text, unique_keys
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.tres import check_tres_weights
from pulumi_slurm.model.units import MAX_SLURM_INTEGER, memory_mib, slurm_seconds, slurm_time

ALL_NODE_SETS = "ALL"


class PreemptMode(StrEnum):
    """What happens to a preempted job."""

    OFF = "OFF"
    CANCEL = "CANCEL"
    REQUEUE = "REQUEUE"
    SUSPEND = "SUSPEND"


class PartitionState(StrEnum):
    """Whether jobs can be submitted and started."""

    UP = "UP"
    DOWN = "DOWN"
    DRAIN = "DRAIN"
    INACTIVE = "INACTIVE"


class OverSubscribe(StrEnum):
    """Whether jobs can share a resource."""

    EXCLUSIVE = "EXCLUSIVE"
    FORCE = "FORCE"
    NO = "NO"
    YES = "YES"


class PartitionOptionsSpec(Model):
    """All options of a partition other than its name and nodes."""

    default: bool = False
    """Make this the partition of jobs that don't name one."""
    state: OneOf[PartitionState] = PartitionState.UP
    """Whether jobs can be submitted and started."""
    max_time: str = "UNLIMITED"
    """Maximum time limit of a job."""
    default_time: str | None = None
    """Time limit of jobs that don't specify one; by default the maximum."""
    max_nodes: int | None = Field(default=None, ge=1, le=MAX_SLURM_INTEGER)
    """Maximum number of nodes of a job."""
    min_nodes: int | None = Field(default=None, ge=0, le=MAX_SLURM_INTEGER)
    """Minimum number of nodes of a job."""
    max_cpus_per_node: int | None = Field(default=None, ge=1, le=MAX_SLURM_INTEGER)
    """Maximum number of CPUs on each node for all jobs of this partition together."""
    max_cpus_per_socket: int | None = Field(default=None, ge=1, le=MAX_SLURM_INTEGER)
    """Maximum number of CPUs on each socket for all jobs of this partition together; it keeps some for GPUs."""
    max_mem_per_node: str | None = None
    """Maximum memory of a job on each node; a plain number is in MiB."""
    max_mem_per_cpu: str | None = None
    """Maximum memory of a job for each CPU; a plain number is in MiB."""
    def_mem_per_node: str | None = None
    """Default memory on each node for jobs that don't request any; a plain number is in MiB."""
    def_mem_per_cpu: str | None = None
    """Default memory for each CPU for jobs that don't request any; a plain number is in MiB."""
    def_mem_per_gpu: str | None = None
    """Default memory for each GPU for jobs that don't request any; a plain number is in MiB."""
    def_cpu_per_gpu: int | None = Field(default=None, ge=0, le=MAX_SLURM_INTEGER)
    """Default number of CPUs for each GPU for jobs that don't request any."""
    priority_tier: int | None = Field(default=None, ge=0, le=65535)
    """The partition's tier: jobs in higher tiers are scheduled first, and may preempt those in lower tiers."""
    priority_job_factor: int | None = Field(default=None, ge=0, le=65535)
    """The partition's contribution to the priority of its jobs."""
    preempt_mode: OneOf[PreemptMode] | None = None
    """What happens to preempted jobs of this partition."""
    grace_time: int | None = Field(default=None, ge=0, le=MAX_SLURM_INTEGER)
    """Seconds between the warning of a preempted job and its end."""
    over_subscribe: OneOf[OverSubscribe] | None = None
    """Whether jobs can share a resource."""
    over_subscribe_jobs: int | None = Field(default=None, ge=1, le=32767)
    """With FORCE or YES: number of jobs that can share a resource."""
    over_time_limit: int | None = Field(default=None, ge=0, le=65533)
    """Minutes that a job may exceed its time limit before it is cancelled."""
    qos: str | None = None
    """The partition QoS, whose limits apply to the whole partition."""
    allow_accounts: list[str] = []
    """Accounts that may submit jobs; by default all."""
    deny_accounts: list[str] = []
    """Accounts that may not submit jobs."""
    allow_groups: list[str] = []
    """Groups whose users may submit jobs; by default all. slurmctld looks them up in its own pod, where Slinky's image
    knows none: set `controller.image` too."""
    allow_qos: list[str] = []
    """QoS that jobs may use; by default all."""
    deny_qos: list[str] = []
    """QoS that jobs may not use."""
    exclusive_user: bool = False
    """Let only one user at a time have jobs on a node."""
    hidden: bool = False
    """Hide the partition from users who may not use it."""
    lln: bool = False
    """Place jobs on the least loaded nodes."""
    req_resv: bool = False
    """Only accept jobs with a reservation."""
    root_only: bool = False
    """Only let root submit jobs."""
    disable_root_jobs: bool | None = None
    """Refuse jobs of root."""
    suspend_time: str | None = None
    """Seconds after which power saving suspends an idle node of this partition; INFINITE disables it. It takes a
    SuspendProgram, which slurmctld's pod of slurm-operator has none of: let `autoscaling` end workers there."""
    topology: str | None = None
    """The topology of its jobs, one of `topologies`; by default the one that is default."""
    tres_billing_weights: dict[str, float] = Field(
        default={}, json_schema_extra={"additionalProperties": {"type": "number", "minimum": 0}}
    )
    """Billing weights of TRES, for example {"CPU": 1.0, "GRES/gpu": 12}."""
    extra: dict[str, str] = {}
    """Additional options, as in slurm.conf."""

    @field_validator("over_subscribe", mode="before")
    @classmethod
    def _number_of_jobs_is_a_field(cls, value: Any) -> Any:
        word, colon, jobs = value.partition(":") if isinstance(value, str) else ("", "", "")
        if colon:
            fix = f"Write overSubscribe: {word} and overSubscribeJobs: {jobs}."
            raise field_error("the number of jobs has a field of its own", fix)
        return value

    _extra_as_text = field_validator("extra", mode="before")(scalars_to_text)
    _extra_once = field_validator("extra")(unique_keys)

    _times = field_validator("max_time", "default_time", mode="before")(optional(slurm_time))
    _memory = field_validator(
        "max_mem_per_node", "max_mem_per_cpu", "def_mem_per_node", "def_mem_per_cpu", "def_mem_per_gpu", mode="before"
    )(optional(memory_mib))
    _seconds = field_validator("suspend_time", mode="before")(optional(slurm_seconds))

    @field_validator("extra")
    @classmethod
    def _one_line_each(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_extra_option)

    _tres_exist = field_validator("tres_billing_weights")(check_tres_weights)

    _qos_is_a_word = field_validator("qos", "topology")(optional(slurm_name))

    _words = field_validator("allow_accounts", "deny_accounts", "allow_qos", "deny_qos")(each(slurm_name))

    @field_validator("allow_groups")
    @classmethod
    def _groups(cls, value: list[str]) -> list[str]:
        return check_each(value, _check_group_name)


class PartitionSpec(PartitionOptionsSpec):
    """A partition of one or more node sets."""

    name: str
    """The partition's name, which users pass to `--partition`."""
    node_sets: list[str] = Field(min_length=1)
    """Names of node sets and external nodes, or ["ALL"]. External nodes are those of `externalNodes`, machines outside
    Kubernetes, and of `bridge.externalNodes`, Kubernetes nodes for pods alone; ALL leaves these last ones out."""

    @field_validator("name")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        if value.upper() == "DEFAULT":
            raise field_error("in slurm.conf this name sets defaults for all partitions", "Choose another name.")
        return slurm_name(value)


def _check_extra_option(key: str, text: str) -> None:
    check_line(key, text)
    if key.lower() in {"partitionname", "nodes"}:
        raise field_error("this is derived and would be given twice", "Leave it out; set name and nodeSets.")
    field = next((name for name in PartitionOptionsSpec.model_fields if name.replace("_", "") == key.lower()), None)
    if field:
        raise field_error("this has a field of its own", f"Set {to_camel(field)} instead.")


def _check_group_name(name: str) -> None:
    # Group names in many directories contain spaces, for example "domain users".
    if not name.strip() or not name.isprintable() or set(name) & set(",\"'"):
        raise field_error("this is not the name of one group", "Write each name as text of its own, without commas.")
