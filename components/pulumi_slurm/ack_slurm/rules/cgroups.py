"""Control groups, which pods of ack-slurm-operator have not, and what holds jobs to their memory in their place."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.slurm_conf import OVER_MEMORY_KILL, items_of
from pulumi_slurm.ack_slurm.rules.context import CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule, warns

_PLUGINS = ("ProctrackType", "TaskPlugin", "JobAcctGatherType")
"""Keys of slurm.conf whose plugin can be one for cgroups."""
_NEVER = MappingProxyType(
    {
        "JobAcctGatherFrequency": frozenset({"0", "task=0"}),
        "JobAcctGatherType": frozenset({"none", "jobacct_gather/none"}),
    }
)
"""Keys of slurm.conf, and values with which slurmd looks at no job."""


@warns
def workers_have_cgroups_for_their_plugins(context: RuleContext) -> Iterator[FieldError]:
    """Warn of plugins for cgroups where workers may not write any: slurmd exits.

    A container sees its cgroups read-only unless it is privileged, and neither of Alibaba's guides has such plugins:
    https://kubernetes.io/docs/concepts/security/linux-kernel-security-constraints/#privileged-containers.
    """
    without = next((group.name for group in context.groups if not _is_privileged(context, group.name)), None)
    for key in _PLUGINS if without else ():
        name = context.extra_key(key)
        if name and any("cgroup" in item for item in items_of(context.conf, key)):
            problem = f'slurmd exits unless it may write cgroups, and workers of "{without}" are not privileged'
            at: Path = ("ack", "slurm", "workers", str(without), "security_context")
            yield FieldError(
                context.extra_path(key),
                context.spec.slurm_conf.extra[name],
                problem,
                f"Leave it out, or write ack.slurm.workers.{without}.securityContext: {{privileged: true}}, and "
                "IgnoreSystemd=yes in cgroup.conf.",
                depends_on_fields=(at, (*CLUSTER, "config_files")),
            )


def _is_privileged(context: RuleContext, group: str) -> bool:
    security: Mapping[str, object] = context.ack.worker(group).security_context or {}
    return security.get("privileged") is True


@warns
def jobs_are_held_to_their_memory(context: RuleContext) -> Iterator[FieldError]:
    """Warn of lines with which nothing ends a job that takes memory of others.

    slurmd looks at jobs by JobAcctGatherType, each JobAcctGatherFrequency, 0 of which is never:
    https://slurm.schedmd.com/slurm.conf.html#OPT_OverMemoryKill.
    """
    if OVER_MEMORY_KILL.lower() not in items_of(context.conf, "JobAcctGatherParams"):
        return
    for key, values in _NEVER.items():
        name = context.extra_key(key)
        if name and values & items_of(context.conf, key).keys():
            problem = "slurmd never looks how much memory a job has, so nothing ends one that takes that of others"
            yield FieldError(context.extra_path(key), context.spec.slurm_conf.extra[name], problem, "Leave it out.")


RULES: tuple[Rule, ...] = (
    workers_have_cgroups_for_their_plugins,
    jobs_are_held_to_their_memory,
)
