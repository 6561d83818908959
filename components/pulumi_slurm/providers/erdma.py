"""The settings of NCCL in jobs on Alibaba Cloud's eRDMA: lines of a TaskProlog.

The values are those with which PAI starts jobs on machines with eRDMA:
https://www.alibabacloud.com/help/en/pai/user-guide/erdma-distributed-training-with-high-performance-networks. Two of
them are taken from the node instead:

- NCCL_IB_HCA is "erdma" there. The driver calls its devices so (`erdma_device_register` in kernel/src/erdma_main.c of
  https://github.com/alibaba/elastic-rdma-drivers, commit 8a06286), but udev may rename them, as to rocep26s0 in
  https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/run-the-gdr-application-on-the-erdma-node-on-the-ack.
  So the devices are those of the PCI driver "erdma", `DRV_MODULE_NAME` in kernel/src/erdma.h there.
- NCCL_IB_GID_INDEX is 1 there, while docs/erdma-benchmark/README.md of
  https://github.com/AliyunContainerService/alibabacloud-erdma-controller, commit 72e8f0c, has a node whose devices have
  their IPv4 address of RoCE v2 at 1 and at 2. So it is set where all have theirs at the same index, and one each. From
  2.21 on, NCCL looks for it itself:
  https://www.juniper.net/documentation/us/en/software/jvd/jvd-ai-dc-evpn-multitenancy/appendix_d_how_to_run_nccl_tests_using_autoconfigured_ipv6_address.html.
  The driver has 16 in `compat_mode`, and else one that is no address (`erdma_query_port` and `erdma_query_gid` in
  kernel/src/erdma_verbs.c). The files are those of
  https://www.kernel.org/doc/Documentation/ABI/stable/sysfs-class-infiniband.

Pods see these files of their node's devices, unless the node was told otherwise
(https://man7.org/linux/man-pages/man8/rdma-system.8.html, `add_one_compat_dev` in drivers/infiniband/core/device.c of
Linux). Left out are NCCL_DEBUG, which is for looking, and what that README sets for some machines alone:
NCCL_NET_GDR_LEVEL, NCCL_GRAPH_FILE and NCCL_IB_ADDR_RANGE.
"""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.derived.slurm_conf_lines import has_rdma
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.providers.task_prolog import IN_BASH, fast_network, task_prolog_fields

TASK_PROLOG = "ack-task-prolog.sh"
"""The name of the TaskProlog among the cluster's configuration files."""

_DEVICES = "/sys/bus/pci/drivers/erdma/*/infiniband/*"
# The shell's own commands only: it runs with the user's PATH and LD_LIBRARY_PATH. On a node's network there may be no
# eth0.
_SETTINGS = f"""\
    NCCL_NET_PLUGIN=none NCCL_IB_QPS_PER_CONNECTION=8 NCCL_MIN_NCHANNELS=16
    if [ -e /sys/class/net/eth0 ]; then NCCL_SOCKET_IFNAME=eth0; fi
    NCCL_IB_HCA='' indices=()
    for device in {_DEVICES}; do
        NCCL_IB_HCA+=${{NCCL_IB_HCA:+,}}${{device##*/}}
        for index in {{0..15}}; do
            gid='' type=''
            read -r gid <"$device/ports/1/gids/$index"
            read -r type <"$device/ports/1/gid_attrs/types/$index"
            if [[ $gid == 0000:0000:0000:0000:0000:ffff:* && $type == "RoCE v2" ]]; then indices[index]=1; fi
        done
    done 2>/dev/null
    if [ ${{#indices[@]}} = 1 ]; then NCCL_IB_GID_INDEX=${{!indices[*]}}; fi
"""


def erdma_fields(slurm: SlurmSpec, pools: Sequence[NodePoolSpec], folder: str = "") -> dict[str, Any]:
    """Return the fields of a Slurm cluster on Alibaba Cloud by which jobs have NCCL's settings for eRDMA.

    None without workers with RDMA, with a TaskProlog of the user's, or with slurmctld elsewhere. ``folder`` is where
    nodes have the configuration files, and "" where slurmctld sends the TaskProlog.
    """
    if slurm.controller.external or not has_rdma(slurm, pools):
        return {}
    script = IN_BASH + fast_network(f"compgen -G '{_DEVICES}' >/dev/null", _SETTINGS)
    return task_prolog_fields(slurm, f"{folder}{TASK_PROLOG}", script)
