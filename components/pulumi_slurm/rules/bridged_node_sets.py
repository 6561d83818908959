"""Rules on node sets that share their nodes with pods of the bridge."""

from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import MCS_LINES
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def bridged_node_sets_have_a_bridge(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets that would request nothing of Kubernetes, though no bridge gives pods the rest."""
    for index, node_set in enumerate(spec.node_sets):
        if node_set.bridged and spec.bridge is None:
            yield FieldError(
                ("node_sets", index, "bridged"),
                True,
                "there is no bridge, and Kubernetes itself would start pods beside the jobs of these nodes",
                "Add bridge, or leave this out.",
                (("bridge",),),
            )


def bridged_node_sets_follow_nodes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse workers whose Slurm node has another name than their Kubernetes node, by which the bridge knows it."""
    for index, node_set in enumerate(spec.node_sets):
        at: Path = ("node_sets", index)
        if node_set.bridged and node_set.scaling_mode is not ScalingMode.DAEMON_SET:
            yield FieldError(
                (*at, "bridged"),
                True,
                "the bridge finds a node of Slurm by the name that it has in Kubernetes, and only workers of a "
                "DaemonSet have that",
                "Write scalingMode: DaemonSet, or leave this out.",
                ((*at, "scaling_mode"),),
            )


def jobs_and_pods_are_kept_apart(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse lines by which pods and Slurm's jobs would share a node: neither sees what the other uses."""
    if not any(node_set.bridged for node_set in spec.node_sets):
        return
    for key, value in spec.slurm_conf.extra.items():
        words = {word.strip().lower() for word in value.partition(":")[0].split(",")}
        if (key.lower() == "mcsplugin" and "mcs/label" not in words) or (
            key.lower() == "mcsparameters" and "select" not in words
        ):
            wanted = next(line for name, line in MCS_LINES.items() if name.lower() == key.lower())
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                "with it pods and jobs would share nodes of bridged node sets, and use each other's CPUs and memory",
                f'Write "{wanted}", or leave it out.',
                (("node_sets",),),
            )


RULES: tuple[Rule, ...] = (
    bridged_node_sets_have_a_bridge,
    bridged_node_sets_follow_nodes,
    jobs_and_pods_are_kept_apart,
)
