"""Rules on nodes outside the Kubernetes cluster."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.slurm import SlurmSpec


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
            problem = "in slurm.conf this is a word of its own, for every node or for defaults"
            yield FieldError(at, nodes.name, problem, "Choose another name.")
