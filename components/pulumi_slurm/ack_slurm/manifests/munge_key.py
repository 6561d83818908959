"""The munge key in pods: whoever reads it can be any user to Slurm's daemons, root as well."""

from pathlib import PurePosixPath

from pulumi_slurm.ack_slurm.manifests.names import MUNGE_FILE
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import ONLY_OWNER, Manifest
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.names import key_secret


def munge_volume(spec: SlurmSpec) -> Manifest:
    """Return the volume with the key, as `MUNGE_FILE`.

    Root reads it, as whom start scripts copy it for munge. In a pod with an fsGroup this group reads it as well.
    """
    existing = spec.keys.slurm.existing
    name, key = (existing.name, existing.key) if existing else (key_secret(spec.name, "munge"), MUNGE_FILE)
    items = [{"key": key, "path": MUNGE_FILE}]
    return {"name": "munge", "secret": {"secretName": name, "items": items, "defaultMode": ONLY_OWNER}}


def munge_file(ack: AckSlurmSpec) -> Manifest:
    """Return the additional field of the key's mount if `munge_path` is a file; empty for a folder."""
    is_file = PurePosixPath(ack.munge_path).name == MUNGE_FILE
    return {"subPath": MUNGE_FILE} if is_file else {}
