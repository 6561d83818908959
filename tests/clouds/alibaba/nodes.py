"""The nodes of a pool, as ACK creates them: names, labels, taints and capacities.

Labels of GPUs are those of https://github.com/AliyunContainerService/gpushare-scheduler-extender and of
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/use-labels-to-schedule-pods-to-gpu-accelerated-nodes;
the capacity for pods is that of `pulumi_slurm.machines.ack.allocatable`. A node's name is the region and its
address. Without an API server (the setting "kubeconfig"), a pool has no Node objects.

Instance types in the setting "soldOut" are not available: a pool uses its next one. Nodes that their security group
cuts off don't join.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from tests.clouds.alibaba.alicloud import need
from tests.clouds.alibaba.firewalls import SECURITY_GROUP, barred
from tests.clouds.alibaba.machines import capacity, machine_of, most_pods
from tests.clouds.alibaba.networks import SWITCH, addresses
from tests.clouds.simulator.api_server import api, has_nodes, remove
from tests.clouds.simulator.autoscaler import Limits
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

CLUSTER_LABEL = "ack.aliyun.com"
POOL_LABEL = "alibabacloud.com/nodepool-id"
OWNER = "simulated-ack/pool"
"""The annotation with the id of the node's pool."""
NUMBER = "simulated-ack/number"
"""The annotation with the number of earlier nodes of the pool."""


@dataclass(frozen=True)
class Size(Limits):
    """How many nodes a pool may have, in all its zones."""

    @classmethod
    def of(cls, pool: Stored) -> "Size":
        """Return the size of a pool with these properties."""
        if is_scaled(pool.state):
            return cls(least(pool.state), pool.state["scalingConfig"]["maxSize"])
        return cls(least(pool.state), least(pool.state))

    def fitting(self, nodes: int) -> int:
        """Return a number of nodes within the limits: a pool's scaling group always has its minimum."""
        return min(self.most, max(self.least, nodes))


@dataclass(frozen=True)
class Machine:
    """A machine that a pool has, or could have."""

    number: int
    type: str
    zone: str
    address: str


def is_scaled(state: Values) -> bool:
    """Return whether ACK adds and removes a pool's nodes."""
    limits = state.get("scalingConfig") or {}
    return bool(limits) and limits.get("enable", True) is not False


def least(state: Values) -> int:
    """Return how many nodes a pool with these properties always has."""
    if is_scaled(state):
        return int(state["scalingConfig"].get("minSize") or 0)
    return int(state.get("desiredSize") or 0)


def limits(pool: Stored) -> Limits | None:
    """Return how many nodes a pool may have, or None if it isn't to be scaled."""
    return Size.of(pool) if is_scaled(pool.state) else None


def of_pool(pool: Stored, scope: Scope) -> list[Values]:
    """Return a pool's nodes, the oldest first."""
    if not has_nodes(scope):
        return []
    nodes = [node for node in _all(scope) if node["metadata"].get("annotations", {}).get(OWNER) == pool.id]
    return sorted(nodes, key=lambda node: int(node["metadata"]["annotations"][NUMBER]))


def cut_off(inputs: Values, scope: Scope) -> Iterator[str]:
    """Yield what keeps a pool's nodes from joining their cluster."""
    cluster = need(scope, "alicloud:cs/managedKubernetes:ManagedKubernetes", inputs["clusterId"])
    for group_id in inputs.get("securityGroupIds") or [cluster.state["securityGroupId"]]:
        yield from barred(need(scope, SECURITY_GROUP, group_id), scope)


def resize(pool: Stored, scope: Scope, count: int) -> None:
    """Resize a pool to ``count`` nodes, or as many as have machines and addresses; the newest are removed first."""
    if not has_nodes(scope):
        return
    nodes = of_pool(pool, scope)
    for node in nodes[count:]:
        remove(node, scope)
    if any(cut_off(pool.state, scope)):
        return
    for _ in range(len(nodes), count):
        machine = _next_machine(pool, scope)
        if machine is None:
            return
        api(scope).apply(manifest(pool, scope, machine))


def relabel(pool: Stored, scope: Scope) -> None:
    """Set the pool's current labels and taints on its nodes; their machines don't change."""
    for node in of_pool(pool, scope):
        labels = node["metadata"]["labels"]
        machine = Machine(
            int(node["metadata"]["annotations"][NUMBER]),
            labels["node.kubernetes.io/instance-type"],
            labels["topology.kubernetes.io/zone"],
            node["status"]["addresses"][0]["address"],
        )
        api(scope).apply(manifest(pool, scope, machine))


def remove_all(pool: Stored, scope: Scope) -> None:
    """Remove a pool's nodes."""
    for node in of_pool(pool, scope):
        remove(node, scope)


def template(pool: Stored, scope: Scope) -> Values | None:
    """Return the manifest of the pool's next node, or None if there can't be one."""
    machine = _next_machine(pool, scope)
    return manifest(pool, scope, machine) if machine else None


