"""What has to hold of a Slurm cluster on ack-slurm-operator's route, beside the rules of the Slurm specification.

The operator checks next to nothing, and its pods would fail one by one. Paths begin where the two descriptions stand in
stack configuration: `cluster` is the Slurm specification, `ack.slurm` the route's own options.
"""

from collections.abc import Collection, Iterator, Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.rules.accounting import accounting_fits, job_completion_is_complete, passwords_stay_secret
from pulumi_slurm.ack.slurm.rules.autoscaling import groups_can_be_scaled, power_saving_lines_fit, resume_takes_its_time
from pulumi_slurm.ack.slurm.rules.availability import controllers_are_known, state_is_shared
from pulumi_slurm.ack.slurm.rules.chart import the_chart_can_do_it
from pulumi_slurm.ack.slurm.rules.colocation import colocation_is_complete, gres_are_the_same
from pulumi_slurm.ack.slurm.rules.conf_lines import slurm_knows_them
from pulumi_slurm.ack.slurm.rules.context import RuleContext
from pulumi_slurm.ack.slurm.rules.objects import overrides_keep_the_cluster_whole
from pulumi_slurm.ack.slurm.rules.unsupported_fields import everything_has_an_effect
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules.run import Rule, run_rules

__all__ = ["RULES", "RuleContext", "check_ack_slurm", "check_clusters"]

RULES: tuple[Rule, ...] = (
    everything_has_an_effect,
    slurm_knows_them,
    colocation_is_complete,
    gres_are_the_same,
    groups_can_be_scaled,
    power_saving_lines_fit,
    resume_takes_its_time,
    accounting_fits,
    job_completion_is_complete,
    passwords_stay_secret,
    controllers_are_known,
    state_is_shared,
    the_chart_can_do_it,
    overrides_keep_the_cluster_whole,
)


def check_ack_slurm(
    spec: SlurmSpec,
    pools: Sequence[NodePoolSpec],
    ack: AckSlurmSpec,
    *,
    kubernetes_version: str | None = None,
    cluster_domain: str = "cluster.local",
    pools_from_zero: Collection[str] = (),
) -> Iterator[FieldError]:
    """Return every error of a Slurm cluster on ack-slurm-operator's route.

    ``kubernetes_version`` and ``cluster_domain`` are the ACK cluster's, ``pools_from_zero`` the names of pools that may
    have no node at all.
    """
    context = RuleContext(spec, tuple(pools), ack, kubernetes_version, cluster_domain, frozenset(pools_from_zero))
    return run_rules(RULES, context)


def check_clusters(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Yield every error between the clusters of one operator; paths begin at their list.

    One operator keeps the tokens of all its clusters in one Secret, by the clusters' names alone.
    """
    seen: dict[str, str] = {}
    for index, spec in enumerate(specs):
        if spec.name in seen:
            yield FieldError(
                (index, "name"),
                spec.name,
                f'a cluster of this name is in namespace "{seen[spec.name]}", and in the operator\'s namespace the two '
                "would overwrite each other's token and Role",
                "Choose another name.",
            )
        seen.setdefault(spec.name, spec.namespace)
