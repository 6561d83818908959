"""Rules for a Slurm cluster that ack-slurm-operator runs, in addition to the rules of the Slurm specification.

The operator checks almost nothing, and its pods would fail one by one. Paths start with keys of stack configuration:
`cluster` is the Slurm specification, and `ack.slurm` are the options of ack-slurm-operator.
"""

from collections.abc import Collection, Iterator, Sequence

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import (
    accounting,
    autoscaling,
    availability,
    cgroups,
    chart,
    clusters,
    colocation,
    conf_lines,
    files,
    identity,
    images,
    load_balancers,
    locked_memory,
    mounts,
    objects,
    unsupported_fields,
    worker_requests,
)
from pulumi_slurm.ack_slurm.rules.context import CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import check_lines
from pulumi_slurm.rules.run import Rule, run_rules
from pulumi_slurm.rules.supported_keys import slurm_supports_the_lines
from pulumi_slurm.slurmconf.conf import option_texts

__all__ = ["RULES", "RULES_OF_CLUSTERS", "RuleContext", "check_ack_slurm", "check_ack_slurm_clusters"]

RULES: tuple[Rule, ...] = (
    *unsupported_fields.RULES,
    *conf_lines.RULES,
    *files.RULES,
    *identity.RULES,
    *images.RULES,
    *colocation.RULES,
    *worker_requests.RULES,
    *autoscaling.RULES,
    *accounting.RULES,
    *availability.RULES,
    *cgroups.RULES,
    *chart.RULES,
    *locked_memory.RULES,
    *load_balancers.RULES,
    *mounts.RULES,
    *objects.RULES,
)
RULES_OF_CLUSTERS: tuple[Rule, ...] = (*clusters.RULES_OF_CLUSTERS,)


def check_ack_slurm(
    spec: SlurmSpec,
    pools: Sequence[NodePoolSpec],
    ack: AckSlurmSpec,
    *,
    kubernetes_version: str | None = None,
    cluster_domain: str = "cluster.local",
    pools_from_zero: Collection[str] = (),
) -> Iterator[FieldError]:
    """Return all errors of a Slurm cluster that ack-slurm-operator is to run.

    ``kubernetes_version`` and ``cluster_domain`` are the ACK cluster's, and ``pools_from_zero`` are the names of pools
    in which ACK may have to create the first node. Where lines can't be read, which `check_cluster` tells, nothing can
    be said of what the cluster comes to.
    """
    if any(slurm_supports_the_lines(spec.model_copy(update={"slurm_version": ack.slurm_version}))):
        return
    context = RuleContext(spec, tuple(pools), ack, kubernetes_version, cluster_domain, frozenset(pools_from_zero))
    yield from run_rules(RULES, context)
    for error in check_lines(spec, option_texts(context.conf), other_release=ack.slurm_version):
        yield error.below(*CLUSTER)


def check_ack_slurm_clusters(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Return all errors between the clusters of one operator; paths start with the index in ``specs``."""
    return run_rules(RULES_OF_CLUSTERS, specs)
