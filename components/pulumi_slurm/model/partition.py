"""Partitions, with Slurm's own options as typed fields.

Source of names and meanings: https://slurm.schedmd.com/slurm.conf.html, section PARTITION CONFIGURATION.
"""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import check_each, check_each_pair, field_error
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import Lines, one_line
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.tres import tres_name
from pulumi_slurm.model.units import LARGEST, memory_mib, slurm_seconds, slurm_time

ALL_NODE_SETS = "ALL"


class PreemptMode(StrEnum):
    """What happens to a job that is preempted."""

    OFF = "OFF"
    CANCEL = "CANCEL"
    REQUEUE = "REQUEUE"
    SUSPEND = "SUSPEND"


class PartitionState(StrEnum):
    """Whether jobs may be queued and started."""

    UP = "UP"
    DOWN = "DOWN"
    DRAIN = "DRAIN"
    INACTIVE = "INACTIVE"


class OverSubscribe(StrEnum):
    """Whether jobs share a resource."""

    EXCLUSIVE = "EXCLUSIVE"
    FORCE = "FORCE"
    NO = "NO"
    YES = "YES"


class PartitionOptionsSpec(Model):
    """Everything that can be said of a partition but its name and nodes."""

    default: bool = False
    """Jobs that name no partition go here."""
    state: PartitionState = PartitionState.UP
    """Whether jobs may be queued and started."""
    max_time: str = "UNLIMITED"
    """The longest time limit of a job."""
    default_time: str | None = None
    """The time limit of a job that asks for none; by default the longest."""
    max_nodes: int | None = Field(default=None, ge=1, le=LARGEST)
    """Most nodes of one job."""
    min_nodes: int | None = Field(default=None, ge=0, le=LARGEST)
    """Fewest nodes of one job."""
    max_cpus_per_node: int | None = Field(default=None, ge=1, le=LARGEST)
    """Most CPUs on each node for all jobs of this partition."""
    max_mem_per_node: str | None = None
    """Most memory of a job on each node; a number is MiB."""
    max_mem_per_cpu: str | None = None
    """Most memory of a job for each CPU; a number is MiB."""
    def_mem_per_node: str | None = None
    """Memory on each node of a job that asks for none; a number is MiB."""
    def_mem_per_cpu: str | None = None
    """Memory for each CPU of a job that asks for none; a number is MiB."""
    def_mem_per_gpu: str | None = None
    """Memory for each GPU of a job that asks for none; a number is MiB."""
    def_cpu_per_gpu: int | None = Field(default=None, ge=0, le=LARGEST)
    """CPUs for each GPU of a job that asks for none."""
    priority_tier: int | None = Field(default=None, ge=0, le=65535)
    """Jobs of higher tiers are looked at first, and may preempt those of lower tiers."""
    priority_job_factor: int | None = Field(default=None, ge=0, le=65535)
    """The partition's share in a job's priority."""
    preempt_mode: PreemptMode | None = None
    """What happens to preempted jobs of this partition."""
    grace_time: int | None = Field(default=None, ge=0, le=LARGEST)
    """Seconds between a preempted job's warning and its end."""
    over_subscribe: OverSubscribe | None = None
    """Whether jobs share a resource."""
    over_subscribe_jobs: int | None = Field(default=None, ge=1, le=32767)
    """With FORCE or YES: how many jobs share one resource."""
    over_time_limit: int | None = Field(default=None, ge=0, le=65533)
    """Minutes that a job may go on past its limit."""
    qos: str | None = None
    """The QoS whose limits hold for the whole partition."""
    allow_accounts: list[str] = []
    """Only these accounts may submit."""
    deny_accounts: list[str] = []
    """These accounts may not submit."""
    allow_groups: list[str] = []
    """Only these groups may submit."""
    allow_qos: list[str] = []
    """Only these QoS may be used."""
    deny_qos: list[str] = []
    """These QoS may not be used."""
    exclusive_user: bool = False
    """Only one user at a time on a node."""
    hidden: bool = False
    """Not shown to users without access."""
    lln: bool = False
    """Place jobs on the least loaded nodes."""
    req_resv: bool = False
    """Only jobs with a reservation."""
    root_only: bool = False
    """Only root may submit."""
    disable_root_jobs: bool | None = None
    """Refuse jobs of root."""
    suspend_time: str | None = None
    """Idle seconds before power saving takes a node of this partition; INFINITE switches it off."""
    tres_billing_weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """What a resource costs, for example {"CPU": 1.0, "GRES/gpu": 12}."""
    extra: Lines = {}
    """Further options, as they stand in slurm.conf."""

    @field_validator("max_time", "default_time", mode="before")
    @classmethod
    def _times(cls, value: Any) -> str | None:
        return value if value is None else slurm_time(value)

    @field_validator(
        "max_mem_per_node", "max_mem_per_cpu", "def_mem_per_node", "def_mem_per_cpu", "def_mem_per_gpu", mode="before"
    )
    @classmethod
    def _memory(cls, value: Any) -> str | None:
        return value if value is None else memory_mib(value)

    @field_validator("suspend_time", mode="before")
    @classmethod
    def _seconds(cls, value: Any) -> str | None:
        return value if value is None else slurm_seconds(value)

    @field_validator("extra")
    @classmethod
    def _one_line_each(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _further_option)

    @field_validator("tres_billing_weights")
    @classmethod
    def _tres(cls, value: dict[str, float]) -> dict[str, float]:
        return check_each_pair(value, value.items(), lambda key, _: tres_name(key))

    @field_validator("qos")
    @classmethod
    def _qos_is_a_word(cls, value: str | None) -> str | None:
        return value if value is None else slurm_name(value)

    @field_validator("allow_accounts", "deny_accounts", "allow_qos", "deny_qos")
    @classmethod
    def _words(cls, value: list[str]) -> list[str]:
        return check_each(value, slurm_name)

    @field_validator("allow_groups")
    @classmethod
    def _groups(cls, value: list[str]) -> list[str]:
        return check_each(value, _group)


class PartitionSpec(PartitionOptionsSpec):
    """A partition over one or more node sets."""

    name: str
    """The partition's name, as users give it to `--partition`."""
    node_sets: list[str] = Field(min_length=1)
    """Names of node sets, or ["ALL"]."""

    @field_validator("name")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        if value.upper() == "DEFAULT":
            raise field_error("in slurm.conf this name sets defaults for all partitions", "Choose another name.")
        return slurm_name(value)


def _further_option(key: str, text: str) -> None:
    one_line(key, text)
    if key.lower() in {"partitionname", "nodes"}:
        raise field_error("this is derived and would be given twice", "Leave it out; set name and nodeSets.")
    field = next((name for name in PartitionOptionsSpec.model_fields if name.replace("_", "") == key.lower()), None)
    if field:
        raise field_error("this has a field of its own", f"Set {to_camel(field)} instead.")


def _group(name: str) -> None:
    # Spaces are part of many a directory's names, such as "domain users".
    if not name.strip() or not name.isprintable() or set(name) & set(",\"'"):
        raise field_error("this is not the name of one group", "Write each name as text of its own, without commas.")
