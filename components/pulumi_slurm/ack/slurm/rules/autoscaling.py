"""Autoscaling by Slurm: groups that can be scaled, lines that don't undo it, and time enough."""

from collections.abc import Iterator

from pulumi_slurm.ack.slurm.groups import Group
from pulumi_slurm.ack.slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.ack.slurm.slurm_conf import words_of
from pulumi_slurm.errors import FieldError, Path, nearest

LEAST_RESUME = 300
LEAST_RESUME_WITH_GPUS = 900
"""Seconds that a new machine takes until slurmd registers, without and with a GPU driver: estimates.

See docs/verification.md.
"""

_GROUPS: Path = (*ACK, "power_saving", "groups")


def groups_can_be_scaled(context: RuleContext) -> Iterator[FieldError]:
    """Refuse groups that don't exist, or that are smaller at their largest than at their smallest."""
    node_sets = [node_set.name for node_set in context.spec.node_sets]
    for name, most in context.ack.power_saving.groups.items():
        if name not in node_sets:
            problem = "there is no such node set, so slurm.conf would name nodes that nothing can start"
            yield FieldError((*_GROUPS, name), most, problem, nearest(name, node_sets))
    for group in context.groups:
        most_nodes = context.ack.power_saving.groups.get(group.name)
        if most_nodes is not None and most_nodes < group.fewest:
            problem = f"{group.fewest} nodes of it are always there, and slurm.conf would not name all of them"
            yield FieldError((*_GROUPS, group.name), most_nodes, problem, f"Write {group.fewest} or more.")
        yield from _fits_pool(context, group)
    account = context.spec.controller.pod.service_account_name
    if account and account != context.spec.name and (context.elastic or context.ack.copilot):
        yield FieldError(
            (*CLUSTER, "controller", "pod", "service_account_name"),
            account,
            "only the ServiceAccount of the cluster's own name may scale groups and write the copilot's token",
            "Leave it out.",
        )


def power_saving_lines_fit(context: RuleContext) -> Iterator[FieldError]:
    """Refuse further lines of slurm.conf with which nodes that come and go don't work."""
    options = context.conf.options
    select = str(options.get("SelectType", ""))
    if select != "select/cons_tres":
        problem = "slurmctld takes nodes that it doesn't know beforehand only with select/cons_tres"
        yield FieldError(context.extra_path("SelectType"), select, problem, "Leave it out.")
    if "cloud_dns" in words_of(context.conf, "SlurmctldParameters"):
        problem = "names of workers aren't in DNS, and with cloud_dns slurmctld would look for them there"
        value = context.spec.slurm_conf.extra.get(context.extra_key("SlurmctldParameters") or "")
        yield FieldError(context.extra_path("SlurmctldParameters"), value, problem, "Leave cloud_dns out.")
    most = sum(group.most for group in context.groups)
    max_node_count = options.get("MaxNodeCount")
    if isinstance(max_node_count, int) and max_node_count < most:
        problem = f"the node sets have {most} nodes at their largest, and slurmctld would refuse the others"
        yield FieldError(context.extra_path("MaxNodeCount"), max_node_count, problem, "Leave it out: it is derived.")
    if not context.elastic:
        return
    for key in ("SuspendProgram", "ResumeProgram"):
        program = str(options.get(key, ""))
        if not program.startswith("/"):
            yield FieldError(
                context.extra_path(key),
                program,
                "slurmctld starts a program by its whole path, and without this one no node would come or go",
                f"Leave it out, and set ack.slurm.powerSaving.{key[0].lower()}{key[1:]}.",
            )
    for key in ("ResumeRate", "SuspendRate", "ResumeTimeout", "SuspendTimeout"):
        field = f"{key[0].lower()}{key[1:]}"
        if (name := context.extra_key(key)) and context.ack.power_saving.model_fields_set & {_snake(field)}:
            problem = f"ack.slurm.powerSaving.{field} says it too"
            yield FieldError(
                context.extra_path(key), context.spec.slurm_conf.extra[name], problem, "Keep one of the two."
            )


def resume_takes_its_time(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a ResumeTimeout in which a machine that has yet to be made can't register."""
    timeout = context.conf.options.get("ResumeTimeout")
    if not isinstance(timeout, int):
        return
    for group in context.groups:
        pool = group.node_set.pool
        if not group.elastic or pool not in context.pools_from_zero:
            continue
        gpus = group.machine is not None and group.machine.gpus is not None
        least = LEAST_RESUME_WITH_GPUS if gpus else LEAST_RESUME
        if timeout < least:
            key = context.extra_key("ResumeTimeout")
            at = context.extra_path("ResumeTimeout") if key else (*ACK, "power_saving", "resume_timeout")
            beginning = "made, gets its GPU driver" if gpus else "made"
            yield FieldError(
                at,
                context.spec.slurm_conf.extra[key] if key else timeout,
                f'a machine of pool "{pool}" is first {beginning} and pulls the image, and slurmctld would call the '
                "node DOWN meanwhile",
                f"Write {least} or more.",
            )
            return


def _fits_pool(context: RuleContext, group: Group) -> Iterator[FieldError]:
    pool = next((pool for pool in context.pools if pool.name == group.node_set.pool), None)
    most_nodes = context.ack.power_saving.groups.get(group.name)
    if most_nodes is not None and pool and pool.max_nodes is not None and most_nodes > pool.max_nodes:
        problem = f'the pool "{pool.name}" has {pool.max_nodes} nodes, and a node holds one worker'
        yield FieldError((*_GROUPS, group.name), most_nodes, problem, f"Write {pool.max_nodes} or less.")


def _snake(field: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)
