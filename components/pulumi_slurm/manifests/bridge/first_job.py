"""A Job with which a reader tries the bridge, and the commands that show what becomes of it."""

from collections.abc import Sequence

from pulumi_slurm.model import BridgeSpec
from pulumi_slurm.model.bridge_work import SUFFIXES, WORK_PREFIX
from pulumi_slurm.model.cluster_ref import ClusterRef


def first_job(ref: ClusterRef, options: BridgeSpec) -> str:
    """Return a Job for the first namespace that is named, as YAML; Slurm's job is limited to five minutes."""
    namespaces = _namespaces(options)
    namespace = f"  namespace: {namespaces[0]}\n" if namespaces else ""
    users = options.namespaces[0].users if options.namespaces else []
    user = f'\n    {WORK_PREFIX}{SUFFIXES["user_id"]}: "{users[0]}"' if users else ""
    return f"""\
apiVersion: batch/v1
kind: Job
metadata:
  name: first-job
{namespace}  annotations:
    {WORK_PREFIX}{SUFFIXES["time_limit"]}: "5"{user}
spec:
  template:
    spec:
      schedulerName: {options.scheduler_name}
      restartPolicy: Never
      containers:
        - name: hello
          image: {ref.images.logfile}
          command: [sh, -c, "echo hello from $(hostname); sleep 30"]
          resources:
            requests: {{ cpu: "1", memory: 64Mi }}
            limits: {{ cpu: "1", memory: 64Mi }}
"""


def commands(options: BridgeSpec) -> list[str]:
    """Return the commands that show pods and their devices, and the same as jobs and nodes of Slurm."""
    return [
        *(f"kubectl -n {namespace} get pods,resourceclaims" for namespace in _namespaces(options)),
        f"squeue --partition={options.partition}",
        f"sinfo --partition={options.partition}",
    ]


def _namespaces(options: BridgeSpec) -> Sequence[str]:
    return [namespace.name for namespace in options.namespaces]
