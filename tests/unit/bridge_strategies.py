"""Random bridges, with external nodes and the partition that pods get by default."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm import model as s
from pulumi_slurm.model.releases.bridge_version import BRIDGE_RELEASES, newest_bridge
from pulumi_slurm.model.releases.operator_version import OperatorVersion
from tests.unit.machine_strategies import node_pools
from tests.unit.pod_strategies import placements, resources
from tests.unit.value_strategies import images, label_maps, labels, or_none, partial_model

PARTITION = "PodsOfKubernetes"
"""Longer than any drawn feature, which external nodes of another meaning would share."""

programs: dict[str, Any] = {"resources": resources, "image": images, "pod": placements}
owners = partial_model(
    s.ReadableOwnerSpec, {"api_group": st.just("trainer.kubeflow.org"), "resource": st.just("trainjobs")}
)
bridged_namespaces = st.one_of(
    partial_model(
        s.BridgedNamespaceSpec,
        {"name": labels.map("jobs-{}".format)},
        labels=label_maps,
        quota=st.sampled_from([{"requests.cpu": "64"}, {"pods": "100", "limits.memory": "1Ti"}]),
    ),
    st.builds(s.BridgedNamespaceSpec, name=labels.map("old-{}".format), create=st.just(False)),
)
bridge_options = st.fixed_dictionaries(
    {},
    optional={
        "scheduler_name": labels.map("pods-{}".format),
        "mcs_label": st.sampled_from(["kubernetes", "Pods_1"]),
        "scheduler": partial_model(s.BridgeProgramSpec, replicas=st.integers(1, 3), **programs),
        "admission": partial_model(s.BridgeProgramSpec, replicas=st.integers(1, 3), **programs),
        "controllers": partial_model(s.BridgeProgramSpec, **programs),
        "owners": st.lists(owners, max_size=1),
        "priority_class_name": labels,
        "token_lifetime": st.sampled_from(["24h", "8760h"]),
        "generation": st.integers(1, 3),
    },
)


@dataclass(frozen=True)
class DrawnBridge:
    """A bridge, and what belongs to it in the rest of a specification."""

    bridge: s.BridgeSpec
    partition: dict[str, Any]
    """The partition of pods, without its options."""
    pools: list[s.NodePoolSpec]
    """The pools of external nodes."""


@st.composite
def bridges(draw: DrawFn, operator: OperatorVersion, bridged: list[str]) -> DrawnBridge | None:
    """Draw a bridge for a cluster with these bridged node sets; None where the operator's release has none."""
    minor = ".".join(map(str, operator.minor))
    if newest_bridge(minor) is None:
        return None
    releases = [release for release in BRIDGE_RELEASES if release.startswith(f"{minor}.")]
    names = draw(st.lists(labels.map("x-{}".format), min_size=0 if bridged else 1, max_size=2, unique=True))
    groups, pools = [], []
    for name in names:
        if draw(st.booleans()):
            pool = draw(node_pools(f"external-{name}"))
            least = draw(or_none(st.integers(1, 4)))
            machine = pool.machine.model_copy(update={"gpus": None})
            pools.append(pool.model_copy(update={"machine": machine, "min_nodes": least, "max_nodes": 4}))
            groups.append(s.BridgeNodesSpec(name=name, pool=pool.name))
        else:
            selector = {"external": name, **draw(label_maps)}
            groups.append(
                s.BridgeNodesSpec(name=name, node_selector=selector, max_nodes=draw(or_none(st.integers(1, 2000))))
            )
    spaces = draw(st.lists(bridged_namespaces, max_size=2, unique_by=lambda space: space.name))
    bridge = s.BridgeSpec(
        partition=PARTITION,
        version=draw(or_none(st.sampled_from(releases))),
        namespaces=spaces,
        namespace_selector={} if spaces else {"slurm": draw(labels)},
        external_nodes=groups,
        **draw(bridge_options),
    )
    return DrawnBridge(bridge, {"name": PARTITION, "node_sets": [*names, *bridged]}, pools)
