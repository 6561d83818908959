"""The pods of workers, looked into where a node doesn't run a job."""

import shlex
from dataclasses import replace

from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.proof.place import is_ready
from pulumi_slurm_cli.proof.trial import Trial

_SELECTOR = "--selector=app.kubernetes.io/name=slurmd"


def trouble_of(trial: Trial, node: str, host: str) -> str:
    """Return what is wrong with a node's pod, or that it can't resolve the host of slurmctld; "" if nothing is."""
    place = trial.place
    try:
        pods = place.kubectl.objects(["pods"], f"--namespace={place.namespace}", _SELECTOR)
        pod = next((pod for pod in pods if pod["spec"].get("hostname") == node), None)
        if pod is None:
            return f"no pod has the name {node}"
        if not is_ready(pod):
            return f"pod {pod['metadata']['name']} isn't ready"
        inside = replace(place, pod=pod["metadata"]["name"], container="slurmd")
        asked = inside.query(f"! command -v getent >/dev/null || timeout 10 getent hosts {shlex.quote(host)}")
    except KubectlError as error:
        return str(error)
    return f"{node} can't resolve {host}" if asked.code else ""
