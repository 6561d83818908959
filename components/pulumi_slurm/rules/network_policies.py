"""Rules on NetworkPolicies: that what is stated of them has an effect."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.model.accounting import DatabaseKind
from pulumi_slurm.model.network_policies import DAEMONS
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def network_policies_have_an_effect(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse clients of what doesn't run in the cluster's namespace; warn of clients where no policies are made."""
    accounting = spec.accounting if spec.accounting and not spec.accounting.external else None
    in_cluster = accounting is not None and accounting.database.kind is DatabaseKind.IN_CLUSTER
    missing = {
        "slurmctld": "slurmctld runs outside the cluster" if spec.controller.external else None,
        "slurmdbd": None if accounting else "no slurmdbd runs in the cluster",
        "database": None if in_cluster else "of databases only those of kind in-cluster have a NetworkPolicy",
        "directory": None if spec.identity and spec.identity.directory else "no directory runs in the cluster",
    }
    for daemon in DAEMONS:
        reason = missing.get(daemon)
        if not getattr(spec.network_policies, daemon):
            continue
        at = ("network_policies", daemon)
        if reason:
            problem = f"{reason}, so this has no effect"
            depends_on: tuple[Path, ...] = (("controller",), ("accounting",), ("identity",))
            yield FieldError(at, FieldError.ABSENT, problem, "Leave it out.", depends_on)
        elif spec.network_policies.enabled is False:
            problem = "no NetworkPolicies are made, so everyone may connect"
            fix = "Leave enabled out, or leave this out."
            depends_on = (("network_policies", "enabled"),)
            yield FieldError(at, FieldError.ABSENT, problem, fix, depends_on, severity=Severity.WARNING)


RULES: tuple[Rule, ...] = (network_policies_have_an_effect,)
