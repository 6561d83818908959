"""The settings of NCCL in jobs on a fast network, and which interface is for sockets: lines of the TaskProlog.

Without them NCCL takes what it finds itself, and may go over plain TCP without a word. Google's jobs take the settings
that are installed with the plugin, and a few beside them: community/examples/slurm-gke/nccl-tests (A3 Mega, A3 Ultra
and A4), examples/gke-a3-highgpu/nccl-config.yaml and examples/gke-a4/nccl-jobset-example.yaml of
https://github.com/GoogleCloudPlatform/cluster-toolkit, commit 1047080. UCX goes over RDMA where there is any
(examples/gke-a3-ultragpu/system_benchmarks/ramble-hpl.yaml there), and else over the first interface, as in
validators/performance/testdata/h100/gke/runtime.yaml of https://github.com/NVIDIA/aicr, commit bc05c6b. With
GPUDirect-TCPX jobs of a single node have no settings: examples/machine-learning/a3-highgpu-8g/nccl-tests there.
"""

from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl_workers import APERTURES, GIB, INSTALLED, LIBRARIES, SOCKET
from pulumi_slurm.providers.gpu_driver import DRIVER_ENV
from pulumi_slurm.providers.task_prolog import fast_network

# Google's profiles are for bash, and set more than NCCL's variables, such as CUDA_VISIBLE_DEVICES, which is Slurm's.
_SETTINGS = f"""\
    export PATH={DRIVER_ENV["PATH"]} LD_LIBRARY_PATH={DRIVER_ENV["LD_LIBRARY_PATH"]}
    OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0 GLOO_SOCKET_IFNAME=eth0 NCCL_SOCKET_IFNAME=eth0
    if [ ! -e {INSTALLED.mount_path} ]; then
        :
    elif [ -e {GIB.mount_path}/scripts/set_nccl_env.sh ]; then
        # shellcheck source=/dev/null
        . {GIB.mount_path}/scripts/set_nccl_env.sh
        NCCL_NET=gIB
    elif [ -d {APERTURES.mount_path} ]; then
        NCCL_LIB_DIR={LIBRARIES.mount_path}
        # shellcheck source=/dev/null
        . {LIBRARIES.mount_path}/nccl-env-profile.sh
        NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY={APERTURES.mount_path} UCX_NET_DEVICES=eth0
    elif [ -d {SOCKET.mount_path} ] && [ "${{SLURM_JOB_NUM_NODES:-1}}" -gt 1 ]; then
        UCX_NET_DEVICES=eth0
        NCCL_GPUDIRECTTCPX_UNIX_CLIENT_PREFIX={SOCKET.mount_path}
        NCCL_GPUDIRECTTCPX_CTRL_DEV=eth0 NCCL_GPUDIRECTTCPX_SOCKET_IFNAME=eth1,eth2,eth3,eth4
        NCCL_GPUDIRECTTCPX_TX_BINDINGS="eth1:8-21,112-125;eth2:8-21,112-125;eth3:60-73,164-177;eth4:60-73,164-177"
        NCCL_GPUDIRECTTCPX_RX_BINDINGS="eth1:22-35,126-139;eth2:22-35,126-139;eth3:74-87,178-191;eth4:74-87,178-191"
        NCCL_GPUDIRECTTCPX_PROGRAM_FLOW_STEERING_WAIT_MICROS=500000
        NCCL_GPUDIRECTTCPX_FORCE_ACK=0 NCCL_GPUDIRECTTCPX_TX_COMPLETION_NANOSLEEP=1000
        NCCL_ALGO=Ring NCCL_PROTO=Simple NCCL_CROSS_NIC=0 NCCL_NET_GDR_LEVEL=PIX NCCL_P2P_PXN_LEVEL=0
        NCCL_NSOCKS_PERTHREAD=4 NCCL_SOCKET_NTHREADS=1 NCCL_MAX_NCHANNELS=8 NCCL_MIN_NCHANNELS=8
        NCCL_DYNAMIC_CHUNK_SIZE=524288 NCCL_P2P_NET_CHUNKSIZE=524288 NCCL_P2P_PCI_CHUNKSIZE=524288
        NCCL_P2P_NVL_CHUNKSIZE=1048576 NCCL_BUFFSIZE=4194304
    fi >/dev/null 2>&1
"""


def nccl_settings(plan: GkePlan) -> str:
    """Return the lines of a TaskProlog in bash that set NCCL up on the nodes of fast pools; "" if there are none."""
    if not any(map(uses_fabric, plan.pools)):
        return ""
    return fast_network("[ -e /sys/class/net/eth1 ]", _SETTINGS)
