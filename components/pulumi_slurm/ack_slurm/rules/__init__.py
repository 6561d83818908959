"""Rules for a Slurm cluster that ack-slurm-operator runs, in addition to the rules of the Slurm specification.

The operator checks almost nothing, and its pods would fail one by one. Paths start with keys of stack configuration:
`cluster` is the Slurm specification, and `ack.slurm` are the options of ack-slurm-operator.
"""

from collections.abc import Collection, Iterator, Sequence

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules.accounting import (
    accounting_lines_need_slurmdbd,
    job_completion_is_complete,
)
from pulumi_slurm.ack_slurm.rules.autoscaling import (
    groups_can_be_scaled,
    power_saving_lines_fit,
    resume_timeout_is_long_enough,
)
from pulumi_slurm.ack_slurm.rules.availability import (
    a_single_controller_has_the_clusters_name,
    controller_hosts_are_valid,
    state_is_shared,
)
from pulumi_slurm.ack_slurm.rules.chart import chart_supports_the_cluster
from pulumi_slurm.ack_slurm.rules.clusters import clusters_have_tokens_of_their_own
from pulumi_slurm.ack_slurm.rules.colocation import (
    colocated_nodes_have_no_features,
    colocation_is_complete,
    gres_conf_matches_slurm_conf,
)
from pulumi_slurm.ack_slurm.rules.conf_lines import image_supports_the_lines
from pulumi_slurm.ack_slurm.rules.context import RuleContext
from pulumi_slurm.ack_slurm.rules.identity import image_looks_up_users
from pulumi_slurm.ack_slurm.rules.images import (
    coordinators_stay_coordinators,
    image_is_not_the_example,
    required_plugins_are_in_the_image,
)
from pulumi_slurm.ack_slurm.rules.load_balancers import ssh_is_guarded
from pulumi_slurm.ack_slurm.rules.locked_memory import start_scripts_let_jobs_lock_memory
from pulumi_slurm.ack_slurm.rules.objects import overrides_keep_required_fields
from pulumi_slurm.ack_slurm.rules.unsupported_fields import everything_has_an_effect
from pulumi_slurm.ack_slurm.rules.worker_requests import requests_are_within_limits, workers_end_no_other_pods
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules.run import Rule, run_rules

__all__ = ["RULES", "RULES_OF_CLUSTERS", "RuleContext", "check_ack_slurm", "check_ack_slurm_clusters"]

RULES: tuple[Rule, ...] = (
    everything_has_an_effect,
    image_supports_the_lines,
    image_looks_up_users,
    image_is_not_the_example,
    required_plugins_are_in_the_image,
    coordinators_stay_coordinators,
    colocation_is_complete,
    colocated_nodes_have_no_features,
    gres_conf_matches_slurm_conf,
    requests_are_within_limits,
    workers_end_no_other_pods,
    groups_can_be_scaled,
    power_saving_lines_fit,
    resume_timeout_is_long_enough,
    accounting_lines_need_slurmdbd,
    job_completion_is_complete,
    a_single_controller_has_the_clusters_name,
    controller_hosts_are_valid,
    state_is_shared,
    chart_supports_the_cluster,
    start_scripts_let_jobs_lock_memory,
    ssh_is_guarded,
    overrides_keep_required_fields,
)
RULES_OF_CLUSTERS: tuple[Rule, ...] = (clusters_have_tokens_of_their_own,)


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
    in which ACK may have to create the first node.
    """
    context = RuleContext(spec, tuple(pools), ack, kubernetes_version, cluster_domain, frozenset(pools_from_zero))
    return run_rules(RULES, context)


def check_ack_slurm_clusters(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Return all errors between the clusters of one operator; paths start with the index in ``specs``."""
    return run_rules(RULES_OF_CLUSTERS, specs)
