"""A Job that runs sacctmgr commands against the cluster's slurmdbd."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, content_hash, manifest
from pulumi_slurm.manifests.pods import container, pod_template
from pulumi_slurm.model import AccountingSpec, TokenSpec
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render

_SCRIPT = "commands.sh"
_RETRIES = 10


def sacctmgr_job(ref: ClusterRef, accounting: AccountingSpec, role: str, script: str) -> list[Manifest]:
    """Return the Job and the objects that it needs: a token, and a ConfigMap with the script and a client's slurm.conf.

    Their names contain a hash of their content, because a Job can't be changed: other commands need another Job. The
    token authenticates as SlurmUser for an hour, so that no key has to be mounted.
    """
    files = {"slurm.conf": render(_client_conf(ref)), _SCRIPT: script}
    name = f"{role}-{content_hash([files, ref.key_generations])}"
    token = TokenSpec(name=name, username="slurm", lifetime="1h", refresh=False)
    secret = slinky.token_secret(ref, token)
    config_map = manifest("v1", "ConfigMap", ref, f"{ref.name}-{name}", data=files)
    template = pod_template(
        ref, accounting.pod, volumes=[{"name": "files", "configMap": {"name": f"{ref.name}-{name}"}}]
    )
    sacctmgr = container(ref.image(Daemon.SLURMCTLD), volume_mounts=[{"name": "files", "mountPath": "/etc/slurm"}])
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
    return [config_map, slinky.token(ref, token), job]


def _client_conf(ref: ClusterRef) -> Conf:
    return Conf(
        File.SLURM,
        {
            "ClusterName": ref.name,
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
