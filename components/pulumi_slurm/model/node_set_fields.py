"""The fields of `NodeSetSpec`: what each sets in the operator's NodeSet, and what it is with ack-slurm-operator.

Every field has its row here; a test fails for one without. Whether another value replaces workers, and from which
release on a field can be used, follow from the paths and the CRDs: see `replaces_workers` and `since`. The renderer,
`adopt`, rules and the refusals of ack-slurm-operator read the row. Messages name fields in the order of this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.releases.operator_fields import DEFAULTS
from pulumi_slurm.model.releases.operator_version import OperatorVersion, first_release_with, release_order

IN_WORKERS = frozenset({"extraConf", "logfile", "ordinalPadding", "oversubscribeNode", "slurmd", "ssh", "template"})
"""Fields of a NodeSet's ``spec`` that are in its revision, or in the names or the arguments of its pods: another value
replaces workers. Source: getPatch in internal/controller/nodeset/nodeset_history.go and internal/builder of
slurm-operator, v1.1.0 to main of 2026-08-20."""


class Unsupported(NamedTuple):
    """Why ack-slurm-operator has no such field, and what to write instead."""

    problem: str = "ack-slurm-operator doesn't support it"
    fix: str = "Leave it out."


@dataclass(frozen=True)
class NodeSetField:
    """What one field of `NodeSetSpec` sets. Paths are those of the NodeSet's ``spec``."""

    path: str = ""
    """The path that has the field's value as it is, if there is one, and nothing else sets it."""
    derives: tuple[str, ...] = ()
    """Paths that `overrides` can't set; the message names this field instead."""
    sets: tuple[str, ...] = ()
    """Further paths whose value depends on this field."""
    sets_where_it_can: tuple[str, ...] = ()
    """Further paths, with releases that have them; those without are no reason to refuse the field."""
    sets_nothing: str = ""
    """Why there is no path."""
    on_ack: Unsupported | None = None
    """Why it is refused with ack-slurm-operator; None where it has its effect there."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths that a release has to have."""
        return (*((self.path,) if self.path and self.path not in self.derives else ()), *self.derives, *self.sets)

    @property
    def since(self) -> str:
        """The first release of slurm-operator in the table with all of its paths."""
        return max((first_release_with("NodeSet", path) for path in self.paths), default="", key=release_order)

    @property
    def replaces_workers(self) -> bool:
        """Whether another value replaces workers, in the way that `update_strategy` says."""
        return any(path.split(".")[0] in IN_WORKERS for path in self.paths)


SLINKY_ONLY = "these are fields of slurm-operator's objects, which ack-slurm-operator doesn't use"
_VOLUMES = ("template.spec.volumes", "slurmd.volumeMounts")
_NAMES = Unsupported("ack-slurm-operator names nodes <cluster>-worker-<node set>-<number>")

