"""A Job that drains partitions and node sets before they go, and fails while they have jobs."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from pulumi_slurm.configuration.drain import (
    DRAIN_SCRIPT,
    LAST_PARTS_FILE,
    NO_JOBS_FILE,
    PARTS_FILE,
    UP_FILE,
    parts_file,
)
from pulumi_slurm.manifests.client_job import SCRIPT, client_job
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model import PartitionState, PodSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_ROLE = "drain"


def drain_job(
    ref: ClusterRef, pod: PodSpec, partitions: Mapping[str, str], node_sets: Sequence[str], *, assume_no_jobs: bool
) -> dict[str, Manifest]:
    """Return the Job and the objects that it needs. It runs again when a partition or a node set comes or goes.

    It isn't tried again by itself, so that an update which it refuses ends soon. A ConfigMap, which comes last, keeps
    what there is for the next Job.
    """
    parts = parts_file(partitions, node_sets)
    up = [name for name, state in partitions.items() if state is PartitionState.UP]
    files = {
        SCRIPT: DRAIN_SCRIPT,
        PurePath(PARTS_FILE).name: parts,
        PurePath(UP_FILE).name: "".join(f"{name}\n" for name in up),
        **({PurePath(NO_JOBS_FILE).name: ""} if assume_no_jobs else {}),
    }
    last = f"{ref.name}-{_ROLE}-last"
    manifests = client_job(ref, _ROLE, files, pod, retries=0, last=last, run_for=[DRAIN_SCRIPT, parts])
    return {
        **manifests,
        "last": manifest("v1", "ConfigMap", ref, last, data={PurePath(LAST_PARTS_FILE).name: parts}),
    }
