"""A hash of what a cluster is made from, by which a proof says what it has proven."""

import hashlib
import json
from collections.abc import Sequence

from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec


def specification_hash(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> str:
    """Return sixteen hexadecimal digits that are others for another specification, other pools or other images."""
    cluster = ClusterRef.of(spec)
    content = {
        "specification": spec.model_dump(mode="json"),
        "pools": [pool.model_dump(mode="json") for pool in pools],
        "images": {daemon: cluster.image(daemon) for daemon in Daemon},
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
