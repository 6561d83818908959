"""Node sets: groups of workers, each of which is a Kubernetes pod with a slurmd."""

import re
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from pulumi_slurm.errors import (
    FieldError,
    Path,
    check_each,
    check_each_pair,
    each,
    field_error,
    field_errors,
    nearest,
    optional,
)
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.autoscaling import AutoscalingSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import scalars_to_text, unique_items, unique_keys
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.names import MAX_PART_NAME, dns_label, slurm_name
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm.model.pod import PodSpec
from pulumi_slurm.model.raw_volumes import raw_mounts, raw_volumes
from pulumi_slurm.model.sidecar import SidecarSpec
from pulumi_slurm.model.storage import HostPathSpec, VolumeClaimTemplateSpec
from pulumi_slurm.model.timestamps import rfc_3339
from pulumi_slurm.model.units import MAX_SLURM_INTEGER, bytes_text, duration
from pulumi_slurm.model.value_at import value_at

_HOST_NAME_PREFIX = re.compile(r"[a-z]([a-z0-9-]*)")


def feature(value: str) -> str:
    """Return a feature, which may have "=" and ":" in it as those of helpers.conf(5) have."""
    first, *others = re.split("[=:]", value)
    for part in others:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", part):
            raise field_error(
                "Slurm would not read this feature as one word", 'Write for example "mig=on" or "rack:1".'
            )
    slurm_name(first)
    return value


class ScalingMode(StrEnum):
    """How the number of pods is set."""

    STATEFUL_SET = "StatefulSet"
    DAEMON_SET = "DaemonSet"


class UpdateType(StrEnum):
    """How pods are replaced when a node set changes."""

    ROLLING_UPDATE = "RollingUpdate"
    ON_DELETE = "OnDelete"
    SCHEDULED_UPDATE = "ScheduledUpdate"


_RESERVATION_FLAGS = (
    *("DAILY", "DURATION_MINUS", "DURATION_PLUS", "FLEX", "FORCE_START", "HOURLY", "IGNORE_JOBS", "MAGNETIC", "MAINT"),
    *("NO_HOLD_JOBS_AFTER_END", "OVERLAP", "PURGE_COMP", "REPLACE", "REPLACE_DOWN", "SKIP", "STATIC", "TIME_FLOAT"),
    *("USER_DELETE", "WEEKDAY", "WEEKEND", "WEEKLY"),
)
"""Those that a new reservation of named nodes can have: FLAG_ARRAY(RESERVATION_FLAG) in
src/plugins/data_parser/v0.0.44/parsers.c of SchedMD/slurm, branch slurm-25.11."""


def _check_reservation_flag(flag: str) -> None:
    """Raise a field error for what slurmrestd refuses; the operator compares flags letter by letter."""
    if flag not in _RESERVATION_FLAGS:
        raise field_error("reservations have no such flag", nearest(flag, _RESERVATION_FLAGS))


class UpdateStrategySpec(Model):
    """How the pods of a node set are updated. Their Slurm nodes are drained first, so running jobs can finish."""

    type: OneOf[UpdateType] = UpdateType.ROLLING_UPDATE
    """RollingUpdate replaces pods automatically; OnDelete waits until you delete them; ScheduledUpdate, from
    slurm-operator 1.2 on, replaces them in a maintenance reservation in Slurm."""
    max_unavailable: str = "25%"
    """With RollingUpdate: how many pods may be unavailable at the same time, as a number or a percentage."""
    start_time: str | None = None
    """With ScheduledUpdate: when the reservation starts, in RFC 3339 form such as "2027-01-09T22:00:00Z"."""
    duration: str = "30m"
    """With ScheduledUpdate: how long the reservation lasts, for example "2h"."""
    flags: list[str] = []
    """With ScheduledUpdate: further flags of the reservation, for example "WEEKLY", so that it comes again."""

    @field_validator("max_unavailable", mode="before")
    @classmethod
    def _number_or_percentage(cls, value: Any) -> str:
        text = str(value)
        if isinstance(value, bool) or not re.fullmatch(r"[1-9][0-9]*|([1-9][0-9]?|100)%", text):
            raise field_error(
                "with this no pod would ever be replaced", 'Write a number from 1, or a percentage such as "25%".'
            )
        return text

    @field_validator("start_time")
    @classmethod
    def _start_is_a_time(cls, value: str | None) -> str | None:
        if value is not None:
            rfc_3339(value, 'Write for example "2027-01-09T22:00:00Z".')
        return value

    @field_validator("duration", mode="before")
    @classmethod
    def _duration_is_one(cls, value: Any) -> str:
        return duration(str(value))

    _flags_exist = field_validator("flags")(each(_check_reservation_flag))

    @model_validator(mode="after")
    def _schedule_fits_the_type(self) -> Self:
        scheduled = self.type is UpdateType.SCHEDULED_UPDATE
        depends_on_fields: tuple[Path, ...] = (("type",),)
        errors = []
        if scheduled and self.start_time is None:
            problem, fix = "slurm-operator needs to know when the update may start", "Add the time at which it starts."
            errors.append(FieldError(("start_time",), FieldError.ABSENT, problem, fix, depends_on_fields))
        for field in () if scheduled else ("start_time", "duration", "flags"):
            if (value := getattr(self, field)) != type(self).model_fields[field].default:
                problem, fix = f"only ScheduledUpdate has it, and type is {self.type}", "Leave it out, or change type."
                errors.append(FieldError((field,), value, problem, fix, depends_on_fields))
        if errors:
            raise field_errors(errors)
        return self


