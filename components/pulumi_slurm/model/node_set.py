"""Node sets: the workers, each a Kubernetes pod with a slurmd."""

import re
from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each, check_each_pair, field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.autoscaling import AutoscalingSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import Lines, no_repeats
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.names import dns_label, slurm_name
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm.model.pod import PodSpec
from pulumi_slurm.model.sidecar import SidecarSpec
from pulumi_slurm.model.storage import HostPathSpec, VolumeClaimTemplateSpec
from pulumi_slurm.model.units import LARGEST, quantity_text

_HOST_NAME_PREFIX = re.compile(r"^[a-z]([a-z0-9-]*)$")


class ScalingMode(StrEnum):
    """How many pods there are."""

    STATEFUL_SET = "StatefulSet"
    DAEMON_SET = "DaemonSet"


class UpdateType(StrEnum):
    """Who replaces pods when a node set changes."""

    ROLLING_UPDATE = "RollingUpdate"
    ON_DELETE = "OnDelete"


class UpdateStrategySpec(Model):
    """How a change of a node set reaches its pods. Nodes are drained first; jobs run to their end."""

    type: UpdateType = UpdateType.ROLLING_UPDATE
    """RollingUpdate replaces pods by itself; OnDelete waits for you to delete them."""
    max_unavailable: str = "25%"
    """With RollingUpdate: how many pods may be away at once, a number or a percentage."""

    @field_validator("max_unavailable", mode="before")
    @classmethod
    def _number_or_percentage(cls, value: Any) -> str:
        text = str(value)
        if isinstance(value, bool) or not re.fullmatch(r"[1-9][0-9]*|([1-9][0-9]?|100)%", text):
            raise field_error(
                "with this no pod would ever be replaced", 'Write a number from 1, or a percentage such as "25%".'
            )
        return text


class ClaimRetention(StrEnum):
    """What becomes of a pod's volume claims."""

    RETAIN = "Retain"
    DELETE = "Delete"


class WorkerSshSpec(Model):
    """SSH into worker pods, for users with a job on them (pam_slurm_adopt)."""

    extra_sshd_config: str | None = None
    """Lines at the end of sshd_config."""


