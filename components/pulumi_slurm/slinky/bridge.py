"""SlurmBridge: what has Slurm schedule pods of Kubernetes in addition to its own jobs."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

import pulumi
from pydantic import model_validator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.namespace import create_bridged_namespace
from pulumi_slurm.kube.resources import KubernetesObject
from pulumi_slurm.manifests.bridge.first_job import commands, first_job
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.bridge import BridgePart
from pulumi_slurm.slinky.objects import replacement
from pulumi_slurm.slinky.part_rules import check_part


class SlurmBridgeArgs(BridgePart, Args):
    """Arguments of `SlurmBridge`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            self.cluster,
            {"bridge": self.bridge},
            {("bridge",): ("bridge",), ("pools",): ("pools",)},
            pools=self.pools,
            errors=self._argument_errors(),
        )
        return self

    def _argument_errors(self) -> Iterator[FieldError]:
        """Yield the errors of arguments that `SlurmCluster` derives from its specification."""
        for index, group in enumerate(self.bridge.external_nodes):
            if group.pool and not self.pools:
                yield FieldError(
                    ("bridge", "external_nodes", index, "pool"),
                    group.pool,
                    "the labels of its nodes are taken from the argument pools, which is empty",
                    "Pass the node pool, or write nodeSelector in place of pool.",
                )
            if not self.partitions.get(group.name):
                yield FieldError(
                    ("partitions", group.name),
                    FieldError.ABSENT,
                    f'the bridge registers the nodes "{group.name}" in Slurm with the names of their partitions',
                    "Write the names of the partitions that contain them.",
                )


class SlurmBridge(Component[SlurmBridgeArgs]):
    """Slurm Bridge: a scheduler, an admission webhook, controllers, and the namespaces whose pods Slurm schedules.

    cert-manager and slurm-operator have to be there, and the cluster's slurmrestd. A destroy ends pods first: it begins
    with the namespaces that were made here. In namespaces that were there before, end them yourself.
    """

    bridge: pulumi.Output[dict[str, Any]]
    """`schedulerName`, `namespaces`, `partition`, and `commands` that show pods and Slurm's view of them."""
    first_job: pulumi.Output[str]
    """A Job to try it with, as YAML."""

    def __init__(self, resource_name: str, args: SlurmBridgeArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster, bridge = self._args.cluster, self._args.bridge
        before = self.create_in_turn(self._args.before_programs(), options_of=replacement)
        programs = [self.create(role, manifest, before[-1]) for role, manifest in self._args.programs().items()]
        # The webhook is asked once it answers, and is asked no more before it goes.
        webhooks = self.create_in_turn(self._args.webhooks(), *programs)
        last = webhooks[-1:] or programs
        # A namespace that goes ends its pods, which the controllers have to let go: the bridge holds each by a
        # finalizer. So namespaces are made last, to go first.
        namespaces = [self._namespace(objects, last) for objects in self._args.namespaces()]
        self.bridge = pulumi.Output.from_input(
            {
                "schedulerName": bridge.scheduler_name,
                "namespaces": [namespace.name for namespace in bridge.namespaces],
                "partition": bridge.partition,
                "commands": commands(bridge),
            }
        )
        self.first_job = pulumi.Output.from_input(first_job(cluster, bridge))
        self.finish(*(namespaces or last))

    def _namespace(self, manifests: Manifests, last: list[KubernetesObject]) -> KubernetesObject:
        """Create what is made of a managed namespace; return what comes last of it."""
        before = [
            create_bridged_namespace(f"{self._name}-{role}", manifest, self.child(*last))
            for role, manifest in manifests.items()
            if manifest["kind"] == "Namespace"
        ]
        others = {role: manifest for role, manifest in manifests.items() if manifest["kind"] != "Namespace"}
        return [*before, *self.create_in_turn(others, *(before or last))][-1]
