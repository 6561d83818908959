"""A Job that runs sacctmgr commands against the cluster's slurmdbd."""

from pathlib import PurePath

from pulumi_slurm.configuration.accounts import LAST_UNDO_FILE, UNDO_FILE
from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, ClusterRef, Manifest, content_hash, manifest
from pulumi_slurm.manifests.pods import container, pod_template
from pulumi_slurm.model import AccountingSpec, TokenSpec
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render

_SCRIPT = "commands.sh"
_RETRIES = 10


def sacctmgr_job(
    ref: ClusterRef, accounting: AccountingSpec, role: str, script: str, undo: str | None = None
) -> dict[str, Manifest]:
    """Return the Job and the objects that it needs: a token, and a ConfigMap with the script and a client's slurm.conf.

    Their names contain a hash of their content, because a Job can't be changed: other commands need another Job. The
    token authenticates as SlurmUser for an hour, so that no key has to be mounted.

    ``undo`` are the lines that undo the script. A ConfigMap, which comes last, keeps them for the next Job.
    """
    files = {"slurm.conf": render(_client_conf(ref)), _SCRIPT: script}
    if undo is not None:
        files[PurePath(UNDO_FILE).name] = undo
    name = f"{role}-{content_hash([files, ref.key_generations(Purpose.JWT)])}"
    token = TokenSpec(name=name, username="slurm", lifetime="1h", refresh=False)
    secret = slinky.token_secret(ref, token)
    config_map = manifest("v1", "ConfigMap", ref, f"{ref.name}-{name}", data=files)
    volumes = [{"name": "files", "configMap": {"name": f"{ref.name}-{name}"}}]
    mounts = [{"name": "files", "mountPath": "/etc/slurm"}]
    last = {}
    if undo is not None:
        last = {"undo": undo_config_map(ref, role, undo)}
        volumes.append(undo_volume(ref, role))
        mounts.append(UNDO_MOUNT)
    annotations = {KEY_GENERATIONS: ref.key_generations(Purpose.JWT)}
    template = pod_template(ref, accounting.pod, volumes=volumes, annotations=annotations)
    sacctmgr = container(ref, ref.image(Daemon.SLURMCTLD), volume_mounts=mounts)
    template["spec"] |= {
        "restartPolicy": "Never",
        "containers": [
            {
                **sacctmgr,
                "name": "sacctmgr",
                "command": ["sh", f"/etc/slurm/{_SCRIPT}"],
                "env": [{"name": "SLURM_JWT", "valueFrom": {"secretKeyRef": {"name": secret.name, "key": secret.key}}}],
            }
        ],
    }
    job = manifest("batch/v1", "Job", ref, f"{ref.name}-{name}", spec={"backoffLimit": _RETRIES, "template": template})
    return {"configmap": config_map, "token": slinky.token(ref, token), "job": job, **last}


UNDO_MOUNT = {"name": "undo", "mountPath": str(PurePath(LAST_UNDO_FILE).parent)}
"""Where a Job's container has the lines of the last one."""


def undo_config_map(ref: ClusterRef, role: str, undo: str) -> Manifest:
    """Return the ConfigMap with the lines that undo a Job; it has to be changed after the Job, which reads it."""
    return manifest("v1", "ConfigMap", ref, _undo_name(ref, role), data={PurePath(LAST_UNDO_FILE).name: undo})


def undo_volume(ref: ClusterRef, role: str) -> Manifest:
    """Return the volume with the lines of the last Job; the first one has none."""
    return {"name": "undo", "configMap": {"name": _undo_name(ref, role), "optional": True}}


def _undo_name(ref: ClusterRef, role: str) -> str:
    return f"{ref.name}-{role}-undo"


def _client_conf(ref: ClusterRef) -> Conf:
    return Conf(
        File.SLURM,
        {
            "ClusterName": ref.slurm_name,
            "SlurmctldHost": (f"{ref.name}-controller",),
            "SlurmUser": "slurm",
            "AuthType": "auth/slurm",
            "CredType": "cred/slurm",
            "AuthAltTypes": ("auth/jwt",),
            "AuthInfo": ("use_client_ids",),
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": f"{ref.name}-accounting",
            "AccountingStoragePort": SLURMDBD_PORT,
        },
    )
