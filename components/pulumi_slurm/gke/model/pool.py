"""Node pools: which machines, how many, and by which capacity option of Google."""

import re
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field, field_validator

from pulumi_slurm.clouds.pool import CloudPoolSpec, CloudSystemPoolSpec
from pulumi_slurm.errors import check_each, field_error, nearest
from pulumi_slurm.gke.model.names import RESOURCE, network_tag_names, zone_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import scalars_to_text
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.units import slurm_time, time_seconds

MAX_POOL_NAME_LENGTH = 28
"""GKE accepts 40 characters; a capacity option in priorities adds up to 12."""

MAX_RUN_SECONDS = 7 * 24 * 3600
"""How long Google lets a flex-start node run, at most and by default: https://cloud.google.com/compute/docs/instances/about-flex-start-vms."""

DISK_TYPES = ("pd-balanced", "pd-ssd", "pd-standard", "hyperdisk-balanced")
"""The types of boot disks."""

_RESERVATION = re.compile(
    rf"(projects/[a-z0-9.:-]+/reservations/)?{RESOURCE}"
    rf"(/reservationBlocks/{RESOURCE}(/reservationSubBlocks/{RESOURCE})?)?"
)


class GkeCapacity(StrEnum):
    """How Google provides machines."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"
    RESERVATION = "reservation"
    FLEX_START = "flex-start"
    QUEUED = "queued"


FLEX_START_CAPACITIES = (GkeCapacity.FLEX_START, GkeCapacity.QUEUED)
"""Queued provisioning is flex-start with a queue:
https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest."""


class HostMaintenance(StrEnum):
    """When Google maintains the host of a machine."""

    AS_NEEDED = "as-needed"
    PERIODIC = "periodic"


class GkeCapacityOptionSpec(Model):
    """One way to get machines, and how many of them."""

    capacity: OneOf[GkeCapacity] = GkeCapacity.ON_DEMAND
    """How Google provides these machines. A change replaces the pool, but for one from "reservation" to "on-demand",
    which leaves the nodes in that reservation: make a pool of another name then."""
    reservation: str | None = None
    """With "reservation": its name, or projects/P/reservations/N, or .../reservationBlocks/B within it. A change
    replaces the pool."""
    placement_policy: str | None = None
    """The name of an existing policy of Compute Engine that places the nodes; for machines of a reservation the one
    that it was made with, `resourcePolicies` in `gcloud compute reservations describe`. A change replaces the pool."""
    host_maintenance: OneOf[HostMaintenance] | None = None
    """When Google maintains the hosts. Machines of a reservation need the interval that it was made with,
    `maintenanceInterval` in `gcloud compute reservations describe`. A change replaces the pool."""
    max_run_duration: str | None = None
    """With "flex-start" and "queued": how long a node lives, in Slurm's time format; 7-00:00:00 at most and by default.
    A change replaces the pool."""
    nodes: int | None = Field(default=None, ge=0, le=15000)
    """A fixed number of nodes, in all zones together; instead of minNodes and maxNodes."""
    min_nodes: int = Field(default=0, ge=0, le=15000)
    """The minimum number of nodes in all zones together, if GKE adds and removes them."""
    max_nodes: int | None = Field(default=None, ge=0, le=15000)
    """The maximum number of nodes in all zones together, if GKE adds and removes them as pods need them."""

    @field_validator("max_run_duration", mode="before")
    @classmethod
    def _is_a_time(cls, value: Any) -> str | None:
        if value is None:
            return value
        text = slurm_time(value)
        seconds = time_seconds(text)
        if seconds is None or not 0 < seconds <= MAX_RUN_SECONDS:
            raise field_error(
                "Google runs such nodes for 7 days at most", 'Write for example "7-00:00:00" or "12:00:00".'
            )
        return text

    @field_validator("reservation")
    @classmethod
    def _is_a_reservation(cls, value: str | None) -> str | None:
        if value is not None and not _RESERVATION.fullmatch(value):
            raise field_error(
                "this is not a reservation",
                "Write its name, or projects/P/reservations/N, or projects/P/reservations/N/reservationBlocks/B.",
            )
        return value

    @field_validator("placement_policy")
    @classmethod
    def _is_a_policy(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(RESOURCE, value):
            raise field_error(
                "this is not the name of a policy", "Write its name alone, without project and region: the last part."
            )
        return value

    @property
    def is_flex_start(self) -> bool:
        """Whether nodes start when Google has machines, and end after a limited time."""
        return self.capacity in FLEX_START_CAPACITIES

    @property
    def longest_run(self) -> str:
        """How long a node of flex-start or queued capacity lives, as days-hours:minutes:seconds."""
        days, seconds = divmod(self.longest_run_seconds, 24 * 3600)
        return f"{days}-{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    @property
    def longest_run_seconds(self) -> int:
        """How long a node of flex-start or queued capacity lives, in seconds."""
        return (time_seconds(self.max_run_duration) if self.max_run_duration else None) or MAX_RUN_SECONDS

    @property
    def most_nodes(self) -> int:
        """The maximum number of nodes."""
        return self.nodes if self.nodes is not None else self.max_nodes or 0

    @property
    def least_nodes(self) -> int:
        """The number of nodes that are there whether or not pods need them."""
        return self.nodes if self.nodes is not None else self.min_nodes


class GkeAcceleratorSpec(Model):
    """GPUs to attach to N1 machines."""

    type: str
    """Google's name of the GPU, e.g. "nvidia-tesla-t4"."""
    count: int = Field(ge=1)
    """How many GPUs each machine gets."""


