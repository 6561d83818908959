"""The definition of Alibaba Cloud for stacks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pulumi_slurm.ack import rules
from pulumi_slurm.ack.existing.account import RULES_OF_ACCOUNTS
from pulumi_slurm.ack.existing.cluster import RULES_OF_EXISTING_CLUSTERS
from pulumi_slurm.ack.existing.network import RULES_OF_EXISTING_NETWORKS
from pulumi_slurm.ack.existing.pools import RULES_OF_EXISTING_POOLS
from pulumi_slurm.ack.load import PLACEHOLDERS, load_ack
from pulumi_slurm.ack.model import AckExistingClusterSpec, AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools, pools_from_zero
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.ack.rules import check_ack, check_slurm
from pulumi_slurm.ack_slurm import rules as ack_slurm_rules
from pulumi_slurm.ack_slurm.manifests import secret_checks
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.clouds.cloud import Cloud, MachinePrice, NeededSecret
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.clouds.resources import Gpus
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.machines.ack import prices
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules.run import Rule

_OPERATOR_FIELDS: tuple[Path, ...] = (("ack", "slurm_operator"), ("ack", "slurm"))


def complete(plan: AckPlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the specification with Alibaba Cloud's storage and database.

    Raises:
        SpecError: if they conflict with the user's.
    """
    return with_alibaba_services(plan, slurm, slurm.name)


def _check_together(plan: AckPlan, slurm: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Yield the errors of a cluster that ack-slurm-operator is to run; for Slinky there are no additional rules.

    The rules read Slurm's generated files, so they only run if the Slurm specification has no other errors.
    """
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR:
        return
    errors = check_ack_slurm(
        slurm,
        pools,
        plan.spec.slurm,
        kubernetes_version=plan.spec.control_plane.version,
        cluster_domain=plan.spec.control_plane.cluster_domain,
        pools_from_zero=pools_from_zero(plan),
    )
    for error in errors:
        there = plan.spec.existing_cluster if error.path[:2] == ("ack", "control_plane") else None
        shown_error = _of_the_cluster(error, there) if there else error
        yield replace(shown_error, depends_on_fields=(*error.depends_on_fields, *_OPERATOR_FIELDS))


def _of_the_cluster(error: FieldError, cluster: AckExistingClusterSpec) -> FieldError:
    """Return an error in the control plane of an existing cluster, which users don't write, as one of that cluster."""
    problem = f"its {error.path[-1]} is {error.value}: {error.problem}".replace("_", " ")
    return replace(
        error, path=("ack", "existing_cluster", "id"), value=cluster.id, problem=problem, fix="Leave copilot out."
    )


def _check_settings(plan: AckPlan, settings: Mapping[str, Any]) -> Iterator[FieldError]:
    if plan.spec.slurm_operator is AckOperator.ACK_SLURM_OPERATOR and settings.get("operator"):
        yield FieldError(
            ("operator",),
            settings["operator"],
            "this configures Slinky's slurm-operator, and slurm:ack has Alibaba Cloud's, so it would have no effect",
            "Leave it out, and set ack.slurm.operator; or write slurmOperator: slinky in slurm:ack.",
            depends_on_fields=(("ack", "slurm_operator"),),
        )


def _needed_secrets(plan: AckPlan, slurm: SlurmSpec) -> dict[str, NeededSecret]:
    """Return the secrets that ack-slurm-operator needs; Slinky reads its passwords from Secrets."""
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR:
        return {}
    needed: dict[str, NeededSecret] = {}
    accounting, options = slurm.accounting, plan.spec.slurm
    if accounting and not accounting.external and not plan.spec.database and accounting.database.password_secret:
        reason = f'slurmdbd.conf has to contain the password of "{accounting.database.user}"'
        needed["databasePassword"] = NeededSecret(reason, secret_checks.database_password)
    if options.job_completion:
        reason = f'slurm.conf has to contain the password of "{options.job_completion.user}"'
        needed["jobCompletionPassword"] = NeededSecret(reason, secret_checks.database_password)
    if options.copilot and options.copilot.token:
        reason = "ack.slurm.copilot.token is true, so the copilot's token comes from this secret"
        needed["copilotToken"] = NeededSecret(reason, secret_checks.token)
    return needed


def _price_of(machine: str, _gpus: Gpus | None, region: str) -> MachinePrice:
    built_in = AckCatalogueSpec.built_in_types().get(machine)
    there = prices.of_type(built_in.name, built_in.vcpus, region) if built_in else None
    price = there or (built_in.price if built_in else None)
    return MachinePrice(**(price.model_dump() if price else {}))


RULES_ON_ANSWERS: tuple[Rule, ...] = (
    *RULES_OF_EXISTING_NETWORKS,
    *RULES_OF_EXISTING_CLUSTERS,
    *RULES_OF_EXISTING_POOLS,
    *RULES_OF_ACCOUNTS,
)
CLOUD = Cloud(
    key="ack",
    cluster="ACK cluster",
    spec=AckSpec,
    load=load_ack,
    check=check_ack,
    rules=(
        *rules.RULES,
        *rules.RULES_WITH_SLURM,
        *RULES_ON_ANSWERS,
        *ack_slurm_rules.RULES,
    ),
    rules_on_answers=RULES_ON_ANSWERS,
    asks=lambda spec: bool(spec.existing_cluster or spec.network.existing),
    plan=AckPlan.of,
    placeholders=PLACEHOLDERS,
    example="Write ack: {region: ..., zones: [...], pools: [...]}.",
    pool_label=POOL_LABEL,
    pools_to_name=node_pools,
    pools=node_pools,
    check_slurm=check_slurm,
    other_release=lambda plan: plan.spec.other_release,
    check_together=_check_together,
    check_built=_check_together,
    check_settings=_check_settings,
    complete=complete,
    price_of=_price_of,
    needed_secrets=_needed_secrets,
)
