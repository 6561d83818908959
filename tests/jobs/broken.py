"""Ways to break a cluster, each with the step of a proof that has to tell, and what it has to see.

They are done to a running cluster, or the proof gets a file that says something else than the cluster is.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tests.jobs.slurm import Slurm
from tests.waiting import eventually, has


@dataclass(frozen=True)
class Defect:
    """Something that is broken, and how it is mended."""

    step: str
    """The step that tells; no other may."""
    observed: str
    """What it has to say."""
    where: str = ""
    """The pod: "login", a worker such as "cpu-1", a daemon such as "slurmrestd"."""
    breaks: str = ""
    """The script of sh that breaks it, as root."""
    mends: str = ""
    says: tuple[Any, ...] = ()
    """The path in the stack's file that says something else, and what it says."""
    verdict: str = "FAIL"
    leaves_traces: bool = False
    """Whether slurmd may go on for minutes with what it couldn't do."""

    @contextlib.contextmanager
    def there(self, slurm: Slurm) -> Iterator[None]:
        """Have it, and mend it."""
        if not self.breaks:
            yield
            return
        try:
            run_in(slurm, self.where, self.breaks)
            yield
        finally:
            run_in(slurm, self.where, self.mends)
            if self.leaves_traces:
                replace_worker(slurm, self.where)

    def change(self, settings: dict[str, Any]) -> None:
        """Let a file say what it says of it."""
        if self.says:
            *keys, last, value = self.says
            place: Any = settings
            for key in keys:
                place = place[key]
            if isinstance(place, list) and last == len(place):
                place.append(value)
            else:
                place[last] = value


def run_in(slurm: Slurm, where: str, script: str) -> None:
    """Run a script in a pod, as root."""
    if where in ("login", "slurmrestd", "slurmdbd", "slurmctld"):
        slurm.inside(where, "sh", "-c", script)
    else:
        slurm.beside(where, "sh", "-c", script)


def replace_worker(slurm: Slurm, name: str) -> None:
    """Let a worker have a new pod."""
    before = slurm.uids()
    (pod,) = (pod for pod in slurm.pods("slurmd") if pod["spec"]["hostname"] == name)
    pod_name = pod["metadata"]["name"]
    slurm.cluster.api.delete(f"/api/v1/namespaces/{slurm.namespace}/pods/{pod_name}")
    slurm.wait_for_another(pod_name, before)


def wait_until_mended(slurm: Slurm) -> None:
    """Wait until all nodes are idle again, and no job is left."""
    eventually("three idle nodes", lambda: slurm.root("sinfo", "-h", "-o", "%D %T", "-p", "all"), has("3 idle"))


def _scontrol(words: str) -> str:
    return f"scontrol update {words}"


def _signal(program: str, name: str) -> str:
    return f"kill -{name} $(pidof {program})"


_UNTIL_ASKED = "until grep -qE ':1AA2 [0-9A-F]+:[0-9A-F]+ 0[18] ' /proc/net/tcp; do sleep 0.5; done"
"""Waits until somebody has a connection to slurmd's port, as for a job; after 20 s srun gives up."""
_TOKEN = "/run/secrets/kubernetes.io/serviceaccount"
_CLUSTER, _POOL = "slurm:cluster", ("slurm:pools", 0, "machine")

