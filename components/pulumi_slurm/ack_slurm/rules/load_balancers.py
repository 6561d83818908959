"""The load balancer in front of the controller's SSH server: where it is, and whom it lets in."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.alibaba_load_balancers import ignored_ranges, missing_zones
from pulumi_slurm.rules.load_balancers import contradictions
from pulumi_slurm.rules.run import Rule


def ssh_is_guarded(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a load balancer for SSH that everyone reaches, or that isn't where `internal` says."""
    ssh = context.ack.ssh
    if ssh is None:
        for index, login_set in enumerate(context.spec.login_sets):
            at = (*CLUSTER, "login_sets", index, "service")
            yield from ignored_ranges(at, login_set.service)
            yield from missing_zones(at, login_set.service)
        return
    yield from contradictions((*ACK, "ssh"), ssh.service, guard="accessControlList")
    if not ssh.internal and not ssh.access_control_list:
        yield FieldError(
            (*ACK, "ssh", "internal"),
            False,
            "the load balancer is on the Internet and lets everyone in",
            "Add accessControlList, the id of an access control list of CLB with the networks that may connect.",
            depends_on_fields=((*ACK, "ssh", "access_control_list"),),
        )


RULES: tuple[Rule, ...] = (ssh_is_guarded,)
