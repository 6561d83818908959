"""Rules on nodes outside the Kubernetes cluster."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def external_nodes_have_names_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names that slurm.conf has for something else, and external nodes of a slurmctld outside the cluster."""
    in_cluster = {name for node_set in spec.node_sets for name in (node_set.name, node_set.slurm_name)}
    for index, nodes in enumerate(spec.external_nodes):
        at: Path = ("external_nodes", index, "name")
        if spec.controller.external:
            yield FieldError(
                ("external_nodes", index),
                nodes.name,
                "the operator writes no node sets for a slurmctld outside the cluster",
                "Write them into the outside slurm.conf, and leave them out here.",
            )
        elif nodes.name in in_cluster:
            yield FieldError(at, nodes.name, "a node set has this name, and Slurm would mix the two", "Choose another.")
        elif nodes.name.upper() in {ALL_NODE_SETS, "DEFAULT"}:
            problem = "slurm.conf reserves this word, for every node or for defaults"
            yield FieldError(at, nodes.name, problem, "Choose another name.")


def external_machines_have_names_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse machines by the name of another node or of a node set.

    slurmctld takes no node by the name of a NodeSet: _validate_nodes_vs_nodeset in src/slurmctld/node_mgr.c of
    SchedMD/slurm, at slurm-26-05-3-1. A second node of a name takes the place of the first.
    """
    groups = {nodes.name for nodes in spec.external_nodes} | {node_set.slurm_name for node_set in spec.node_sets}
    pods = [item for item in spec.node_sets if item.scaling_mode is ScalingMode.STATEFUL_SET]
    owner_by_machine: dict[str, str] = {}
    for index, nodes in enumerate(spec.external_nodes):
        for name in nodes.node_names:
            pod = next((item for item in pods if name.removeprefix(item.host_name).isdecimal()), None)
            if name in groups:
                problem = f'"{name}" is the name of a group of nodes too, and slurmctld takes no node by such a name'
            elif name in owner_by_machine:
                problem = f'"{name}" is a machine of "{owner_by_machine[name]}" too, and Slurm would mix the two'
            elif pod and name.startswith(pod.host_name):
                problem = f'"{name}" can be a worker of the node set "{pod.name}" too, and Slurm would mix the two'
            else:
                owner_by_machine[name] = nodes.name
                continue
            yield FieldError(("external_nodes", index, "nodes"), nodes.nodes, problem, "Choose other names.")
            break


RULES: tuple[Rule, ...] = (
    external_nodes_have_names_of_their_own,
    external_machines_have_names_of_their_own,
)