DEFECTS: Mapping[str, Defect] = MappingProxyType(
    {
        "a drained node": Defect(
            "nodes",
            "cpu-1 is drain",
            "login",
            _scontrol("NodeName=cpu-1 State=DRAIN Reason=fan"),
            _scontrol("NodeName=cpu-1 State=RESUME"),
        ),
        "a node that is down": Defect(
            "nodes",
            "cpu-1 is down",
            "login",
            _scontrol("NodeName=cpu-1 State=DOWN Reason=fan"),
            _scontrol("NodeName=cpu-1 State=RESUME") + " || true",
        ),
        "a node without its feature": Defect(
            "nodes",
            "gpu-0 has not the feature nvlink",
            "login",
            _scontrol("NodeName=gpu-0 AvailableFeatures=gpu ActiveFeatures=gpu"),
            _scontrol("NodeName=gpu-0 AvailableFeatures=gpu,nvlink ActiveFeatures=gpu,nvlink"),
        ),
        "a partition that is down": Defect(
            "srun",
            "0 of 1 nodes",
            "login",
            _scontrol("PartitionName=gpu State=DOWN"),
            _scontrol("PartitionName=gpu State=UP"),
        ),
        "a partition that takes no jobs": Defect(
            "srun",
            "0 of 1 nodes",
            "login",
            _scontrol("PartitionName=gpu State=DRAIN"),
            _scontrol("PartitionName=gpu State=UP"),
        ),
        "a partition without nodes": Defect(
            "srun",
            "no node in it, though gpu have some",
            "login",
            _scontrol("PartitionName=gpu Nodes="),
            _scontrol("PartitionName=gpu Nodes=gpu"),
        ),
        "a partition for fewer nodes": Defect(
            "srun",
            "0 of 3 nodes",
            "login",
            _scontrol("PartitionName=all MaxNodes=1"),
            _scontrol("PartitionName=all MaxNodes=UNLIMITED"),
        ),
        "a partition for short jobs": Defect(
            "srun",
            "0 of 1 nodes",
            "login",
            _scontrol("PartitionName=gpu MaxTime=0:30"),
            _scontrol("PartitionName=gpu MaxTime=12:00:00"),
        ),
        "a partition for other people": Defect(
            "srun",
            "0 of 1 nodes",
            "login",
            _scontrol("PartitionName=gpu AllowGroups=root"),
            _scontrol("PartitionName=gpu AllowGroups=ALL"),
        ),
        "a user with two numbers": Defect(
            "srun",
            "on cpu-1 alice has another number",
            "cpu-1",
            "echo alice:x:2000:2000::/home/alice:/bin/sh >>/etc/passwd",
            "sed -i /^alice:/d /etc/passwd",
        ),
        "a token that everybody reads": Defect(
            "isolation",
            "a job reads /run/secrets/kubernetes.io/serviceaccount/token",
            "cpu-0",
            f"mkdir -p {_TOKEN} && echo token >{_TOKEN}/token",
            "rm -r /run/secrets/kubernetes.io",
        ),
        "a GPU that has gone": Defect(
            "inside", "gpu-0 has 1 of 2 files", "gpu-0", "mv /dev/nvidia1 /dev/gone", "mv /dev/gone /dev/nvidia1"
        ),
        "a volume that is read-only on a worker": Defect(
            "storage",
            "cpu-0 can't write a file",
            "cpu-0",
            "mount -o remount,bind,ro /home",
            "mount -o remount,bind,rw /home",
        ),
        "an operator too many": Defect(
            "isolation",
            "daemon reads and changes and cancels a job of alice",
            "login",
            "sacctmgr --immediate add user daemon account=research adminlevel=Operator",
            "sacctmgr --immediate delete user daemon",
        ),
        "slurmrestd that hangs": Defect(
            "daemons",
            "slurm-restapi.slurm does not answer",
            "slurmrestd",
            _signal("slurmrestd", "STOP"),
            _signal("slurmrestd", "CONT"),
        ),
        # What the file says otherwise.
        "a worker more": Defect("nodes", "2 of 2", says=(_CLUSTER, "nodeSets", 0, "replicas", 3)),
        "GPUs of another number": Defect("nodes", "gpu:h100:2", says=(_CLUSTER, "nodeSets", 1, "gpus", 1)),
        "more memory than there is": Defect("nodes", "cpu-0 has 2 CPUs", says=(*_POOL, "memory", "9000Gi")),
        "more CPUs than there are": Defect("nodes", "cpu-0 has 2 CPUs", says=(*_POOL, "cpus", 999)),
        "a volume that isn't mounted": Defect(
            "storage",
            "has nothing mounted there",
            says=(
                *(_CLUSTER, "sharedVolumes", 1),
                {"name": "data", "mountPath": "/data", "storageClass": "standard", "size": "1Gi"},
            ),
        ),
        # The network of these nodes enforces none.
        "policies that nobody enforces": Defect(
            "isolation", "a job is let in", says=(_CLUSTER, "networkPolicies", {"enabled": True})
        ),
        "a partition that isn't there": Defect(
            "srun",
            "slurmctld has no such partition",
            says=(_CLUSTER, "partitions", 2, {"name": "night", "nodeSets": ["cpu"]}),
        ),
        "limits that nobody enforces": Defect(
            "limits",
            "is taken where 150 are the limit",
            says=(_CLUSTER, "slurmConf", {"accountingStorageEnforce": ["limits"]}),
        ),
        "a token that was never made": Defect(
            "tokens", "has none", says=(_CLUSTER, "tokens", 1, {"name": "ci", "username": "slurm"})
        ),
    }
)