def manifest(pool: Stored, scope: Scope, machine: Machine) -> Values:
    """Return the manifest of a node."""
    where = _region(machine.zone)
    name = f"{where}.{machine.address}"
    annotations = {"kwok.x-k8s.io/node": "fake", OWNER: pool.id, NUMBER: str(machine.number)}
    instance = f"i-sim{zlib.crc32(f'{pool.id} {machine.number}'.encode()):08x}"
    node_capacity, node_allocatable = _capacity(pool, scope, machine)
    taints = [{"key": taint["key"], "value": taint.get("value", ""), "effect": taint.get("effect") or "NoSchedule"}
              for taint in pool.state.get("taints") or []]  # fmt: skip
    labels = {**_labels(pool, scope, machine, name), "alibabacloud.com/ecs-instance-id": instance}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "spec": {"taints": taints, "providerID": f"{where}.{instance}"},
        "status": {
            "capacity": node_capacity,
            "allocatable": node_allocatable,
            "addresses": [
                {"type": "InternalIP", "address": machine.address},
                {"type": "Hostname", "address": name},
            ],
        },
    }


def _all(scope: Scope) -> list[Values]:
    nodes: list[Values] = api(scope).get("/api/v1/nodes")["items"]
    return nodes


def _next_machine(pool: Stored, scope: Scope) -> Machine | None:
    """Return the next machine, in the zone with the fewest or in the first vSwitch, as long as it has addresses."""
    used_addresses = {address["address"] for node in _all(scope) for address in node["status"].get("addresses", [])}
    nodes = of_pool(pool, scope)
    switches = [need(scope, SWITCH, switch_id) for switch_id in pool.state["vswitchIds"]]
    if pool.state.get("multiAzPolicy") == "BALANCE":
        zones = [node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes]
        switches.sort(key=lambda switch: zones.count(switch.state["zoneId"]))
    instance_type = next(_available_types(pool, scope), None)
    for switch in switches:
        free = next((address for address in addresses(switch) if address not in used_addresses), None)
        if instance_type and free:
            last = int(nodes[-1]["metadata"]["annotations"][NUMBER]) if nodes else -1
            return Machine(last + 1, instance_type, switch.state["zoneId"], free)
    return None


def _region(zone: str) -> str:
    """Return the region of cn-hangzhou-h or ap-southeast-1a."""
    return zone[:-1].removesuffix("-")


def _available_types(pool: Stored, scope: Scope) -> Iterator[str]:
    gone = scope.cloud.settings.get("soldOut", [])
    return (name for name in pool.state["instanceTypes"] if name not in gone)


def _labels(pool: Stored, scope: Scope, machine: Machine, name: str) -> dict[str, str]:
    machine_type = machine_of(machine.type, scope)
    labels = {
        CLUSTER_LABEL: pool.state["clusterId"],
        POOL_LABEL: pool.state["nodePoolId"],
        "kubernetes.io/arch": machine_type.architecture.value if machine_type else "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": machine.type,
        "topology.kubernetes.io/region": _region(machine.zone),
        "topology.kubernetes.io/zone": machine.zone,
    }
    if is_scaled(pool.state):
        labels["k8s.aliyun.com"] = "true"
    if machine_type and machine_type.gpus:
        labels |= {
            "aliyun.accelerator/nvidia_count": str(machine_type.gpus.count),
            "aliyun.accelerator/nvidia_mem": f"{round(machine_type.gpus.memory_gb * 1024)}MiB",
            "aliyun.accelerator/nvidia_name": f"NVIDIA-{machine_type.gpus.nvidia_name.replace(' ', '-')}",
        }
    return {**labels, **{label["key"]: label.get("value", "") for label in pool.state.get("labels") or []}}


def _capacity(pool: Stored, scope: Scope, machine: Machine) -> tuple[dict[str, str], dict[str, str]]:
    """Return the capacity of a node, and the part of it that pods can use."""
    machine_type = machine_of(machine.type, scope)
    assert machine_type, f"a pool has {machine.type}, which is not in the catalogue"
    cluster = need(scope, "alicloud:cs/managedKubernetes:ManagedKubernetes", pool.state["clusterId"]).state
    flannel = 1 << (32 - cluster["nodeCidrMask"]) if cluster.get("podCidr") else None
    count = most_pods(machine_type, flannel)
    node_capacity, node_allocatable = capacity(machine_type, count)
    pods_and_devices = {
        "pods": str(count),
        "ephemeral-storage": f"{pool.state.get('systemDiskSize') or 120}Gi",
        **({"nvidia.com/gpu": str(machine_type.gpus.count)} if machine_type.gpus else {}),
    }
    return {**node_capacity, **pods_and_devices}, {**node_allocatable, **pods_and_devices}