class GkeDiskSpec(Model):
    """The boot disk of a node."""

    type: str | None = None
    """pd-balanced, pd-ssd, pd-standard or hyperdisk-balanced; by default one that the machine type supports."""
    size_gib: int = Field(default=100, ge=30, le=65536)
    """Its size in GiB; images of slurmd with CUDA take 20 to 30."""

    @field_validator("type")
    @classmethod
    def _is_a_disk_type(cls, value: str | None) -> str | None:
        if value is not None and value not in DISK_TYPES:
            raise field_error("there is no such boot disk", nearest(value, DISK_TYPES))
        return value


class GkeDriver(StrEnum):
    """Who installs NVIDIA's driver."""

    DEFAULT = "default"
    LATEST = "latest"
    DISABLED = "disabled"


class GkeImageType(StrEnum):
    """The operating system of nodes."""

    COS = "COS_CONTAINERD"
    UBUNTU = "UBUNTU_CONTAINERD"


class LocalSsdUse(StrEnum):
    """How local SSDs are used."""

    EPHEMERAL = "ephemeral"
    BLOCK = "block"


class GkeLocalSsdSpec(Model):
    """Local SSDs of a node; their data is lost with the node."""

    use: OneOf[LocalSsdUse] = LocalSsdUse.EPHEMERAL
    """"ephemeral" is for emptyDir volumes, images and logs; "block" gives you raw disks."""
    count: int | None = Field(default=None, ge=0)
    """The number of disks; by default those that the machine type includes."""


class ConfidentialType(StrEnum):
    """How the memory of Confidential VMs is encrypted; few machine types have it."""

    SEV = "SEV"
    SEV_SNP = "SEV_SNP"
    TDX = "TDX"


