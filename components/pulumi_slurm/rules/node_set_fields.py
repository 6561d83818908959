"""What each field of `NodeSetSpec` sets in the operator's NodeSet, and whether ack-slurm-operator has it as well.

Every field has its row here; a test fails for one without. From which release on a field can be used follows from the
CRDs, see `since`. Messages name fields in the order of this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.releases.operator_version import OperatorVersion, first_release_with


@dataclass(frozen=True)
class NodeSetField:
    """What one field of `NodeSetSpec` sets. Paths are those of the NodeSet's ``spec``."""

    derives: tuple[str, ...] = ()
    """Paths that `overrides` can't set; the message names this field instead."""
    sets: tuple[str, ...] = ()
    """Further paths whose value depends on this field."""
    sets_where_it_can: tuple[str, ...] = ()
    """Further paths, with releases that have them; those without are no reason to refuse the field."""
    sets_nothing: str = ""
    """Why there is no path."""
    on_ack: bool = True
    """Whether it has an effect with ack-slurm-operator; if not, it is refused there."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths that a release has to have."""
        return (*self.derives, *self.sets)

    @property
    def since(self) -> str:
        """The first release of slurm-operator in the table with all of its paths."""
        return max((first_release_with("NodeSet", path) for path in self.paths), default="", key=_in_order)


def _in_order(release: str) -> list[int]:
    return [int(part) for part in release.split(".")]


_VOLUMES = ("template.spec.volumes", "slurmd.volumeMounts")

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
            derives=("scalingMode",),
            sets=("replicas", "template.spec.tolerations"),
            sets_where_it_can=("pruneSlurmNodeRecords",),
            on_ack=False,
        ),
        "bridged": NodeSetField(sets=("slurmd.resources", "slurmd.env"), on_ack=False),
        "features": NodeSetField(derives=("extraConf",)),
        "weight": NodeSetField(derives=("extraConf",)),
        "extra_gres": NodeSetField(derives=("extraConf",)),
        "slurmd_options": NodeSetField(derives=("extraConf",)),
        "partition": NodeSetField(derives=("partition",)),
        "ssh": NodeSetField(derives=("ssh",), on_ack=False),
        "pin_to_node": NodeSetField(sets=("pinToNode",), on_ack=False),
        "oversubscribe_node": NodeSetField(sets=("oversubscribeNode",), on_ack=False),
        "ordinal_padding": NodeSetField(derives=("ordinalPadding",), on_ack=False),
        "volume_claims": NodeSetField(
            derives=("volumeClaimTemplates",),
            sets=("slurmd.volumeMounts", "persistentVolumeClaimRetentionPolicy"),
            on_ack=False,
        ),
        "claims_when_deleted": NodeSetField(sets=("persistentVolumeClaimRetentionPolicy.whenDeleted",), on_ack=False),
        "claims_when_scaled": NodeSetField(sets=("persistentVolumeClaimRetentionPolicy.whenScaled",), on_ack=False),
        "host_name_prefix": NodeSetField(derives=("template.spec.hostname",), on_ack=False),
        "host_paths": NodeSetField(sets=_VOLUMES),
        "shared_memory": NodeSetField(sets=_VOLUMES),
        "extra_volumes": NodeSetField(sets=("template.spec.volumes",)),
        "extra_volume_mounts": NodeSetField(sets=("slurmd.volumeMounts",)),
        "sidecars": NodeSetField(sets=("template.spec.initContainers", "template.spec.volumes")),
        "update_strategy": NodeSetField(
            sets=("updateStrategy.type", "updateStrategy.rollingUpdate.maxUnavailable"),
            sets_where_it_can=("updateStrategy.scheduledUpdate",),
            on_ack=False,
        ),
        "min_ready_seconds": NodeSetField(sets=("minReadySeconds",), on_ack=False),
        "revision_history_limit": NodeSetField(sets=("revisionHistoryLimit",), on_ack=False),
        "workload_disruption_protection": NodeSetField(sets=("workloadDisruptionProtection",), on_ack=False),
        "pod": NodeSetField(sets=("template.metadata", "template.spec", "slurmd.env")),
        "image": NodeSetField(sets=("slurmd.image",)),
        "wait": NodeSetField(sets_nothing="it is Pulumi that waits", on_ack=False),
        "overrides": NodeSetField(sets_nothing="it is merged into the spec as it is", on_ack=False),
    }
)


def unsupported(node_set: NodeSetSpec, operator: OperatorVersion) -> list[tuple[str, Any, NodeSetField]]:
    """Return the fields, with their values, that differ from their default and that the operator's release lacks."""
    return [
        (name, getattr(node_set, name), field)
        for name, field in NODE_SET_FIELDS.items()
        if not all(operator.has("NodeSet", path) for path in field.paths)
        and getattr(node_set, name) != NodeSetSpec.model_fields[name].default
    ]