SLOW: Mapping[str, Defect] = MappingProxyType(
    {
        # Slurm takes no key with such a mode, and launches no batch job with it.
        "a key that everybody reads": Defect(
            "sbatch",
            "launch failed requeued held",
            "cpu-0",
            "mount -o remount,rw /etc/slurm && chmod 644 /etc/slurm/slurm.key",
            "chmod 600 /etc/slurm/slurm.key && mount -o remount,ro /etc/slurm",
        ),
        "slurmdbd that hangs": Defect(
            "daemons",
            "it had no end in time",
            "slurmdbd",
            _signal("slurmdbd", "STOP"),
            _signal("slurmdbd", "CONT"),
        ),
        "slurmctld that hangs": Defect(
            "daemons", "doesn't answer", "slurmctld", _signal("slurmctld", "STOP"), _signal("slurmctld", "CONT")
        ),
        "slurmd that hangs": Defect(
            "srun",
            "slurmd's log on cpu-1, and",
            "cpu-1",
            _signal("slurmd", "STOP"),
            _signal("slurmd", "CONT"),
            leaves_traces=True,
        ),
        "a worker without DNS": Defect(
            "srun",
            "cpu-1 can't resolve slurm-controller.slurm",
            "cpu-1",
            "cp /etc/resolv.conf /tmp/resolv.conf; echo nameserver 127.0.0.9 >/etc/resolv.conf",
            "cat /tmp/resolv.conf >/etc/resolv.conf",
            leaves_traces=True,
        ),
        "a slow node": Defect(
            "srun",
            "3 of 3 nodes ran a job at once, after",
            "cpu-1",
            f"{_signal('slurmd', 'STOP')}; ({_UNTIL_ASKED}; sleep 17; {_signal('slurmd', 'CONT')}) >/dev/null 2>&1 &",
            _signal("slurmd", "CONT"),
            verdict="SLOW",
            leaves_traces=True,
        ),
        "another volume on a worker": Defect(
            "storage",
            "it isn't the same volume",
            "cpu-1",
            "mount -t tmpfs tmpfs /home && mkdir -m 777 /home/alice",
            "umount /home",
            leaves_traces=True,
        ),
        "a worker that the network keeps from login nodes": Defect(
            "srun",
            "cpu-1",
            "cpu-1",
            "ip route add unreachable $(cat /tmp/login)",
            "ip route del unreachable $(cat /tmp/login)",
            leaves_traces=True,
        ),
    }
)
"""Those that take a minute and more."""


_CGROUPS = "IgnoreSystemd=yes\nConstrainCores={}\nConstrainRAMSpace={}\nConstrainDevices={}\n"
RUNNING: Mapping[str, Defect] = MappingProxyType(
    {
        "memory that nobody confines": Defect(
            "isolation",
            "a job that asked for 100 MiB has",
            says=(_CLUSTER, "configFiles", "cgroup.conf", _CGROUPS.format("yes", "no", "yes")),
        ),
    }
)
"""What the cluster is made with, otherwise than the file says that is proven."""


def tell_login_address(slurm: Slurm) -> None:
    """Write the address of the login pod into a file of the worker cpu-1."""
    (pod,) = slurm.pods("login")
    slurm.beside("cpu-1", "sh", "-c", f"echo {pod['status']['podIP']} >/tmp/login")