_IN_OVERRIDES = MappingProxyType(
    {
        "type": ("type",),
        "max_unavailable": ("rollingUpdate", "maxUnavailable"),
        "start_time": ("scheduledUpdate", "startTime"),
        "duration": ("scheduledUpdate", "duration"),
        "flags": ("scheduledUpdate", "flags"),
    }
)
"""Where the fields of an update strategy stand in the operator's own form."""


class ClaimRetention(StrEnum):
    """What happens to the volume claims of a pod that is removed."""

    RETAIN = "Retain"
    DELETE = "Delete"


class WorkerSshSpec(Model):
    """SSH into worker pods, for users with a job there (pam_slurm_adopt)."""

    _with_line_breaks = frozenset({"extra_sshd_config"})

    extra_sshd_config: str | None = None
    """Lines appended to sshd_config."""


class NodeSetSpec(Model):
    """A group of identical workers. CPUs, memory, GRES, selectors and tolerations come from its pool or machine."""

    name: str
    """The node set's name, which is also its Slurm feature and the prefix of its nodes' names."""
    pool: str | None = None
    """The node pool that the pods run on."""
    machine: MachineSpec | None = None
    """Resources of each slurmd, if they differ from the pool's machine or if there is no pool."""
    scaling_mode: OneOf[ScalingMode] = ScalingMode.STATEFUL_SET
    """StatefulSet runs a fixed number of pods; DaemonSet runs one on every matching node. There, Slurm's names
    are those of the Kubernetes nodes up to the first dot, so these have to differ."""
    bridged: bool = False
    """Share each node with the pods that Slurm Bridge schedules there; with scalingMode DaemonSet. The worker requests
    nothing of Kubernetes, not even GPUs, and Slurm knows what the machine has. A node runs jobs or pods, not both: see
    `mcsLabel` of the bridge. GPUs are there since workers are privileged; their libraries have to come from hostPaths
    or from the container runtime: set NVIDIA_VISIBLE_DEVICES in `pod.env` for it."""
    replicas: int | None = Field(default=None, ge=0)
    """Number of pods; 1 by default. Can't be combined with autoscaling or DaemonSet."""
    autoscaling: AutoscalingSpec | None = None
    """Let an autoscaler set the number of pods."""
    gpus: int | None = Field(default=None, ge=0)
    """How many of the machine's GPUs each slurmd gets; by default all of them. Of more it takes the first ones, even
    if Kubernetes gave these to another pod on the node."""
    extra_gres: list[str] = []
    """GRES other than GPUs, as in slurm.conf, for example "tmpdisk:100G"."""
    features: list[str] = []
    """Features that jobs can request with `--constraint`, in addition to the node set's name."""
    weight: int | None = Field(default=None, ge=0, le=MAX_SLURM_INTEGER)
    """Slurm's weight of the nodes; nodes with lower weights are allocated first. By default 100 with GPUs, and 1, as in
    Slurm, without, so that jobs take nodes without GPUs first."""
    slurmd_options: dict[str, str] = {}
    """Additional options for `slurmd --conf`, for example {"Parameters": "l3cache_as_socket"}. CoreSpecCount
    and MemSpecLimit follow from the pod's limits: Slinky's image appends them, and Slurm uses the last value."""
    partition: PartitionOptionsSpec | None = None
    """A partition that contains only this node set and has its name."""
    host_name_prefix: str | None = None
    """The prefix of the nodes' Slurm names; by default the node set's name and "-"."""
    oversubscribe_node: bool = False
    """Let several workers share a Kubernetes node, from slurm-operator 1.2 on; slurm-operator advises against it for
    more than trials. `machine` says what each gets. Workers are privileged, and see the devices of all of the node.
    A worker of a node set without it shares with none, and the others wait for its node."""
    pin_to_node: bool = False
    """Start each pod again on the Kubernetes node on which it was first, from slurm-operator 1.2 on: a Slurm node then
    always is the same machine. A pod whose node is gone gets another one."""
    ordinal_padding: int = Field(default=0, ge=0, le=8)
    """The width to which the ordinals in nodes' names are padded with zeros."""
    volume_claims: list[VolumeClaimTemplateSpec] = []
    """PersistentVolumeClaims that are created for every pod. They can't be changed after creation: slurm-operator 1.2
    refuses it, and earlier releases keep the claims as they are. Write a new node set, and remove the old one."""
    claims_when_deleted: OneOf[ClaimRetention] = ClaimRetention.RETAIN
    """What happens to the pods' claims when the node set is deleted."""
    claims_when_scaled: OneOf[ClaimRetention] = ClaimRetention.RETAIN
    """What happens to the claims of removed pods when the node set is scaled down."""
    host_paths: list[HostPathSpec] = []
    """Directories and files of the node that slurmd and its jobs can access."""
    shared_memory: str | None = None
    """The size of /dev/shm, for example "64Gi"; by default 64 MiB, which is little for NCCL and PyTorch. Its content
    counts as memory of the pod."""
    extra_volumes: list[dict[str, Any]] = []
    """Further `volumes` of the pods, in the form of the Kubernetes API: ConfigMaps, Secrets, ephemeral volumes."""
    extra_volume_mounts: list[dict[str, Any]] = []
    """Further `volumeMounts` of slurmd, which its jobs see too, in the form of the Kubernetes API."""
    sidecars: list[SidecarSpec] = []
    """Additional containers of each pod, for daemons that jobs need besides slurmd."""
    update_strategy: UpdateStrategySpec = UpdateStrategySpec()
    """How the pods are updated when the node set changes."""
    min_ready_seconds: int | None = Field(default=None, ge=0)
    """Seconds that a new pod has to be ready before it counts as available."""
    revision_history_limit: int | None = Field(default=None, ge=0)
    """Number of old revisions to keep."""
    workload_disruption_protection: bool = True
    """Protect pods with running jobs from eviction by a PodDisruptionBudget."""
    ssh: WorkerSshSpec | None = None
    """Let users with a job on a node log in there."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pods."""
    image: str | None = None
    """The slurmd image, in place of the one from `images`."""
    wait: bool | None = None
    """By default `pulumi up` waits until one pod is ready, for as long as the pool's `readyWithin`, and then fails with
    the reasons of its pods; when it ends, others may still be starting, or drained. With true it waits until all are
    ready, those that are too many are gone, and with update strategy RollingUpdate those of before a change are
    replaced, after their jobs; it fails after an hour. With false it waits for none, and never for pods whose
    number is set by an autoscaler, or is that of the Kubernetes nodes."""
    overrides: dict[str, Any] = {}
    """Merged last into the NodeSet's spec, in the operator's own form."""

    _extra_volumes = field_validator("extra_volumes")(raw_volumes)
    _extra_volume_mounts = field_validator("extra_volume_mounts")(raw_mounts)
    _slurmd_options_as_text = field_validator("slurmd_options", mode="before")(scalars_to_text)
    _slurmd_options_once = field_validator("slurmd_options")(unique_keys)

    _image = field_validator("image")(kubernetes_names.image)

    _shared_memory_is_a_quantity = field_validator("shared_memory", mode="before")(optional(bytes_text))

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return _refuse_slurm_keywords(dns_label(value, MAX_PART_NAME))

    _features_are_words = field_validator("features")(each(feature))

    @field_validator("slurmd_options")
    @classmethod
    def _slurmd_options_are_items(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_slurmd_option)

    @field_validator("extra_gres")
    @classmethod
    def _extra_gres_are_gres(cls, value: list[str]) -> list[str]:
        return unique_items(check_each(value, check_gres))

    @field_validator("host_name_prefix")
    @classmethod
    def _prefix_begins_a_host_name(cls, value: str | None) -> str | None:
        if value is not None and (not _HOST_NAME_PREFIX.fullmatch(value) or len(value) > 50 or not value.strip("-")):
            raise field_error(
                "a host name can't begin like this",
                'Use up to 50 lower-case letters, digits and "-", starting with a letter, for example "gpu-".',
            )
        return value if value is None else _refuse_slurm_keywords(value)

    @property
    def pulumi_sets_replicas(self) -> bool:
        """Whether Pulumi sets the number of pods, rather than an autoscaler or the number of nodes."""
        return self.autoscaling is None and self.scaling_mode is ScalingMode.STATEFUL_SET

    @property
    def max_replicas(self) -> int | None:
        """The maximum number of pods, or None if the number of Kubernetes nodes determines it."""
        if self.scaling_mode is ScalingMode.DAEMON_SET:
            return None
        if self.autoscaling:
            return self.autoscaling.max_replicas
        return self.fixed_replicas

    @property
    def fixed_replicas(self) -> int:
        """The number of pods where neither an autoscaler nor the number of Kubernetes nodes determines it."""
        return 1 if self.replicas is None else self.replicas

    @property
    def awaited_pods(self) -> int | None:
        """How many pods `pulumi up` waits for, until so many are ready and no more; None where it doesn't wait."""
        return (self.fixed_replicas or None) if self.wait and self.pulumi_sets_replicas else None

    @property
    def awaits_first_pod(self) -> bool:
        """Whether `pulumi up` waits until one pod is ready."""
        return self.wait is None and self.pulumi_sets_replicas and self.fixed_replicas > 0

    @property
    def strategy_in_use(self) -> UpdateStrategySpec:
        """How its pods are updated: `updateStrategy`, with what `overrides` have of it in the operator's own form.

        Of `overrides` nothing counts if they come to no strategy, which the operator would refuse.
        """
        override, strategy = self.overrides.get("updateStrategy"), self.update_strategy
        overridden = {field: value for field, steps in _IN_OVERRIDES.items() if (value := value_at(override, *steps))}
        same_type = overridden.get("type", strategy.type) == strategy.type
        kept = strategy.model_dump(exclude_unset=True) if same_type else {}
        try:
            return UpdateStrategySpec.model_validate({**kept, **overridden})
        except ValidationError:
            return strategy

    @property
    def update_type(self) -> UpdateType:
        """By which strategy its pods are updated, also where `overrides` say so."""
        return UpdateType(self.strategy_in_use.type)

    @property
    def awaits_new_pods(self) -> bool:
        """Whether `pulumi up` waits for the new pods of a changed node set, which other strategies make at other times.

        The update of the NodeSet is over when slurm-operator has seen it and all of its pods are of the new template:
        provider/pkg/await/condition/jsonpath.go and all.go of https://github.com/pulumi/pulumi-kubernetes at v4.25.0.
        """
        return self.awaited_pods is not None and self.update_type is UpdateType.ROLLING_UPDATE

    @property
    def has_names_of_kubernetes_nodes(self) -> bool:
        """Whether its Slurm nodes are named after their Kubernetes nodes, by which the bridge knows both.

        Source: GetSlurmNodeName in internal/controller/nodeset/utils/utils.go of
        https://github.com/SlinkyProject/slurm-operator at v1.1.2.
        """
        return self.scaling_mode is ScalingMode.DAEMON_SET or self.pod.host_network

    @property
    def host_name(self) -> str:
        """The prefix of the nodes' Slurm names."""
        return self.host_name_prefix or f"{self.name}-"

    @property
    def slurm_name(self) -> str:
        """The node set's name in slurm.conf: the operator strips dashes from the host name prefix."""
        return self.host_name.strip("-")


