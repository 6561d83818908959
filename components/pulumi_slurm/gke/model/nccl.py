"""NCCL on fast networks: Google's plugins, and the daemon that GPUDirect needs next to every slurmd.

The releases of a plugin and its daemon have to match. The defaults are those of Google's manifests of June 2026:
https://github.com/GoogleCloudPlatform/container-engine-accelerators.
"""

from pydantic import field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model

_IMAGES = "us-docker.pkg.dev/gce-ai-infra"


class NcclSpec(Model):
    """Plugins with which NCCL, and so PyTorch and other frameworks, uses the fast network between GPUs."""

    install: bool = True
    """Install the plugins on nodes with a fast network, and add to the workers there what jobs need to use them. Write
    false to do that yourself."""
    tcpxo_plugin: str = f"{_IMAGES}/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev:v1.0.15"
    """The image with the plugin for A3 Mega."""
    tcpxo_daemon: str = f"{_IMAGES}/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21"
    """The image of the daemon for A3 Mega (RxDM)."""
    tcpx_plugin: str = f"{_IMAGES}/gpudirect-tcpx/nccl-plugin-gpudirecttcpx-dev:v3.1.9"
    """The image with the plugin for A3 High."""
    tcpx_daemon: str = f"{_IMAGES}/gpudirect-tcpx/tcpgpudmarxd-dev:v2.0.12"
    """The image of the daemon for A3 High (RxDM)."""
    rdma_plugin: str = f"{_IMAGES}/gpudirect-gib/nccl-plugin-gib:v1.1.1"
    """The image with the plugin for A3 Ultra and A4 (gIB)."""
    device_injector: str = (
        "gcr.io/gke-release/nri-device-injector@sha256:6e79483d52abdc28454bf186320b10a56b0f117a10e8d65d5c74dbb821a76970"
    )
    """The image of the device injector, which gives the daemons access to the GPUs."""
    shell: str = "docker.io/library/ubuntu:24.04"
    """An image with nsenter and a shell, for A3 Mega."""
    pause: str = "registry.k8s.io/pause:3.10"
    """The image of a container that does nothing."""

    _images = field_validator(
        "tcpxo_plugin",
        "tcpxo_daemon",
        "tcpx_plugin",
        "tcpx_daemon",
        "rdma_plugin",
        "device_injector",
        "shell",
        "pause",
    )(kubernetes_names.image)
