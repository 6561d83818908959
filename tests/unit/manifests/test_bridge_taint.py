"""Workers on nodes that the bridge takes for its own, by the names that Slurm has for them."""

from typing import Any

import pytest

from tests.unit.manifests.rendered import MACHINE, rendered

BRIDGE = {"partition": "pods", "namespaces": [{"name": "jobs"}], "schedulerName": "slurm-pods"}
TOLERATION = {
    "key": "slinky.slurm.net/managed-node",
    "operator": "Equal",
    "value": "slurm-pods",
    "effect": "NoExecute",
}


def tolerations(node_set: dict[str, Any], **cluster: Any) -> list[dict[str, Any]]:
    """Return those of a node set beside a bridged one."""
    bridged = {"name": "shared", "machine": MACHINE, "scalingMode": "DaemonSet", "bridged": True}
    own = {"name": "own", "machine": MACHINE, "pod": {"nodeSelector": {"pool": "own"}}, **node_set}
    partitions = [{"name": "pods", "nodeSets": ["shared"]}, {"name": "batch", "nodeSets": ["own"]}]
    objects = rendered(nodeSets=[bridged, own], partitions=partitions, bridge=BRIDGE, **cluster)
    (found,) = (item for item in objects if item["kind"] == "NodeSet" and item["metadata"]["name"].endswith("own"))
    return list(found["spec"]["template"]["spec"].get("tolerations", []))


@pytest.mark.parametrize("operator", ["1.1.2", "1.2.1"])
@pytest.mark.parametrize(
    "node_set",
    [
        {"scalingMode": "DaemonSet"},
        {"pod": {"hostNetwork": True}},
        {"scalingMode": "DaemonSet", "pod": {"hostNetwork": True}},
    ],
)
def test_workers_with_the_names_of_their_nodes_stay_when_the_bridge_taints_them(
    node_set: dict[str, Any], operator: str
) -> None:
    assert tolerations(node_set, operatorVersion=operator) == [TOLERATION]


def test_bridged_workers_stay_too() -> None:
    assert tolerations({"scalingMode": "DaemonSet", "bridged": True}) == [TOLERATION]


def test_nodes_of_workers_with_names_of_their_own_are_never_tainted() -> None:
    assert tolerations({}) == []
