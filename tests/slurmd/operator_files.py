"""Files as slurm-operator 1.1.0 writes them for a cluster `c` in namespace `slurm`, by hand, for tests of Slurm itself.

What the operator makes of our own objects is tested with its own output, not with these.
"""

from __future__ import annotations

from tests.slurmd.database import NAME, PASSWORD, USER

ACCOUNTING = "c-accounting"

_GENERAL = """\
ClusterName=slurm_c
SlurmUser=slurm
SlurmctldHost=c-controller-0(c-controller.slurm)
SlurmctldPort=6817
StateSaveLocation=/var/spool/slurmctld/slurm_c
SlurmdUser=root
SlurmdPort=6818
SlurmdSpoolDir=/var/spool/slurmd
ReturnToService=2
MaxNodeCount=1024
GresTypes=gpu
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmSchedLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
LogTimeFormat=iso8601,format_stderr
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthInfo=use_client_ids
CommunicationParameters=block_null_hash
SelectTypeParameters=CR_Core_Memory
SlurmctldParameters=enable_configless,enable_stepmgr
ProctrackType=proctrack/cgroup
PrologFlags=Contain
TaskPlugin=task/affinity,task/cgroup
"""
_WITH_ACCOUNTING = f"""\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={ACCOUNTING}
AccountingStoragePort=6819
AccountingStorageTRES=gres/gpu
JobAcctGatherType=jobacct_gather/cgroup
"""
_WITHOUT = """\
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
"""
SLURMDBD_CONF = f"""\
DbdHost={ACCOUNTING}-0
DbdPort=6819
SlurmUser=slurm
AuthType=auth/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthInfo=use_client_ids
StorageType=accounting_storage/mysql
StorageHost=mariadb
StoragePort=3306
StorageUser={USER}
StorageLoc={NAME}
StoragePass={PASSWORD}
LogFile=/dev/null
LogTimeFormat=iso8601,format_stderr
"""
CPU_AND_GPU = """\
NodeSet=cpu Feature=cpu
NodeSet=gpu Feature=gpu
PartitionName=cpu Nodes=cpu Default=YES MaxTime=UNLIMITED
PartitionName=gpu Nodes=gpu MaxTime=UNLIMITED
PartitionName=all Nodes=ALL MaxTime=UNLIMITED
"""


def files(end: str = CPU_AND_GPU, *, accounting: bool = False) -> dict[str, str | bytes]:
    """Return /etc/slurm of the controller; `end` are the node sets and what a user adds."""
    return {
        "slurm.conf": _GENERAL + (_WITH_ACCOUNTING if accounting else _WITHOUT) + end,
        "cgroup.conf": "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n",
        "gres.conf": "AutoDetect=nvidia\n",
    }