class GkePoolSpec(GkeCapacityOptionSpec, CloudPoolSpec):
    """A node pool. Node sets refer to it, which sets their CPUs, memory, GPUs, node selectors and tolerations."""

    _max_name_length: ClassVar = MAX_POOL_NAME_LENGTH

    machine_type: str
    """The machine type, e.g. "a3-highgpu-8g"; `catalogue.machineTypes` can add one."""
    accelerator: GkeAcceleratorSpec | None = None
    """GPUs to attach to N1 machines; other machine types with GPUs include them. A change replaces the pool."""
    priorities: list[GkeCapacityOptionSpec] = []
    """Several ways to get the same machines, best first, instead of `capacity` and the numbers of nodes. Each of these
    capacity options becomes a pool <name>-<capacity>, with a node set for every node set that refers to this pool."""
    compact_placement: bool = False
    """Place the nodes close to each other, in one zone. Machines of a reservation need its placementPolicy for that,
    and are where they are without one. A change replaces the pool."""
    auto_upgrade: bool = False
    """Let GKE upgrade the nodes in maintenance windows, which ends the jobs on them. Without it they keep their version
    until the end of its support, or of that of the control plane's version, whichever is first; so upgrade them by hand
    before. Only a new pool gets it: a change has no effect on one that exists, see docs/gke-node-pools.md."""
    threads_per_core: int | None = Field(default=None, ge=1, le=1)
    """Write 1 to switch simultaneous multithreading off; a node then has half the CPUs. Machines with one
    thread per core, such as Arm, T2D, H3 and H4D, have nothing to switch off. A change replaces the pool."""
    sysctls: dict[str, str] = {}
    """Parameters of the nodes' kernel, for example {"net.core.rmem_max": "134217728"}; GKE accepts some of them:
    https://cloud.google.com/kubernetes-engine/docs/how-to/node-system-config#sysctl-options. The last one stays on the
    pool when it is taken out again."""
    preloaded_images: list[str] = []
    """Disk images with container images, from which nodes start without a pull: projects/P/global/images/I. They need
    imageStreaming. A change replaces the pool."""
    driver: OneOf[GkeDriver] = GkeDriver.DEFAULT
    """NVIDIA's driver: GKE's default or latest, or "disabled" when you install it. A change replaces the pool."""
    local_ssd: GkeLocalSsdSpec = GkeLocalSsdSpec()
    """Local SSDs. A change replaces the pool."""
    disk: GkeDiskSpec = GkeDiskSpec()
    """The boot disk."""
    image_type: OneOf[GkeImageType] = GkeImageType.COS
    """The operating system."""
    image_streaming: bool = True
    """Start containers while their images are still being pulled from Artifact Registry; requires COS_CONTAINERD."""
    max_pods_per_node: int = Field(default=32, ge=8, le=256)
    """The maximum number of pods on a node, which determines how many addresses it gets: a /26 with 32, a /24 with 110.
    A change replaces the pool."""
    dedicated: bool = True
    """Keep other pods off these nodes by a taint; GKE adds another one to nodes with GPUs."""
    fabric: bool = True
    """Use the machine's fast network (GPUDirect, RDMA), with the VPCs that it needs, if the machine has one. A change
    replaces the pool."""
    secure_boot: bool = True
    """Boot only software that Google has signed; write false to install your own drivers. A change replaces the
    pool."""
    network_tags: list[str] = []
    """Network tags of the nodes, to which rules of your VPC's firewall and routes can refer."""
    confidential: OneOf[ConfidentialType] | None = None
    """Create the nodes as Confidential VMs; a change replaces the pool, but taking it out again changes nothing:
    https://cloud.google.com/kubernetes-engine/docs/how-to/confidential-gke-nodes."""

    _zones = field_validator("zones")(zone_names)
    _network_tags = field_validator("network_tags")(network_tag_names)
    _sysctls = field_validator("sysctls", mode="before")(scalars_to_text)

    @field_validator("preloaded_images")
    @classmethod
    def _are_disk_images(cls, value: list[str]) -> list[str]:
        return check_each(value, _check_disk_image)


def _check_disk_image(image: str) -> None:
    if not re.fullmatch(rf"projects/[a-z0-9.:-]+/global/images/{RESOURCE}", image):
        raise field_error("this is not the full name of a disk image", "Write projects/P/global/images/I.")


class GkeSystemPoolSpec(CloudSystemPoolSpec):
    """The nodes of Slurm's daemons, login pods and GKE's own pods; they have no taint."""

    machine_type: str = "e2-standard-4"
    """The machine type."""
    disk: GkeDiskSpec = GkeDiskSpec(size_gib=50)
    """The boot disk."""
    network_tags: list[str] = []
    """Network tags of the nodes, to which rules of your VPC's firewall and routes can refer."""

    _zones = field_validator("zones")(zone_names)
    _network_tags = field_validator("network_tags")(network_tag_names)
