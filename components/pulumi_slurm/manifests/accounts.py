"""A Job that runs sacctmgr commands against the cluster's slurmdbd."""

from pathlib import PurePath

from pulumi_slurm.configuration.accounts import LAST_UNDO_FILE, UNDO_FILE
from pulumi_slurm.configuration.slurmdbd_wait import WAIT_SCRIPT
from pulumi_slurm.manifests.client_job import SCRIPT, client_job
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model import AccountingSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMDBD_PORT

_RETRIES = 10
WAIT = "wait-for-slurmdbd.sh"
"""The file of a Job that waits for slurmdbd."""
_SACCTMGR = "sacctmgr.sh"
_START = f"""#!/bin/sh
set -e
sh /etc/slurm/{WAIT}
sh /etc/slurm/{_SACCTMGR}
"""


def sacctmgr_job(
    ref: ClusterRef, accounting: AccountingSpec, role: str, script: str, undo: str | None = None
) -> dict[str, Manifest]:
    """Return the Job and the objects that it needs; other commands replace it. It waits for slurmdbd.

    ``undo`` are the lines that undo the script. A ConfigMap, which comes last, keeps them for the next Job.
    """
    files = {SCRIPT: _START, WAIT: WAIT_SCRIPT, _SACCTMGR: script}
    if undo is not None:
        files[PurePath(UNDO_FILE).name] = undo
    manifests = client_job(
        ref,
        role,
        files,
        accounting.pod,
        retries=_RETRIES,
        conf={
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": f"{ref.name}-accounting",
            "AccountingStoragePort": SLURMDBD_PORT,
        },
        last=None if undo is None else undo_name(ref, role),
    )
    return manifests if undo is None else {**manifests, "undo": undo_config_map(ref, role, undo)}


def undo_config_map(ref: ClusterRef, role: str, undo: str) -> Manifest:
    """Return the ConfigMap with the lines that undo a Job; it has to be changed after the Job, which reads it."""
    return manifest("v1", "ConfigMap", ref, undo_name(ref, role), data={PurePath(LAST_UNDO_FILE).name: undo})


def undo_name(ref: ClusterRef, role: str) -> str:
    """Return the name of that ConfigMap."""
    return f"{ref.name}-{role}-undo"
