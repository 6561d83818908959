"""Autoscaling by Slurm: its groups, the lines of slurm.conf, and the ResumeTimeout."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.manifests.groups import Group
from pulumi_slurm.ack_slurm.manifests.slurm_conf import items_of
from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.rules.run import Rule

MIN_RESUME_TIMEOUT = 300
MIN_RESUME_TIMEOUT_WITH_GPUS = 900
"""The seconds until slurmd on a new machine registers, without and with a GPU driver."""

_INFINITE = 2**32 - 1
"""INFINITE in slurm/slurm.h, as a number."""

_GROUPS: Path = (*ACK, "power_saving", "groups")


def groups_can_be_scaled(context: RuleContext) -> Iterator[FieldError]:
    """Refuse groups that don't exist, or that have a wrong maximum number of nodes."""
    node_sets = [node_set.name for node_set in context.spec.node_sets]
    for name, max_nodes in context.ack.power_saving.groups.items():
        if name not in node_sets:
            problem = "there is no such node set, so slurm.conf would list nodes that nothing can start"
            yield FieldError((*_GROUPS, name), max_nodes, problem, nearest(name, node_sets))
    for group in context.groups:
        limit = context.ack.power_saving.groups.get(group.name)
        if limit is not None and limit < group.min_nodes:
            problem = f"{group.min_nodes} of its nodes are always running, and slurm.conf would not list all of them"
            yield FieldError((*_GROUPS, group.name), limit, problem, f"Write {group.min_nodes} or more.")
        yield from _fits_pool(context, group)
    account = context.spec.controller.pod.service_account_name
    if account and account != context.spec.name and (context.elastic or context.ack.copilot):
        yield FieldError(
            (*CLUSTER, "controller", "pod", "service_account_name"),
            account,
            "only the ServiceAccount with the cluster's name may scale groups and write the copilot's token",
            "Leave it out.",
        )


def power_saving_lines_fit(context: RuleContext) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf that don't work with nodes that are created and deleted."""
    options = context.conf.options
    if "cloud_dns" in items_of(context.conf, "SlurmctldParameters"):
        problem = "names of workers aren't in DNS, and with cloud_dns slurmctld would look for them there"
        value = context.spec.slurm_conf.extra.get(context.extra_key("SlurmctldParameters") or "")
        yield FieldError(context.extra_path("SlurmctldParameters"), value, problem, "Leave cloud_dns out.")
    node_count = sum(group.max_nodes for group in context.groups)
    max_node_count = options.get("MaxNodeCount")
    if isinstance(max_node_count, int) and max_node_count < node_count:
        problem = f"the node sets have up to {node_count} nodes, and slurmctld would refuse the others"
        yield FieldError(context.extra_path("MaxNodeCount"), max_node_count, problem, "Leave it out: it is derived.")
    if not context.elastic:
        return
    for key in ("SuspendProgram", "ResumeProgram"):
        program = str(options.get(key, ""))
        if not program.startswith("/"):
            yield FieldError(
                context.extra_path(key),
                program,
                "slurmctld needs the absolute path of this program, without which no node would be started or stopped",
                f"Leave it out, and set ack.slurm.powerSaving.{key[0].lower()}{key[1:]}.",
            )
    for key in ("ResumeRate", "SuspendRate", "ResumeTimeout", "SuspendTime", "SuspendTimeout"):
        field = f"{key[0].lower()}{key[1:]}"
        if (name := context.extra_key(key)) and context.ack.power_saving.model_fields_set & {_snake(field)}:
            problem = f"ack.slurm.powerSaving.{field} sets it too"
            yield FieldError(
                context.extra_path(key), context.spec.slurm_conf.extra[name], problem, "Keep one of the two."
            )


def power_saving_is_on(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a SuspendTime without end where slurm.conf lists nodes: it switches power saving off.

    Then Slurm starts and ends no workers, and takes those as up that have not registered. A partition with a time of
    its own leaves power saving on. Source: `_init_power_config` in src/slurmctld/power_save.c of slurm-23-02-7-1.
    """
    times = [entry.options.get("SuspendTime") for entry in context.conf.of("PartitionName")]
    of_a_partition = any(time is not None and not _is_endless(time) for time in times)
    listed = any(group.listed and group.max_nodes for group in context.groups)
    if listed and _is_endless(context.conf.options.get("SuspendTime")) and not of_a_partition:
        key = context.extra_key("SuspendTime")
        yield FieldError(
            context.extra_path("SuspendTime"),
            context.spec.slurm_conf.extra[key] if key else FieldError.ABSENT,
            "it switches power saving off, and Slurm then starts no workers and takes those as up that aren't there",
            "Write ack.slurm.powerSaving.suspendTime, in seconds; for workers that are never ended, minReplicas.",
        )


def _is_endless(time: object) -> bool:
    return time == "INFINITE" or (isinstance(time, int) and time >= _INFINITE)


def resume_timeout_is_long_enough(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a ResumeTimeout that is too short for a machine that has to be created first."""
    timeout = context.conf.options.get("ResumeTimeout")
    if not isinstance(timeout, int):
        return
    for group in context.groups:
        pool = group.node_set.pool
        if not group.elastic or pool not in context.pools_from_zero:
            continue
        has_gpus = group.machine is not None and group.machine.gpus is not None
        min_timeout = MIN_RESUME_TIMEOUT_WITH_GPUS if has_gpus else MIN_RESUME_TIMEOUT
        if timeout < min_timeout:
            key = context.extra_key("ResumeTimeout")
            at = context.extra_path("ResumeTimeout") if key else (*ACK, "power_saving", "resume_timeout")
            steps = "be created, install its GPU driver" if has_gpus else "be created"
            yield FieldError(
                at,
                context.spec.slurm_conf.extra[key] if key else timeout,
                f'a machine of pool "{pool}" first has to {steps} and pull the image, and slurmctld would set the '
                "node DOWN before that",
                f"Write {min_timeout} or more.",
            )
            return


def _fits_pool(context: RuleContext, group: Group) -> Iterator[FieldError]:
    pool = next((pool for pool in context.pools if pool.name == group.node_set.pool), None)
    limit = context.ack.power_saving.groups.get(group.name)
    if limit is not None and pool and pool.max_nodes is not None and limit > pool.max_nodes:
        problem = f'the pool "{pool.name}" has {counted(pool.max_nodes, "node")}, and a node has room for one worker'
        yield FieldError((*_GROUPS, group.name), limit, problem, f"Write {pool.max_nodes} or less.")


def _snake(field: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)


RULES: tuple[Rule, ...] = (
    groups_can_be_scaled,
    power_saving_lines_fit,
    power_saving_is_on,
    resume_timeout_is_long_enough,
)
