"""Several controllers: their names, and the state that they share."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import AccessMode
from pulumi_slurm.rules.names import repeated
from pulumi_slurm.rules.run import Rule, warns


@warns
def a_single_controller_has_the_clusters_name(context: RuleContext) -> Iterator[FieldError]:
    """Warn about another host name of a single controller than that of a job's record in Alibaba's guide."""
    hosts, name = context.ack.controller_hosts, context.spec.name
    if len(hosts) == 1 and hosts[0] != name:
        problem = f"the host name of a single controller is the cluster's, {name}, and slurmctld exits on other hosts"
        fix = "Leave controllerHosts out, unless `hostname` in the pod says otherwise."
        yield FieldError((*ACK, "controller_hosts", 0), hosts[0], problem, fix)


def controller_hosts_are_valid(context: RuleContext) -> Iterator[FieldError]:
    """Refuse host names that controllers can't have."""
    for index, host in repeated(context.ack.controller_hosts):
        yield FieldError((*ACK, "controller_hosts", index), host, "this host is in the list twice", "Keep one of them.")


def state_is_shared(context: RuleContext) -> Iterator[FieldError]:
    """Refuse several controllers without shared state."""
    state = context.spec.controller.state
    if len(context.ack.controller_hosts) < 2:
        return
    depends_on_fields = ((*ACK, "controller_hosts"),)
    if not state.enabled:
        problem = "a controller that takes over reads the state of the previous one"
        at = (*CLUSTER, "controller", "state", "enabled")
        yield FieldError(
            at, False, problem, "Write true, and a storageClass of NAS.", depends_on_fields=depends_on_fields
        )
    elif state.access_mode is not AccessMode.READ_WRITE_MANY:
        problem = "several controllers share their state, and only one could mount this volume"
        at = (*CLUSTER, "controller", "state", "access_mode")
        yield FieldError(
            at,
            state.access_mode,
            problem,
            "Write ReadWriteMany, and a storageClass of NAS.",
            depends_on_fields=depends_on_fields,
        )


RULES: tuple[Rule, ...] = (
    a_single_controller_has_the_clusters_name,
    controller_hosts_are_valid,
    state_is_shared,
)
