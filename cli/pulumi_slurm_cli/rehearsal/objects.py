"""The objects of a rehearsal: a namespace with no way in or out, and in it a Job for each start of the daemons.

Their pods are admitted at the level "restricted" of Pod Security, have no token of Kubernetes and no name server. State
and database come into them by `kubectl exec`, which kubelet carries out, beside the network.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pulumi_slurm.configuration.accounts import LAST_UNDO_FILE
from pulumi_slurm.manifests.client_job import LAST_FOLDER
from pulumi_slurm.manifests.default_requests import with_default_requests
from pulumi_slurm.manifests.objects import READABLE_BY_GROUP, Manifest, manifest
from pulumi_slurm.manifests.pod_security import SLURM_USER_ID, WITHOUT_TOKEN, as_user, without_rights
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.model import PodSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm_cli.rehearsal.files import Files
from pulumi_slurm_cli.rehearsal.places import ADDRESS, FILES, FOLDER, HOST, SCRIPT, SCRIPTS, SECRETS

REHEARSAL = "slurm.pulumi.com/rehearsal"
"""Label of a rehearsal's namespace, with the namespace of the cluster."""
_LAST_UNDO = LAST_UNDO_FILE.rpartition("/")[2]


@dataclass(frozen=True)
class Images:
    """The images of one start."""

    slurmctld: str
    slurmdbd: str | None = None
    """None where the database isn't copied, as for MariaDB."""
    mariadb: str | None = None


def fence(ref: ClusterRef, namespace: str) -> list[Manifest]:
    """Return the namespace, and the NetworkPolicy that lets nothing in or out."""
    labels = {"pod-security.kubernetes.io/enforce": "restricted", REHEARSAL: ref.namespace}
    inside = _inside(ref, namespace)
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": labels}},
        manifest(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            inside,
            HOST,
            # Each type without a rule admits nothing: https://kubernetes.io/docs/concepts/services-networking/network-policies/.
            spec={"podSelector": {}, "policyTypes": ["Ingress", "Egress"]},
        ),
    ]


def start_objects(
    ref: ClusterRef,
    namespace: str,
    name: str,
    files: Files,
    images: Images,
    pod: PodSpec,
    *,
    seconds: int,
    last_undo: str | None = None,
) -> list[Manifest]:
    """Return the Job of one start, called ``name``, and the files of its pod.

    The Job ends after ``seconds`` whatever becomes of who has made it. ``last_undo`` is what the cluster's last Job of
    accounts has left for the next one.
    """
    inside = _inside(ref, namespace)
    contents = {FILES: "files", SCRIPTS: "scripts", SECRETS: "secrets"}
    volumes: list[Manifest] = [
        {"name": "shared", "emptyDir": {}},
        {"name": "etc", "emptyDir": {}},
        {"name": "run", "emptyDir": {}},
        {"name": "files", "configMap": {"name": f"{name}-files"}},
        {"name": "scripts", "configMap": {"name": f"{name}-scripts"}},
        {"name": "secrets", "secret": {"secretName": f"{name}-secrets", "defaultMode": READABLE_BY_GROUP}},
    ]
    mounts: list[Manifest] = [
        {"name": "shared", "mountPath": FOLDER},
        {"name": "etc", "mountPath": "/etc/slurm"},
        {"name": "run", "mountPath": "/run"},
        *({"name": volume, "mountPath": path, "readOnly": True} for path, volume in contents.items()),
    ]
    objects = [
        manifest("v1", "ConfigMap", inside, f"{name}-files", data=files.configuration),
        manifest("v1", "ConfigMap", inside, f"{name}-scripts", data=files.scripts),
        manifest("v1", "Secret", inside, f"{name}-secrets", stringData=files.secrets),
    ]
    if last_undo is not None:
        objects.append(manifest("v1", "ConfigMap", inside, f"{name}-last", data={_LAST_UNDO: last_undo}))
        volumes.append({"name": "last", "configMap": {"name": f"{name}-last"}})
        mounts.append({"name": "last", "mountPath": LAST_FOLDER, "readOnly": True})
    roles = {"slurmctld": images.slurmctld}
    if File.SLURMDBD.value in files.secrets:
        assert images.slurmdbd
        assert images.mariadb
        roles |= {"slurmdbd": images.slurmdbd, "database": images.mariadb}
    containers = [_container(inside, role, image, mounts) for role, image in roles.items()]
    template = {
        "metadata": {"labels": dict(inside.labels)},
        "spec": {
            **placement(inside, pod),
            "restartPolicy": "Never",
            "hostname": HOST,
            **WITHOUT_TOKEN,
            "enableServiceLinks": False,
            # Names of the cluster's nodes are unknown at once, in place of after a time without an answer.
            "dnsPolicy": "None",
            "dnsConfig": {"nameservers": [ADDRESS]},
            "terminationGracePeriodSeconds": 1,
            "securityContext": as_user(SLURM_USER_ID, has_volumes=True),
            "containers": containers,
            "volumes": volumes,
        },
    }
    job = {"backoffLimit": 0, "activeDeadlineSeconds": seconds, "template": template}
    return [*objects, manifest("batch/v1", "Job", inside, name, spec=job)]


def pull_secrets(ref: ClusterRef, pod: PodSpec) -> Sequence[str]:
    """Return the names of the Secrets of the cluster's namespace that the pods need to pull images."""
    return [*dict.fromkeys([*ref.images.pull_secrets, *pod.image_pull_secrets])]


def _inside(ref: ClusterRef, namespace: str) -> ClusterRef:
    return ref.model_copy(update={"namespace": namespace})


def _container(ref: ClusterRef, role: str, image: str, mounts: Sequence[Manifest]) -> Manifest:
    script = f"sh {SCRIPTS}/{SCRIPT} {role}"
    return {
        "name": role,
        **with_default_requests("mariadb" if role == "database" else role, container(ref, image, volume_mounts=mounts)),
        # What slurmctld's part has found is read while its container lives.
        "command": ["sh", "-c", f"{script}; exec sleep infinity" if role == "slurmctld" else f"exec {script}"],
        "securityContext": without_rights(),
    }