class NodeSetSpec(Model):
    """Workers of one kind. CPUs, memory, GRES, selectors and tolerations come from its pool or machine."""

    name: str
    """The node set's name: its Slurm feature, and the beginning of its nodes' names."""
    pool: str | None = None
    """The node pool that the pods run on."""
    machine: MachineSpec | None = None
    """What each slurmd gets, when that is not the pool's whole machine or there is no pool."""
    scaling_mode: ScalingMode = ScalingMode.STATEFUL_SET
    """StatefulSet keeps a number of pods; DaemonSet keeps one on every matching node."""
    replicas: int | None = Field(default=None, ge=0)
    """How many pods; 1 by default. Not with autoscaling, nor with DaemonSet."""
    autoscaling: AutoscalingSpec | None = None
    """Let an autoscaler set the number of pods."""
    gpus: int | None = Field(default=None, ge=0)
    """How many of the machine's GPUs each slurmd gets; all by default."""
    extra_gres: list[str] = []
    """GRES beside GPUs, as in slurm.conf, for example "tmpdisk:100G"."""
    features: list[str] = []
    """Features that jobs can ask for with `--constraint`, beside the node set's name."""
    weight: int | None = Field(default=None, ge=0, le=LARGEST)
    """Nodes with lower weights are used first."""
    slurmd_options: Lines = {}
    """Further items for `slurmd --conf`, for example {"CoreSpecCount": "2"}."""
    partition: PartitionOptionsSpec | None = None
    """A partition of this node set alone, with the node set's name."""
    host_name_prefix: str | None = None
    """The beginning of the nodes' Slurm names; the node set's name and "-" by default."""
    ordinal_padding: int = Field(default=0, ge=0, le=8)
    """The width to which the numbers of nodes are padded with zeros."""
    volume_claims: list[VolumeClaimTemplateSpec] = []
    """Claims that every pod gets for itself."""
    claims_when_deleted: ClaimRetention = ClaimRetention.RETAIN
    """What becomes of the pods' claims when the node set is deleted."""
    claims_when_scaled: ClaimRetention = ClaimRetention.RETAIN
    """What becomes of a pod's claims when the node set shrinks."""
    host_paths: list[HostPathSpec] = []
    """Folders and files of the node that slurmd and its jobs see."""
    shared_memory: str | None = None
    """How much /dev/shm may hold, for example "64Gi"; without it 64 MiB, which is little for NCCL and PyTorch. What is
    in it counts as memory of the pod."""
    sidecars: list[SidecarSpec] = []
    """Further containers of each pod, for daemons that jobs need beside slurmd."""
    update_strategy: UpdateStrategySpec = UpdateStrategySpec()
    """How a change reaches the pods."""
    min_ready_seconds: int | None = Field(default=None, ge=0)
    """How long a new pod has to be ready before it counts."""
    revision_history_limit: int | None = Field(default=None, ge=0)
    """How many old revisions to keep."""
    workload_disruption_protection: bool = True
    """Keep pods with jobs from being evicted, by a PodDisruptionBudget."""
    ssh: WorkerSshSpec | None = None
    """Let users with a job on a node log in there."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pods."""
    image: str | None = None
    """The slurmd image, in place of the one from `images`."""
    wait: bool = False
    """Let `pulumi up` wait until all pods are ready. Without it, nodes may still be starting when it ends."""
    overrides: dict[str, Any] = {}
    """Merged last into the NodeSet's spec, in the operator's own form."""

    _image = field_validator("image")(kubernetes_names.image)

    @field_validator("shared_memory", mode="before")
    @classmethod
    def _shared_memory_is_a_quantity(cls, value: Any) -> str | None:
        return None if value is None else quantity_text(value)

    @field_validator("name")
    @classmethod
    def _name_is_a_label(cls, value: str) -> str:
        return _no_word_of_slurm(dns_label(value, 40))

    @field_validator("features")
    @classmethod
    def _features_are_words(cls, value: list[str]) -> list[str]:
        return check_each(value, slurm_name)

    @field_validator("slurmd_options")
    @classmethod
    def _single_items(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _slurmd_item)

    @field_validator("extra_gres")
    @classmethod
    def _gres_form(cls, value: list[str]) -> list[str]:
        return no_repeats(check_each(value, _gres_item))

    @field_validator("host_name_prefix")
    @classmethod
    def _prefix_begins_a_host_name(cls, value: str | None) -> str | None:
        if value is not None and (not _HOST_NAME_PREFIX.fullmatch(value) or len(value) > 50 or not value.strip("-")):
            raise field_error(
                "a host name can't begin like this",
                'Use up to 50 lower-case letters, digits and "-", starting with a letter, for example "gpu-".',
            )
        return value if value is None else _no_word_of_slurm(value)

    @property
    def replicas_owned(self) -> bool:
        """Whether the number of pods is ours to set."""
        return self.autoscaling is None and self.scaling_mode is ScalingMode.STATEFUL_SET

    @property
    def most_replicas(self) -> int | None:
        """The most pods there can be, or None when the number of nodes decides."""
        if self.scaling_mode is ScalingMode.DAEMON_SET:
            return None
        if self.autoscaling:
            return self.autoscaling.max_replicas
        return 1 if self.replicas is None else self.replicas

    @property
    def host_name(self) -> str:
        """What the nodes' Slurm names begin with."""
        return self.host_name_prefix or f"{self.name}-"

    @property
    def slurm_name(self) -> str:
        """How slurm.conf refers to the node set: the operator trims dashes from the prefix of host names."""
        return self.host_name.strip("-")


def _no_word_of_slurm(name: str) -> str:
    if name.strip("-") in {"all", "default"}:
        raise field_error(
            "in slurm.conf this is a word of its own, for every node or for defaults", "Choose another name."
        )
    return name


_DERIVED_ITEMS = {
    "gres": "gpus or extraGres",
    "feature": "features",
    "features": "features",
    "weight": "weight",
    "realmemory": "machine.memory",
    "cpus": "machine.cpus",
    "nodename": "hostNamePrefix",
    "port": "nothing: the port can't be changed",
}


def _slurmd_item(key: str, item: str) -> None:
    if not re.fullmatch(r"[A-Za-z]+", key) or not re.fullmatch(r"[^\s'\"]+", item):
        raise field_error(
            f"slurm-operator splits {key}={item} at white space, and stops on what is left",
            "Write a key of letters and a value without white space and quotes.",
        )
    if key.lower() in _DERIVED_ITEMS:
        raise field_error(
            "this is derived and would be given twice", f"Leave it out; set {_DERIVED_ITEMS[key.lower()]}."
        )


def _gres_item(item: str) -> None:
    if not re.fullmatch(r"[a-z_]+((:[A-Za-z0-9_.-]+)?:[0-9]+[KMGTP]?)?", item):
        raise field_error("this is not a GRES", 'Write name:count or name:type:count, for example "tmpdisk:100G".')
