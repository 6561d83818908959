"""GenericNode: a Kubernetes node that is a Slurm node too."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.ack_slurm.manifests.copilot import generic_node
from pulumi_slurm.ack_slurm.model.outside import GenericNodeSpec
from pulumi_slurm.kube.component import Args, Component, Options


class GenericNodeArgs(Args):
    """Arguments of `GenericNode`."""

    cluster_name: str
    """The ClusterName of the node's Slurm cluster."""
    namespace: str = "default"
    """The namespace of the Service for the cluster's slurmrestd."""
    node: GenericNodeSpec
    """The node's names in Kubernetes and in Slurm."""


class GenericNode(Component[GenericNodeArgs]):
    """A GenericNode, in whose status the copilot records the CPUs and memory that Slurm and Kubernetes use.

    It is for nodes of a Slurm outside Kubernetes; the operator creates those for workers of a containerised cluster.
    The Kubernetes node has to exist already, because the GenericNode has its name.
    """

    def __init__(self, resource_name: str, args: GenericNodeArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        manifest = generic_node(self._args.cluster_name, self._args.namespace, self._args.node)
        self.finish(self.create("genericnode", manifest))
