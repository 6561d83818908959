"""Load balancers of the Services that Slinky's route makes: whom they let in."""

from collections.abc import Iterator

from pulumi_slurm.ack.model import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import ServiceSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.access import services_of
from pulumi_slurm.rules.alibaba_load_balancers import ignored_ranges, missing_zones
from pulumi_slurm.rules.run import Rule


def source_ranges_have_an_effect(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse ranges of a load balancer, which would let everyone in."""
    for at, service in _services(plan, slurm):
        yield from ignored_ranges(at, service)


def nlbs_have_zones(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse NLBs without zones, which are never made."""
    for at, service in _services(plan, slurm):
        yield from missing_zones(at, service)


def _services(plan: AckPlan, slurm: SlurmSpec) -> list[tuple[Path, ServiceSpec]]:
    """Return the Services that Slinky's route makes; that of ack-slurm-operator has a rule of its own."""
    return services_of(slurm) if plan.spec.slurm_operator is AckOperator.SLINKY else []


RULES_WITH_SLURM: tuple[Rule, ...] = (
    source_ranges_have_an_effect,
    nlbs_have_zones,
)
