"""Additions to worker pods for NCCL on a fast network: libraries from the node, and GPUDirect's daemon as a sidecar.

As in Google's guides: https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx and
https://cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute-custom. The daemon (RxDM) copies received data
to the memory of all GPUs of a node, so a node runs one such daemon, with a slurmd that has all GPUs.

The environment of jobs is set by their TaskProlog, see `nccl_jobs`. Huge pages and /dev/infiniband need no settings:
slurmd's container is privileged and sees the node's devices. Jobs of users are not privileged, so the pool's machine
says that they lock memory (`MachineSpec.rdma`).
"""

from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.gke.model.nccl import NcclSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl import plugin_fabric
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.model import HostPathSpec, HostPathType, NodeSetSpec, SidecarSpec

LIBRARIES = HostPathSpec(
    name="nccl-libraries", path="/home/kubernetes/bin/nvidia/lib64", mount_path="/usr/local/nvidia/lib64"
)
_SYS = HostPathSpec(name="sys", path="/sys", mount_path="/hostsysfs")
_PROC_SYS = HostPathSpec(name="proc-sys", path="/proc/sys", mount_path="/hostprocsysfs")
SOCKET = HostPathSpec(
    name="nccl-socket", path="/run/tcpx", mount_path="/run/tcpx", type=HostPathType.DIRECTORY_OR_CREATE
)
APERTURES = HostPathSpec(name="nccl-apertures", path="/dev/aperture_devices", mount_path="/dev/aperture_devices")
GIB = HostPathSpec(name="nccl-gib", path="/home/kubernetes/bin/gib", mount_path="/usr/local/gib")
INSTALLED = HostPathSpec(
    name="nccl-installed",
    path="/run/pulumi-slurm/nccl-installed",
    mount_path="/run/pulumi-slurm/nccl-installed",
    type=HostPathType.FILE,
    read_only=True,
)
"""A file that the installer makes last: before, the kubelet starts no pod that mounts it. The folders are there sooner,
and a slurmd that has registered gets jobs. It is gone when the node starts again, and so is what A3 Mega's installer
mounts. Source: SetUpAt in pkg/volume/hostpath/host_path.go of https://github.com/kubernetes/kubernetes."""
_FIND_LIBRARIES = MappingProxyType({"LD_LIBRARY_PATH": LIBRARIES.mount_path})
_READY_FILE = "/run/health-check"


@dataclass(frozen=True)
class NcclParts:
    """Additions to a node set."""

    host_paths: tuple[HostPathSpec, ...] = ()
    """Folders of the node that jobs need, and the file that says they are complete."""
    sidecars: tuple[SidecarSpec, ...] = ()
    """Daemons that run next to slurmd."""
    devices: tuple[str, ...] = ()
    """Devices of the node that each of these daemons uses."""

    @property
    def annotations(self) -> dict[str, str]:
        """Annotations with the devices of each daemon, as a list in YAML, for the device injector."""
        devices = "".join(f"- path: {device}\n" for device in self.devices)
        return {f"devices.gke.io/container.{sidecar.name}": devices for sidecar in self.sidecars}


def nccl_parts(plan: GkePlan, planned: GkePlannedPool, node_set: NodeSetSpec) -> NcclParts:
    """Return what the workers of a node set on this pool need; nothing if they have only some of a node's GPUs."""
    gpus = planned.machine_type.gpus.count if planned.machine_type.gpus else 0
    if node_set.machine or node_set.gpus not in (None, gpus):
        return NcclParts()
    nvidia = (*(f"/dev/nvidia{number}" for number in range(gpus)), "/dev/nvidiactl", "/dev/nvidia-uvm")
    match plugin_fabric(plan, planned):
        case GkeFabric.TCPX:
            return NcclParts((INSTALLED, LIBRARIES, SOCKET), (_tcpx_daemon(plan.spec.nccl),), nvidia)
        case GkeFabric.TCPXO:
            devices = (*nvidia, "/dev/dmabuf_import_helper")
            return NcclParts((INSTALLED, LIBRARIES, APERTURES), (_tcpxo_daemon(plan.spec.nccl),), devices)
        case GkeFabric.ROCE:
            return NcclParts((INSTALLED, LIBRARIES, GIB))
        case _:
            return NcclParts()


def _tcpx_daemon(nccl: NcclSpec) -> SidecarSpec:
    options = {
        "--gpu_nic_preset": "a3vm",
        "--gpu_shmem_type": "fd",
        "--uds_path": SOCKET.mount_path,
        # With these quotes, as in Google's manifests.
        "--setup_param": '\\"--verbose 128 2 0 \\"',
    }
    return SidecarSpec(
        name="tcpx-daemon",
        image=nccl.tcpx_daemon,
        command=["/tcpgpudmarxd/build/app/tcpgpudmarxd", *(word for option in options.items() for word in option)],
        env=dict(_FIND_LIBRARIES),
        capabilities=["NET_ADMIN"],
        host_paths=[LIBRARIES, SOCKET, _SYS, _PROC_SYS],
    )


def _tcpxo_daemon(nccl: NcclSpec) -> SidecarSpec:
    start = "/fts/entrypoint_rxdm_container.sh"
    return SidecarSpec(
        name="tcpxo-daemon",
        image=nccl.tcpxo_daemon,
        command=["/bin/sh", "-exc", f"chmod 755 {start} && exec {start} --num_hops=2"],
        env={**_FIND_LIBRARIES, "HEALTH_CHECK_LOG_FILE": _READY_FILE},
        capabilities=["NET_ADMIN", "NET_BIND_SERVICE"],
        host_paths=[LIBRARIES, _SYS, _PROC_SYS],
        # It writes this file when it has set up all GPUs, which takes half a minute.
        ready_command=["cat", _READY_FILE],
    )