NODE_SET_FIELDS: Mapping[str, NodeSetField] = MappingProxyType(
    {
        "name": NodeSetField(sets_nothing="it is in the name of the object"),
        "pool": NodeSetField(
            sets=(
                "template.spec.nodeSelector",
                "template.spec.tolerations",
                "slurmd.resources",
                "slurmd.env",
                "slurmd.command",
                "extraConf",
            )
        ),
        "machine": NodeSetField(sets=("slurmd.resources", "slurmd.env", "slurmd.command", "extraConf")),
        "gpus": NodeSetField(sets=("slurmd.resources", "extraConf")),
        "replicas": NodeSetField(derives=("replicas",)),
        "autoscaling": NodeSetField(derives=("replicas",)),
        "scaling_mode": NodeSetField(
            path="scalingMode",
            derives=("scalingMode",),
            sets=("replicas", "template.spec.tolerations"),
            sets_where_it_can=("pruneSlurmNodeRecords",),
            on_ack=Unsupported(
                "ack-slurm-operator creates a number of workers, not one for each node",
                "Write StatefulSet and the number of nodes.",
            ),
        ),
        "bridged": NodeSetField(
            sets=("slurmd.resources", "slurmd.env"), on_ack=Unsupported("slurm-bridge needs slurm-operator")
        ),
        "features": NodeSetField(derives=("extraConf",)),
        "weight": NodeSetField(derives=("extraConf",)),
        "extra_gres": NodeSetField(derives=("extraConf",)),
        "slurmd_options": NodeSetField(derives=("extraConf",)),
        "partition": NodeSetField(derives=("partition",)),
        "ssh": NodeSetField(
            derives=("ssh",),
            on_ack=Unsupported(
                "workers of Alibaba's image run no SSH server", "Leave it out; people log in to the controller."
            ),
        ),
        "pin_to_node": NodeSetField(path="pinToNode", on_ack=Unsupported()),
        "oversubscribe_node": NodeSetField(path="oversubscribeNode", on_ack=Unsupported()),
        "ordinal_padding": NodeSetField(path="ordinalPadding", derives=("ordinalPadding",), on_ack=_NAMES),
        "volume_claims": NodeSetField(
            derives=("volumeClaimTemplates",),
            sets=("slurmd.volumeMounts", "persistentVolumeClaimRetentionPolicy"),
            on_ack=Unsupported(
                "ack-slurm-operator creates no claims for workers",
                "Use hostPaths, ephemeral volumes in ack.slurm.workers, or a shared volume.",
            ),
        ),
        "claims_when_deleted": NodeSetField(
            sets=("persistentVolumeClaimRetentionPolicy.whenDeleted",), on_ack=Unsupported()
        ),
        "claims_when_scaled": NodeSetField(
            sets=("persistentVolumeClaimRetentionPolicy.whenScaled",), on_ack=Unsupported()
        ),
        "host_name_prefix": NodeSetField(derives=("template.spec.hostname",), on_ack=_NAMES),
        "host_paths": NodeSetField(sets=_VOLUMES),
        "shared_memory": NodeSetField(sets=_VOLUMES),
        "extra_volumes": NodeSetField(sets=("template.spec.volumes",)),
        "extra_volume_mounts": NodeSetField(sets=("slurmd.volumeMounts",)),
        "sidecars": NodeSetField(sets=("template.spec.initContainers", "template.spec.volumes")),
        "update_strategy": NodeSetField(
            sets=("updateStrategy.type", "updateStrategy.rollingUpdate.maxUnavailable"),
            sets_where_it_can=("updateStrategy.scheduledUpdate",),
            on_ack=Unsupported("with ack-slurm-operator a changed template replaces the whole cluster"),
        ),
        "min_ready_seconds": NodeSetField(path="minReadySeconds", on_ack=Unsupported()),
        "revision_history_limit": NodeSetField(path="revisionHistoryLimit", on_ack=Unsupported()),
        "workload_disruption_protection": NodeSetField(path="workloadDisruptionProtection", on_ack=Unsupported()),
        "pod": NodeSetField(sets=("template.metadata", "template.spec", "slurmd.env")),
        "image": NodeSetField(sets=("slurmd.image",)),
        "wait": NodeSetField(
            sets_nothing="it is Pulumi that waits",
            on_ack=Unsupported("the status of a SlurmCluster doesn't include which workers are ready"),
        ),
        "overrides": NodeSetField(
            sets_nothing="it is merged into the spec as it is",
            on_ack=Unsupported(SLINKY_ONLY, "Leave it out; ack.slurm.overrides is merged into the SlurmCluster."),
        ),
    }
)


def default_of(name: str) -> Any:
    """Return a field's value where it is left out."""
    return NodeSetSpec.model_fields[name].get_default(call_default_factory=True)


def copied_fields(node_set: NodeSetSpec, operator: OperatorVersion) -> dict[str, Any]:
    """Return what a NodeSet's ``spec`` has as the node set has it, by its path there.

    A default that says no is left out; one that says yes is written, whatever the operator's own default is.
    """
    values = {name: getattr(node_set, name) for name, field in NODE_SET_FIELDS.items() if field.path}
    return {
        NODE_SET_FIELDS[name].path: value.value if isinstance(value, StrEnum) else value
        for name, value in values.items()
        if operator.has("NodeSet", NODE_SET_FIELDS[name].path) and (value or value != default_of(name))
    }


def fields_copied(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields whose values a NodeSet's ``spec`` has as they are, in the form of stack configuration.

    Values are left out where they are those of a NodeSet without them.
    """
    copied = {name: spec.get(field.path) for name, field in NODE_SET_FIELDS.items() if field.path}
    return {
        str(NodeSetSpec.model_fields[name].alias): value
        for name, value in copied.items()
        if value is not None and value != DEFAULTS["NodeSet"].get(NODE_SET_FIELDS[name].path, 0)
    }


def unsupported(node_set: NodeSetSpec, operator: OperatorVersion) -> list[tuple[str, Any, NodeSetField]]:
    """Return the fields, with their values, that differ from their default and that the operator's release lacks."""
    return [
        (name, getattr(node_set, name), field)
        for name, field in NODE_SET_FIELDS.items()
        if not all(operator.has("NodeSet", path) for path in field.paths)
        and getattr(node_set, name) != default_of(name)
    ]
