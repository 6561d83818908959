"""All objects of a cluster at once, for reviews, exports and tests; components create the same ones step by step."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.parts import MANIFESTS, cluster_parts
from pulumi_slurm.model import NodePoolSpec, SlurmSpec


def render(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Iterator[Manifest]:
    """Yield all objects except the namespace and the Secrets, in the order in which they are created."""
    ref = ClusterRef.of(spec)
    for part in cluster_parts(spec, pools):
        if part.component:
            yield from MANIFESTS[part.component](ref, **part.args).values()
