"""The number of pods: it is set by Pulumi, an autoscaler, or the number of Kubernetes nodes.

No rule limits the total: MaxNodeCount in slurm.conf is derived from it, unless a line of the user's says less.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.access import LoginSetSpec
from pulumi_slurm.model.autoscaling import Autoscaler
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def replicas_have_one_owner(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse `replicas` together with an autoscaler, and login nodes that an autoscaler scales by pending jobs."""
    for at, scalable_set in scalable_sets(spec):
        if scalable_set.autoscaling and scalable_set.replicas is not None:
            yield FieldError(
                (*at, "replicas"),
                scalable_set.replicas,
                "the autoscaler sets the number of replicas, and every `pulumi up` would undo its work",
                "Leave replicas out; autoscaling.minReplicas is where it starts.",
            )
    for index, login_set in enumerate(spec.login_sets):
        scaling = login_set.autoscaling
        if scaling and scaling.kind is Autoscaler.KEDA and not scaling.query:
            yield FieldError(
                ("login_sets", index, "autoscaling", "kind"),
                "keda",
                "pending jobs say nothing about how many login nodes are needed",
                'Write kind "hpa", or add a query of your own.',
            )


def scalable_sets(spec: SlurmSpec) -> Iterator[tuple[Path, NodeSetSpec | LoginSetSpec]]:
    """Yield all that can have an autoscaler, each with its path."""
    for index, node_set in enumerate(spec.node_sets):
        yield ("node_sets", index), node_set
    for index, login_set in enumerate(spec.login_sets):
        yield ("login_sets", index), login_set


def daemon_sets_follow_nodes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse settings for number and names of pods in DaemonSet mode, in which the Kubernetes nodes determine both."""
    for index, node_set in enumerate(spec.node_sets):
        if node_set.scaling_mode is not ScalingMode.DAEMON_SET:
            continue
        problems = {
            # 0 too, which would drain no worker.
            "replicas": "with scalingMode DaemonSet the number of matching nodes decides",
            "autoscaling": "with scalingMode DaemonSet the number of matching nodes decides",
            "ordinal_padding": "with scalingMode DaemonSet Slurm's names are those of the Kubernetes nodes",
            "oversubscribe_node": "with scalingMode DaemonSet each Kubernetes node has one pod",
            "pin_to_node": "with scalingMode DaemonSet each Kubernetes node has its own pod",
            "host_name_prefix": "with scalingMode DaemonSet Slurm's names are those of the Kubernetes nodes",
        }
        for field, problem in problems.items():
            value = getattr(node_set, field)
            if value != NodeSetSpec.model_fields[field].default:
                yield FieldError(
                    ("node_sets", index, field),
                    value,
                    problem,
                    f'Leave {to_camel(field)} out, or write scalingMode "StatefulSet".',
                )


def all_nodes_can_register(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse a MaxNodeCount below the number of workers that can come: slurmctld has no room for the others."""
    most_in_pools = {pool.name: pool.max_nodes or 0 for pool in pools}
    wanted = sum(
        most_in_pools.get(node_set.pool or "", 0) if node_set.max_replicas is None else node_set.max_replicas
        for node_set in spec.node_sets
    )
    for key, text in spec.slurm_conf.extra.items():
        if key.lower() == "maxnodecount" and re.fullmatch("[0-9]{1,10}", text) and int(text) < wanted:
            problem = f"there can be {counted(wanted, 'worker')}, and slurmctld refuses those beyond this number"
            yield FieldError(("slurm_conf", "extra", key), text, problem, "Leave it out: it is derived.")


RULES: tuple[Rule, ...] = (
    replicas_have_one_owner,
    daemon_sets_follow_nodes,
)
RULES_WITH_POOLS: tuple[Rule, ...] = (all_nodes_can_register,)
