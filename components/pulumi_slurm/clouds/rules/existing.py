"""A cluster that exists: what describes one that is made has no place beside it.

All clouds share this rule, and the rules of each cloud call it; it is not one of `check_cluster`.
"""

from collections.abc import Iterator

from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.errors import FieldError


def cluster_exists_or_is_made(
    spec: CloudSpec, *, cluster: bool, pools: bool, network: bool, example: str
) -> Iterator[FieldError]:
    """Refuse a control plane and a VPC beside a cluster that exists, and existing pools without one.

    ``cluster``, ``pools`` and ``network`` say which of them exist by the specification; ``example`` names a cluster.
    """
    if not cluster:
        if pools:
            yield FieldError(
                ("existing_pools",),
                FieldError.ABSENT,
                "the cluster is made here, so it has no pools yet",
                f"Write {example}, or write them in pools.",
                depends_on_fields=(("existing_cluster",),),
            )
        return
    if network:
        yield FieldError(
            ("network", "existing"),
            FieldError.ABSENT,
            "the cluster exists, and its VPC is the one that is used",
            "Leave it out.",
            depends_on_fields=(("existing_cluster",),),
        )
    if "control_plane" in spec.model_fields_set:
        yield FieldError(
            ("control_plane",),
            FieldError.ABSENT,
            "the cluster exists, and its control plane is not changed",
            "Leave it out.",
            depends_on_fields=(("existing_cluster",),),
        )
