"""All objects of a cluster, for reviews, exports and tests; `AckSlurmCluster` creates the same ones."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.ack_slurm.manifests.parts import cluster_parts
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import Manifest, only_cluster
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def render(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> Iterator[Manifest]:
    """Yield all objects except the namespace and the Secrets, in the order of their creation."""
    yield only_cluster(ClusterRef.of(spec))
    for planned in cluster_parts(spec, pools, ack, image):
        yield from planned.objects()
