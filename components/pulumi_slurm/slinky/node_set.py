"""NodeSet: workers of one kind."""

import json
from collections.abc import Iterator
from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import model_validator

from pulumi_slurm.dicts import NodeSetArgsDict
from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.node_set import NodeSetPart
from pulumi_slurm.model import Autoscaler
from pulumi_slurm.slinky.objects import replacement
from pulumi_slurm.slinky.part_rules import check_part
from pulumi_slurm.slinky.worker_wait import why_none_came, worker_wait


class NodeSetArgs(NodeSetPart, Args):
    """Arguments of `NodeSet`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            self.cluster,
            {"node_sets": [self.node_set], "shared_volumes": self.shared_volumes},
            {("node_sets", 0): ("node_set",), ("shared_volumes",): ("shared_volumes",), ("pools", 0): ("pool",)},
            pools=[self.pool] if self.pool else [],
            errors=self._argument_errors(),
        )
        return self

    def _argument_errors(self) -> Iterator[FieldError]:
        """Yield the errors of arguments that `SlurmCluster` derives from its specification."""
        node_set, pool = self.node_set, self.pool
        if node_set.pool and pool is None:
            yield FieldError(
                ("pool",),
                FieldError.ABSENT,
                f'the machine, labels and taints of the pool "{node_set.pool}" are taken from this argument',
                "Pass the node pool, or leave nodeSet.pool out.",
            )
        if pool and node_set.pool is None:
            yield FieldError(
                ("node_set", "pool"),
                FieldError.ABSENT,
                f'without it the machine of the pool "{pool.name}" is not taken over',
                f'Write "{pool.name}", or leave the argument pool out.',
            )
        if node_set.ssh and self.sssd is None:
            yield FieldError(
                ("sssd",),
                FieldError.ABSENT,
                "SSH into workers needs SSSD, so there would be no SSH server",
                "Write name and key of the Secret with sssd.conf, or leave nodeSet.ssh out.",
            )
        if node_set.bridged and self.bridge_scheduler is None:
            yield FieldError(
                ("bridge_scheduler",),
                FieldError.ABSENT,
                "the bridge puts a taint with the name of its scheduler on the nodes, and workers have to tolerate it",
                "Write the schedulerName of the bridge, or leave nodeSet.bridged out.",
            )
        yield from self._scaled_by_errors()

    def _scaled_by_errors(self) -> Iterator[FieldError]:
        scaling = self.node_set.autoscaling
        if scaling is None or scaling.kind is not Autoscaler.KEDA or scaling.query:
            return
        if not self.scaled_by:
            yield FieldError(
                ("scaled_by",),
                FieldError.ABSENT if self.scaled_by is None else self.scaled_by,
                "KEDA counts the pending jobs of a partition, and none is named",
                "Write the name of the partition.",
            )
        elif scaling.partition not in (None, self.scaled_by):
            yield FieldError(
                ("scaled_by",),
                self.scaled_by,
                f'nodeSet.autoscaling.partition is "{scaling.partition}", and KEDA counts the jobs of one partition',
                "Write the same name in both, or leave nodeSet.autoscaling.partition out.",
            )


class NodeSet(Component[NodeSetArgs]):
    """Workers of one kind, each a pod with a slurmd that registers itself with slurmctld.

    Example::

        workers = {"name": "cpu", "machine": {"cpus": 16, "memory": "64Gi"}, "replicas": 4}
        NodeSet("hpc-cpu", {"cluster": {"name": "hpc"}, "node_set": workers})
    """

    slurm_name: pulumi.Output[str]
    """How slurm.conf refers to it; also a feature of its nodes."""

    @overload
    def __init__(self, resource_name: str, args: NodeSetArgs | NodeSetArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[NodeSetArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        node_set, manifests = self._args.node_set, self._args.manifests()
        self._nodeset, self._wait = manifests["nodeset"], worker_wait(node_set, self._args.pool)
        if self._wait:
            self._nodeset["metadata"]["annotations"] = {"pulumi.com/waitFor": json.dumps(self._wait.conditions)}
        objects = self.create_in_turn(manifests, options_of=self._options)
        self.slurm_name = pulumi.Output.from_input(node_set.slurm_name)
        self.finish(*objects)

    def _options(self, kind: str) -> dict[str, Any]:
        """Return the options of an object of a kind."""
        options, node_set = replacement(kind), self._args.node_set
        if kind == "NodeSet" and node_set.autoscaling:
            # An autoscaler changes the number of replicas.
            options |= {"ignore_changes": ["spec.replicas"]}
        if kind == "NodeSet" and self._wait:
            options |= {"custom_timeouts": pulumi.CustomTimeouts(create=self._wait.time, update=self._wait.time)}
            if not pulumi.runtime.is_dry_run():
                hook = why_none_came(self._name, self._nodeset, self._wait, lambda pod: self.child(id=pod))
                options |= {"hooks": pulumi.ResourceHookBinding(on_error=[hook])}
        return options
