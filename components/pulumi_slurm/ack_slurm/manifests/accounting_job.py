"""A Job that creates QoS, accounts and users, with the same commands as for slurm-operator."""

from pulumi_slurm.ack_slurm.manifests.munge_key import munge_volume
from pulumi_slurm.ack_slurm.manifests.names import MUNGE_FILE, slurmdbd_host
from pulumi_slurm.configuration.accounts import accounts_script, qos_script, undo_file
from pulumi_slurm.configuration.slurmdbd_wait import WAIT_SCRIPT
from pulumi_slurm.manifests.accounts import WAIT, undo_config_map, undo_name
from pulumi_slurm.manifests.client_job import job_name, last_mount, last_volume
from pulumi_slurm.manifests.files import FILES
from pulumi_slurm.manifests.objects import Manifest, content_hash, manifest
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN, as_root, root_without_more
from pulumi_slurm.manifests.pods import container, pod_template
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render

_ROLE = "accounts"
_RETRIES = 20
_START = f"""#!/bin/bash
# munge first, by which slurmdbd knows that these commands are root's.
set -e
install -o munge -m 0400 /var/munge/{MUNGE_FILE} /etc/munge/munge.key
service munge start
sh /etc/slurm/{WAIT}
for script in qos accounts; do
  if [ -e "/etc/slurm/$script.sh" ]; then sh "/etc/slurm/$script.sh"; fi
done
"""


def accounting_job(spec: SlurmSpec, image: str) -> dict[str, Manifest]:
    """Return the Job and the ConfigMap with its commands; empty if there are no commands.

    The Job waits for slurmdbd, and retries. Another content replaces it, under the same name; see `client_job`. A
    ConfigMap, which comes last, keeps what undoes the commands for the next Job.
    """
    scripts = {"qos.sh": qos_script(spec), "accounts.sh": accounts_script(spec)} if spec.accounting else {}
    commands = {name: text for name, text in scripts.items() if text is not None}
    if not spec.accounting or not commands:
        return {}
    ref = ClusterRef.of(spec)
    files = {
        "slurm.conf": render(_client_conf(ref)),
        "start.sh": _START,
        WAIT: WAIT_SCRIPT,
        "undo": undo_file(spec),
        **commands,
    }
    name = job_name(ref, _ROLE)
    volumes = [
        {"name": "files", "configMap": {"name": name}},
        munge_volume(spec),
        last_volume(undo_name(ref, _ROLE)),
    ]
    mounts = [{"name": "files", "mountPath": "/etc/slurm"}, {"name": "munge", "mountPath": "/var/munge"}, last_mount()]
    template = pod_template(ref, spec.accounting.pod, volumes=volumes, annotations={FILES: content_hash(files)})
    sacctmgr = container(ref, spec.accounting.image or image, volume_mounts=mounts)
    template["spec"] |= {
        "restartPolicy": "Never",
        **WITHOUT_TOKEN,
        "securityContext": as_root(),
        "containers": [
            {
                **sacctmgr,
                "name": "sacctmgr",
                "command": ["bash", "/etc/slurm/start.sh"],
                # What Pulumi shows of a Job that fails.
                "terminationMessagePolicy": "FallbackToLogsOnError",
                "securityContext": root_without_more(),
            }
        ],
    }
    job = manifest("batch/v1", "Job", ref, name, spec={"backoffLimit": _RETRIES, "template": template})
    config_map = manifest("v1", "ConfigMap", ref, name, data=files)
    undo = undo_config_map(ref, _ROLE, files["undo"])
    return {f"{_ROLE}-configmap": config_map, f"{_ROLE}-job": job, f"{_ROLE}-undo": undo}


def _client_conf(ref: ClusterRef) -> Conf:
    return Conf(
        File.SLURM,
        {
            "ClusterName": ref.name,
            "SlurmctldHost": (ref.name,),
            "SlurmUser": "slurm",
            "AuthType": "auth/munge",
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": slurmdbd_host(ref.name),
            "AccountingStoragePort": SLURMDBD_PORT,
        },
    )
