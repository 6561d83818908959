"""What a rehearsal takes from the cluster: copies of its state, database and files. Nothing is written there."""

import io
import re
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi_slurm.manifests.accounts import undo_name
from pulumi_slurm.manifests.database import database_name
from pulumi_slurm.model import DatabaseKind, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.rehearsal.objects import Images
from pulumi_slurm_cli.rehearsal.result import Job, read_jobs
from pulumi_slurm_cli.rehearsal.script import SQUEUE

_FILES = "cd /etc/slurm && tar -c -h --exclude='*.key' --exclude='*.jwks' *"
COPY = 'tar -c -C "$0" .; [ $? -le 1 ]'
"""The script that prints a folder as a tar file. tar ends with 1 where a file changed while it was read: slurmctld goes
on."""
_DUMP = """\
export MYSQL_PWD
if [ -n "${MARIADB_USER:-}" ] && [ -n "${MARIADB_PASSWORD:-}" ]; then user=$MARIADB_USER MYSQL_PWD=$MARIADB_PASSWORD
else user=root MYSQL_PWD=$MARIADB_ROOT_PASSWORD; fi
exec mariadb-dump --host=127.0.0.1 --user="$user" --single-transaction --quick --no-tablespaces "$0"
"""
"""The password is that of the pod's environment, and stays in it."""
_WITHOUT_PASSWORD = "sed '/^ *storagepass/Id' /etc/slurm/slurmdbd.conf"
_STATE = re.compile(r"^\s*StateSaveLocation\s*=\s*(\S+)", re.M | re.I)


@dataclass(frozen=True)
class Copies:
    """What is copied."""

    state: Path
    """StateSaveLocation, as a tar file."""
    dump: Path | None
    """The statements that make the database again; None where it is in none of the cluster's pods."""
    files: Mapping[str, str]
    """/etc/slurm of slurmctld, without keys."""
    slurmdbd_conf: str | None
    """slurmdbd.conf without the password."""
    series: Series
    images: Images
    jobs: list[Job]
    """As slurmctld has them."""
    last_undo: str | None
    """What the last Job of accounts has left for the next one."""


def has_own_database(spec: SlurmSpec) -> bool:
    """Return whether the database of a specification is in a pod of the cluster, where it can be dumped."""
    accounting = spec.accounting
    return bool(accounting and not accounting.external and accounting.database.kind is not DatabaseKind.EXTERNAL)


def copy_cluster(
    kubectl: Kubectl, spec: SlurmSpec, folder: Path, existing_dump: Path | None = None, *, seconds: int
) -> Copies:
    """Copy what there is of a specification's cluster into a folder.

    ``existing_dump`` is a dump of the database, in place of one that is made here; ``seconds`` is how long each copy
    may take.

    Raises:
        KubectlError: if there is no such cluster, or it can't be read.
    """
    ref, namespace = ClusterRef.of(spec), spec.namespace
    slurmctld = _Pod(kubectl, namespace, f"{spec.name}-controller-0", "slurmctld", seconds)
    files = _untarred(slurmctld.run("sh", "-c", _FILES))
    version = slurmctld.run("slurmctld", "-V").decode().split()[-1]
    jobs = read_jobs(slurmctld.run("squeue", *SQUEUE).decode(errors="replace"))
    images = Images(slurmctld.image)
    slurmdbd_conf = dump = undo = None
    if (existing_dump or has_own_database(spec)) and kubectl.find("pod", f"{spec.name}-accounting-0", namespace):
        assert spec.accounting
        slurmdbd = _Pod(kubectl, namespace, f"{spec.name}-accounting-0", "slurmdbd", seconds)
        slurmdbd_conf = slurmdbd.run("sh", "-c", _WITHOUT_PASSWORD).decode()
        images = Images(slurmctld.image, slurmdbd.image, spec.accounting.database.image)
        dump = existing_dump
        if dump is None:
            mariadb = _Pod(kubectl, namespace, f"{database_name(ref)}-0", "mariadb", seconds)
            images = Images(slurmctld.image, slurmdbd.image, mariadb.image)
            dump = folder / "dump.sql"
            mariadb.run("sh", "-c", _DUMP, spec.accounting.database.name, into=dump)
        last = kubectl.find("configmap", undo_name(ref, "accounts"), namespace)
        undo = next(iter(last.get("data", {}).values()), None) if last else None
    locations = _STATE.findall(files[File.SLURM.value])
    if not locations:
        raise KubectlError(f"{slurmctld.name}: its slurm.conf has no StateSaveLocation")
    state = folder / "state.tar"
    slurmctld.run("sh", "-c", COPY, locations[-1], into=state)
    return Copies(state, dump, files, slurmdbd_conf, Series.of(version), images, jobs, undo)


@dataclass(frozen=True)
class _Pod:
    kubectl: Kubectl
    namespace: str
    name: str
    container: str
    seconds: int

    def run(self, *command: str, into: Path | None = None) -> bytes:
        where = (f"--namespace={self.namespace}", self.name, f"--container={self.container}")
        return self.kubectl.run("exec", *where, "--", *command, into=into, seconds=self.seconds)

    @property
    def image(self) -> str:
        pod: dict[str, Any] = self.kubectl.get("pod", self.name, self.namespace)
        images = {item["name"]: item["image"] for item in pod["spec"]["containers"]}
        if self.container not in images:
            raise KubectlError(f"pod {self.name}: it has no container {self.container}")
        return str(images[self.container])


def _untarred(data: bytes) -> dict[str, str]:
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content and "/" not in member.name:
                files[member.name] = content.read().decode(errors="replace")
    return files
