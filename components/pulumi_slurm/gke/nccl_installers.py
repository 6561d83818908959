"""DaemonSets that install Google's NCCL plugins on nodes with a fast network.

They do the same as Google's DaemonSets (https://github.com/GoogleCloudPlatform/container-engine-accelerators, folders
gpudirect-tcpx, gpudirect-tcpxo, gpudirect-rdma and nri_device_injector) and have the same names, so that nothing is
installed twice. They only run on the nodes of the pools that are passed. An installer ends by making a file, for which
the workers of `nccl_workers` wait.
"""

import posixpath
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.gke.model import NcclSpec
from pulumi_slurm.gke.plan.nccl_workers import INSTALLED
from pulumi_slurm.gke.plan.pools import NODE_POOL_LABEL
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN

_NAMESPACE = "kube-system"
_HOST_LIBRARIES = "/home/kubernetes/bin"
_INSTALLED_FOLDER = posixpath.dirname(INSTALLED.path)
_PRIVILEGED = MappingProxyType({"privileged": True})

_APERTURES = """
set -eu
iptables --check INPUT --protocol tcp --jump ACCEPT || iptables --insert INPUT --protocol tcp --jump ACCEPT
modprobe import-helper
for device in /sys/bus/pci/devices/*; do
  if [ "$(cat "$device/vendor") $(cat "$device/device")" = "0x1ae0 0x0084" ]; then
    place=/dev/aperture_devices/$(basename "$device")
    mkdir -p "$place"
    umount -R "$place" || true
    mount --bind "$(readlink -f "$device")" "$place"
  fi
done
if [ -d /dev/aperture_devices ]; then
  chmod -R a+r /dev/aperture_devices
  chmod a+rw /dev/aperture_devices/*/resource*
fi
"""
"""Mounts Google's network cards (PCI 1ae0:0084) where the plugin looks for them, and allows their traffic in."""


def nccl_installers(images: NcclSpec, pools: Mapping[GkeFabric, Sequence[str]]) -> list[Manifest]:
    """Return the DaemonSets that pools need: an installer for each fast network, and one device injector.

    ``pools`` are the names of the pools, by their fast network.
    """
    manifests = []
    if names := pools.get(GkeFabric.TCPX):
        manifests.append(_installer(images, "tcpx", names, [_socket_plugin("tcpx", images.tcpx_plugin)]))
    if names := pools.get(GkeFabric.TCPXO):
        steps = [_apertures(images), _socket_plugin("tcpxo", images.tcpxo_plugin)]
        manifests.append(_installer(images, "tcpxo", names, steps))
    if names := pools.get(GkeFabric.ROCE):
        manifests.append(_installer(images, "rdma", names, [_rdma_plugin(images.rdma_plugin)]))
    if names := [*pools.get(GkeFabric.TCPX, []), *pools.get(GkeFabric.TCPXO, [])]:
        manifests.append(_device_injector(images, names))
    return manifests


def _installer(images: NcclSpec, plugin: str, pools: Sequence[str], steps: Sequence[Manifest]) -> Manifest:
    host_paths = {"var-lib": "/var/lib", "libraries": _HOST_LIBRARIES, "installed": _INSTALLED_FOLDER}
    used = {mount["name"] for step in steps for mount in step.get("volumeMounts", ())}
    return _daemon_set(
        f"nccl-{plugin}-installer",
        pools,
        {
            "initContainers": list(steps),
            "containers": [{"name": "pause", "image": images.pause}],
            "volumes": [
                {"name": name, "hostPath": {"path": path, "type": "DirectoryOrCreate"}}
                for name, path in host_paths.items()
                if name in used
            ],
        },
    )


def _socket_plugin(plugin: str, image: str) -> Manifest:
    return _step(
        f"nccl-{plugin}-installer",
        image,
        "chmod 755 /scripts/container_entry.sh && /scripts/container_entry.sh install --install-nccl"
        f" && mkdir -p /usr/local/nvidia/lib64 && cp -r /var/lib/{plugin}/lib64/. /usr/local/nvidia/lib64",
        {"var-lib": "/var/lib", "libraries": "/usr/local"},
    )


def _rdma_plugin(image: str) -> Manifest:
    host = f"/usr/local{_HOST_LIBRARIES}"
    return _step(
        "nccl-rdma-installer",
        image,
        f"/scripts/container_entry.sh install && mkdir -p {host}/nvidia/lib64 {host}/gib"
        f" && cp -r /var/lib/gib/lib64/. {host}/nvidia/lib64 && cp -r /var/lib/gib/. {host}/gib",
        # Not /var/lib of the node: this plugin is unpacked within its container.
        {"libraries": host},
    )


def _step(name: str, image: str, script: str, mounts: dict[str, str]) -> Manifest:
    # The container's runtime makes a folder of a file that is missing when it starts a worker's container again.
    start, end = f"rm -rf {INSTALLED.path}", f"rm -rf {INSTALLED.path} && touch {INSTALLED.path}"
    mounts = {**mounts, "installed": _INSTALLED_FOLDER}
    return {
        "name": name,
        "image": image,
        "command": ["/bin/sh", "-exc", f"{start} && {script} && {end}"],
        "resources": {"requests": {"cpu": "150m"}},
        "securityContext": dict(_PRIVILEGED),
        "volumeMounts": [{"name": volume, "mountPath": path} for volume, path in mounts.items()],
    }


def _apertures(images: NcclSpec) -> Manifest:
    return {
        "name": "pre-installation",
        "image": images.shell,
        "command": ["nsenter", "--all", "--target", "1", "--", "sh", "-c", _APERTURES],
        "securityContext": dict(_PRIVILEGED),
    }


def _device_injector(images: NcclSpec, pools: Sequence[str]) -> Manifest:
    host_paths = {"dev": "/dev", "nri": "/var/run/nri"}
    return _daemon_set(
        "device-injector",
        pools,
        {
            "containers": [
                {
                    "name": "device-injector",
                    "image": images.device_injector,
                    "resources": {"requests": {"cpu": "150m"}},
                    "securityContext": dict(_PRIVILEGED),
                    "volumeMounts": [{"name": name, "mountPath": path} for name, path in host_paths.items()],
                }
            ],
            "volumes": [{"name": name, "hostPath": {"path": path}} for name, path in host_paths.items()],
        },
    )


def _daemon_set(name: str, pools: Sequence[str], pod: dict[str, Any]) -> Manifest:
    labels = {"k8s-app": name}
    in_pools = {"key": NODE_POOL_LABEL, "operator": "In", "values": sorted(pools)}
    required = {"nodeSelectorTerms": [{"matchExpressions": [in_pools]}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {
            "name": name,
            "namespace": _NAMESPACE,
            "labels": {**labels, "app.kubernetes.io/managed-by": "pulumi-slurm"},
            # Its pods come and go with the nodes, and Pulumi should not wait for nodes.
            "annotations": {"pulumi.com/skipAwait": "true"},
        },
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "priorityClassName": "system-node-critical",
                    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}},
                    "tolerations": [{"operator": "Exists"}],
                    "hostNetwork": True,
                    "hostPID": True,
                    **WITHOUT_TOKEN,
                    **pod,
                },
            },
        },
    }