def _refuse_slurm_keywords(name: str) -> str:
    if name.strip("-") in {"all", "default"}:
        raise field_error("slurm.conf reserves this word, for every node or for defaults", "Choose another name.")
    return name


_DERIVED_ITEMS = MappingProxyType(
    {
        "gres": "gpus or extraGres",
        "feature": "features",
        "features": "features",
        "weight": "weight",
        "realmemory": "machine.memory",
        "cpus": "machine.cpus",
        "procs": "machine.cpus",
        "nodename": "hostNamePrefix",
        "nodeaddr": "nothing: a pod registers with its own address",
        "nodehostname": "hostNamePrefix",
        "bcastaddr": "nothing: a pod registers with its own address",
        "state": "nothing, and drain nodes with scontrol",
        "port": "nothing: the port can't be changed",
    }
)


def _check_slurmd_option(key: str, item: str) -> None:
    if not re.fullmatch(r"[A-Za-z]+", key) or not re.fullmatch(r"[^\s'\"]+", item):
        raise field_error(
            f"slurm-operator splits {key}={item} at white space, and fails on the rest",
            "Write a key of letters only, and a value without white space or quotes.",
        )
    if key.lower() in _DERIVED_ITEMS:
        raise field_error(
            "this is derived and would be given twice", f"Leave it out; set {_DERIVED_ITEMS[key.lower()]}."
        )


def check_gres(item: str) -> None:
    """Raise a field error for what slurm.conf would not take as an item of Gres."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]+((:[A-Za-z0-9_.-]+)?(:no_consume)?:[0-9]+[KMGTP]?)?", item):
        fix = 'Write name:count, name:type:count or name:type:no_consume:count, for example "tmpdisk:100G".'
        raise field_error("this is not a GRES", fix)
