"""Lines of slurm.conf in addition to those of the operator and of partitions.

The operator appends them to its own lines, and Slurm uses the last value of a key. So a line here takes precedence,
which is why lines on which the operator relies are refused.
"""

from types import MappingProxyType
from typing import Any, Self

from pydantic import Field, field_validator, model_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, check_each_pair, each, field_error, field_errors, optional
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import OF_OPERATOR, check_item, check_line, scalars_to_text, unique_keys
from pulumi_slurm.model.tres import ACCOUNTING_STORAGE_TRES, PRIORITY_WEIGHT_TRES, check_tres_name, tres_names
from pulumi_slurm.model.units import memory_mib
from pulumi_slurm.slurmconf.catalogue import File, find

OPERATOR_KEYS = MappingProxyType(
    {
        "accountingstoragetype": "Set accounting instead",
        "authalttypes": "Leave it out: tokens need it",
        "authaltparameters": "Set keys.jwt instead, or with slurm-operator keys.jwks",
        "authtype": "Leave it out: all daemons use the same",
        "backupaddr": "Leave it out: daemons find each other by Services",
        "backupcontroller": "Leave it out: daemons find each other by Services",
        "clustername": "Set clusterName instead",
        "controladdr": "Leave it out: daemons find each other by Services",
        "controlmachine": "Leave it out: daemons find each other by Services",
        "credtype": "Leave it out: all daemons use the same",
        "cryptotype": "Leave it out: all daemons use the same",
        "downnodes": "Drain nodes with scontrol instead",
        "epilog": "Set hooks.epilog instead",
        "epilogslurmctld": "Set hooks.epilogSlurmctld instead",
        "metricstype": "Set monitoring.metrics instead",
        "nodename": "Set nodeSets instead: workers register by themselves",
        "nodeset": "Set nodeSets instead",
        "partitionname": "Set partitions instead",
        "plugindir": "Leave it out: the images set where their plugins are",
        "prolog": "Set hooks.prolog instead",
        "prologslurmctld": "Set hooks.prologSlurmctld instead",
        "slurmctldaddr": "Set controller.address instead",
        "slurmctldhost": "Leave it out: daemons find each other by Services",
        "slurmctldport": "Leave it out: the operator and all pods use 6817",
        "slurmdport": "Leave it out: the operator and all pods use 6818",
        "slurmduser": "Leave it out: slurmd runs as root",
        "slurmuser": "Leave it out: the operator's images run slurmctld as slurm",
        "statesavelocation": "Leave it out: the operator mounts the state volume there",
    }
)
"""Keys of slurm.conf, in lower case, that `extra` can't set, and what to do instead."""

_PREEMPT_ACTIONS = frozenset({"CANCEL", "REQUEUE", "SUSPEND"})
_PREEMPT_MODIFIERS = frozenset({"GANG", "WITHIN", "PRIORITY"})


