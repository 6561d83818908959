"""A Job that runs a script of Slurm's commands, with the rights of SlurmUser."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.files import FILES
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, Manifest, content_hash, manifest
from pulumi_slurm.manifests.pod_security import SLURM_USER_ID, WITHOUT_TOKEN, as_user, without_rights
from pulumi_slurm.manifests.pods import container, pod_template
from pulumi_slurm.model import PodSpec, TokenSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render

SCRIPT = "commands.sh"
LAST_FOLDER = "/etc/slurm-last"
"""Where a script finds the ConfigMap that was written after the last Job had succeeded, if there was one."""


def client_job(
    ref: ClusterRef,
    role: str,
    files: Mapping[str, str],
    pod: PodSpec,
    *,
    retries: int,
    conf: Mapping[str, Any] | None = None,
    last: str | None = None,
    run_for: Any = None,
) -> dict[str, Manifest]:
    """Return the Job and what it needs: a ConfigMap with its files, one of which is `SCRIPT`, and a token.

    The names stay the same, so that a Job is deleted before another one is created: one that failed must not be
    mistaken for its successor. A new pod reads changed files; ``run_for`` is the content for which the Job runs again,
    by default all files. The token authenticates as SlurmUser, so that no key has to be mounted. It is renewed, since a
    Job may run again at any time; the hash makes releases of the operator that have stopped renewing it look again.

    ``last`` is the name of a ConfigMap to mount; ``conf`` are lines of slurm.conf for this client.
    """
    files = {"slurm.conf": render(_client_conf(ref, conf or {})), **files}
    content = {FILES: content_hash(files if run_for is None else run_for)}
    name = job_name(ref, role)
    token = TokenSpec(name=f"{role}-job", username="slurm", lifetime="1h")
    secret = slinky.token_secret(ref, token)
    token_manifest = slinky.token(ref, token)
    token_manifest["metadata"]["annotations"] = content
    volumes = [{"name": "files", "configMap": {"name": name}}]
    mounts = [{"name": "files", "mountPath": "/etc/slurm"}]
    if last:
        volumes.append(last_volume(last))
        mounts.append(last_mount())
    template = pod_template(
        ref, pod, volumes=volumes, annotations={KEY_GENERATIONS: ref.key_generations(Purpose.JWT), **content}
    )
    template["spec"] |= {
        "restartPolicy": "Never",
        **WITHOUT_TOKEN,
        "securityContext": as_user(SLURM_USER_ID),
        "containers": [
            {
                **container(ref, ref.image(Daemon.SLURMCTLD), volume_mounts=mounts),
                "name": "commands",
                "command": ["sh", f"/etc/slurm/{SCRIPT}"],
                "env": [{"name": "SLURM_JWT", "valueFrom": {"secretKeyRef": {"name": secret.name, "key": secret.key}}}],
                # What Pulumi shows of a Job that fails.
                "terminationMessagePolicy": "FallbackToLogsOnError",
                "securityContext": without_rights(),
            }
        ],
    }
    return {
        "configmap": manifest("v1", "ConfigMap", ref, name, data=files),
        "token": token_manifest,
        "job": manifest("batch/v1", "Job", ref, name, spec={"backoffLimit": retries, "template": template}),
    }


def job_name(ref: ClusterRef, role: str) -> str:
    """Return the name of a Job and of its objects, by what it is for."""
    return f"{ref.name}-{role}-job"


def last_mount() -> Manifest:
    """Return where a Job's container has what was written after the last one."""
    return {"name": "last", "mountPath": LAST_FOLDER}


def last_volume(name: str) -> Manifest:
    """Return the volume with what was written after the last Job; the first one has none."""
    return {"name": "last", "configMap": {"name": name, "optional": True}}


def _client_conf(ref: ClusterRef, more: Mapping[str, Any]) -> Conf:
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
            **more,
        },
    )
