"""All objects of a cluster at once, for reviews, exports and tests; components create the same ones step by step."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.manifests.objects import Manifest, only_cluster
from pulumi_slurm.manifests.parts.plan import cluster_parts
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def render(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Iterator[Manifest]:
    """Yield all objects except the namespace and the Secrets, in the order in which they are created."""
    yield only_cluster(ClusterRef.of(spec))
    for planned in cluster_parts(spec, pools):
        if planned.part:
            yield from planned.part.manifests().values()