class SlurmConfSpec(Model):
    """Typed fields for frequently used keys of slurm.conf, and `extra` for all others."""

    scheduler_parameters: list[str] = []
    """SchedulerParameters, for example ["bf_continue", "bf_max_job_test=1000"]."""
    select_type_parameters: str | None = None
    """SelectTypeParameters; CR_Core_Memory by default."""
    preempt_type: str | None = Field(default=None, pattern=r"^preempt/(none|partition_prio|qos)$")
    """PreemptType: "preempt/partition_prio" or "preempt/qos"."""
    preempt_mode: str | None = None
    """PreemptMode, for example "REQUEUE" or "SUSPEND,GANG"."""
    priority_type: str | None = Field(default=None, pattern=r"^priority/(basic|multifactor)$")
    """PriorityType: "priority/basic" or "priority/multifactor"."""
    priority_weights: dict[str, int] = {}
    """PriorityWeight keys by their suffix, for example {"Fairshare": 10000, "Age": 1000}."""
    accounting_storage_enforce: list[str] = []
    """AccountingStorageEnforce, for example ["associations", "limits", "qos"]."""
    mpi_default: str | None = None
    """MpiDefault, for example "pmix"."""
    max_array_size: int | None = Field(default=None, ge=0, le=4000001)
    """MaxArraySize."""
    max_job_count: int | None = Field(default=None, ge=1, le=67043328)
    """MaxJobCount."""
    def_mem_per_cpu: str | None = None
    """DefMemPerCPU for all partitions; a plain number is in MiB."""
    slurmd_timeout: int | None = Field(default=None, ge=0, le=65535)
    """SlurmdTimeout: seconds after which a node that doesn't respond is set down."""
    slurmctld_debug: str | None = None
    """SlurmctldDebug."""
    slurmd_debug: str | None = None
    """SlurmdDebug."""
    extra: dict[str, str] = {}
    """Additional lines, as in slurm.conf, for example {"KillWait": 60}."""

    @classmethod
    def _meant_elsewhere(cls, name: str) -> str | None:
        key = find(File.SLURM, name)
        return f"Write it in slurmConf.extra, as {key.name}." if key else None

    _extra_as_text = field_validator("extra", mode="before")(scalars_to_text)
    _extra_once = field_validator("extra")(unique_keys)

    _memory = field_validator("def_mem_per_cpu", mode="before")(optional(memory_mib))

    @field_validator("extra")
    @classmethod
    def _operator_keys_are_refused(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_extra_line)

    _items = field_validator("scheduler_parameters", "accounting_storage_enforce")(each(check_item))

    @field_validator("preempt_mode")
    @classmethod
    def _mode(cls, value: str | None) -> str | None:
        return value if value is None else _preempt_mode(value)

    @field_validator("slurmctld_debug", "slurmd_debug", mode="before")
    @classmethod
    def _level_as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("select_type_parameters", "mpi_default", "slurmctld_debug", "slurmd_debug")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None:
            check_line("x", value)
        return value

    @field_validator("priority_weights")
    @classmethod
    def _weights(cls, value: dict[str, int]) -> dict[str, int]:
        return check_each_pair(value, value.items(), _priority_weight)

    @model_validator(mode="after")
    def _preemption_agrees(self) -> Self:
        preempting = self.preempt_type not in (None, "preempt/none")
        mode = set((self.preempt_mode or "OFF").split(","))
        if preempting and not mode & _PREEMPT_ACTIONS:
            problem = (
                f"slurmctld does not start with preemptType {self.preempt_type} and a preemptMode that preempts nothing"
            )
            fix = 'Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
        elif not preempting and mode - {"OFF", "GANG"}:
            problem = "slurmctld does not start with this preemptMode and no preemptType that preempts"
            fix = 'Set preemptType, for example "preempt/partition_prio", or leave this out.'
        else:
            return self
        value = self.preempt_mode or FieldError.ABSENT
        raise field_errors([FieldError(("preempt_mode",), value, problem, fix, depends_on_fields=(("preempt_type",),))])


def _check_extra_line(key: str, text: str) -> None:
    lower_key = key.lower()
    if lower_key in OPERATOR_KEYS:
        raise field_error(OF_OPERATOR, f"{OPERATOR_KEYS[lower_key]}.")
    check_line(key, text)
    field = next((name for name in SlurmConfSpec.model_fields if name.replace("_", "") == lower_key), None)
    if field:
        raise field_error("this has a field of its own", f"Set slurmConf.{to_camel(field)} instead.")
    if lower_key.startswith("priorityweight") and lower_key != "priorityweighttres":
        raise field_error("this has a field of its own", "Set slurmConf.priorityWeights instead.")
    if lower_key in {ACCOUNTING_STORAGE_TRES.lower(), PRIORITY_WEIGHT_TRES.lower()}:
        for name in tres_names({key: text}, key) or ():
            check_tres_name(name)


def _preempt_mode(text: str) -> str:
    """Return a PreemptMode in upper case: at most one action, such as REQUEUE, and one modifier, such as GANG."""
    words = [word.strip() for word in text.upper().split(",")]
    actions = [word for word in words if word in {"OFF", *_PREEMPT_ACTIONS}]
    modifiers = [word for word in words if word in _PREEMPT_MODIFIERS]
    if len(actions) + len(modifiers) < len(words) or max(len(actions), len(modifiers)) > 1:
        raise field_error("Slurm knows no such PreemptMode", 'Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".')
    if "SUSPEND" in words and "GANG" not in words:
        raise field_error("suspended jobs are resumed by the gang scheduler, and it is off", 'Write "SUSPEND,GANG".')
    return ",".join(words)


def _priority_weight(key: str, weight: int) -> None:
    if key.lower() not in {"age", "assoc", "fairshare", "jobsize", "partition", "qos"}:
        raise field_error("Slurm has no such weight", "Write one of: Age, Assoc, Fairshare, JobSize, Partition, QOS.")
    if not 0 <= weight < 2**32:
        raise field_error("this is not a weight", "Write a number from 0 to 4294967295.")
