"""The nodes of a pool, as ACK makes them: names, labels, taints and capacities.

Labels of GPUs are those of https://github.com/AliyunContainerService/gpushare-scheduler-extender and of
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/use-labels-to-schedule-pods-to-gpu-accelerated-nodes;
what is left for pods is the formula of `pulumi_slurm.machines.ack.allocatable`. A node's name is the region and its
address. Without an API server (the setting "kubeconfig"), a pool has no nodes that one could see.

Instance types in the setting "soldOut" are not to be had: a pool takes its next one.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from tests.clouds.alibaba.alicloud import need
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
"""The annotation with the id of the pool that a node belongs to."""
NUMBER = "simulated-ack/number"
"""The annotation that says how many nodes the pool has had before."""


@dataclass(frozen=True)
class Size(Limits):
    """How many nodes a pool may have, in all its zones."""

    @classmethod
    def of(cls, pool: Stored) -> "Size":
        """Return the size that a pool's properties say."""
        if is_scaled(pool.state):
            limits = pool.state["scalingConfig"]
            return cls(limits.get("minSize", 0), limits["maxSize"])
        fixed = int(pool.state.get("desiredSize") or 0)
        return cls(fixed, fixed)

    def fitting(self, nodes: int) -> int:
        """Return what becomes of a number of nodes: a pool's scaling group fills its minimum up."""
        return min(self.most, max(self.least, nodes))


@dataclass(frozen=True)
class Machine:
    """A machine that a pool has, or could have."""

    number: int
    type: str
    zone: str
    address: str


def is_scaled(state: Values) -> bool:
    """Say whether ACK adds and removes a pool's nodes."""
    limits = state.get("scalingConfig") or {}
    return bool(limits) and limits.get("enable", True) is not False


def limits(pool: Stored) -> Limits | None:
    """Return how many nodes a pool may have, or None if it isn't to be scaled."""
    return Size.of(pool) if is_scaled(pool.state) else None


def of_pool(pool: Stored, scope: Scope) -> list[Values]:
    """Return a pool's nodes, the oldest first."""
    if not has_nodes(scope):
        return []
    mine = [node for node in _all(scope) if node["metadata"].get("annotations", {}).get(OWNER) == pool.id]
    return sorted(mine, key=lambda node: int(node["metadata"]["annotations"][NUMBER]))


def resize(pool: Stored, scope: Scope, wanted: int) -> None:
    """Give a pool this many nodes, or as many as there are machines and addresses; the newest go first."""
    if not has_nodes(scope):
        return
    there = of_pool(pool, scope)
    for node in there[wanted:]:
        remove(node, scope)
    for _ in range(len(there), wanted):
        machine = _next_machine(pool, scope)
        if machine is None:
            return
        api(scope).apply(manifest(pool, scope, machine))


def relabel(pool: Stored, scope: Scope) -> None:
    """Give the nodes that there are the labels and taints that the pool has now; the machines stay what they are."""
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
    """Return a node as the next one would be, or None where there can't be one."""
    machine = _next_machine(pool, scope)
    return manifest(pool, scope, machine) if machine else None


def manifest(pool: Stored, scope: Scope, machine: Machine) -> Values:
    """Return a node as the API server gets it."""
    where = _region(machine.zone)
    name = f"{where}.{machine.address}"
    annotations = {"kwok.x-k8s.io/node": "fake", OWNER: pool.id, NUMBER: str(machine.number)}
    instance = f"i-sim{zlib.crc32(f'{pool.id} {machine.number}'.encode()):08x}"
    has, left = _capacity(pool, scope, machine)
    taints = [{"key": each["key"], "value": each.get("value", ""), "effect": each.get("effect") or "NoSchedule"}
              for each in pool.state.get("taints") or []]  # fmt: skip
    labels = {**_labels(pool, scope, machine, name), "alibabacloud.com/ecs-instance-id": instance}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "spec": {"taints": taints, "providerID": f"{where}.{instance}"},
        "status": {
            "capacity": has,
            "allocatable": left,
            "addresses": [
                {"type": "InternalIP", "address": machine.address},
                {"type": "Hostname", "address": name},
            ],
        },
    }


def _all(scope: Scope) -> list[Values]:
    found: list[Values] = api(scope).get("/api/v1/nodes")["items"]
    return found


def _next_machine(pool: Stored, scope: Scope) -> Machine | None:
    """Return the next machine: where the pool has the fewest, or in its first vSwitch, as long as it has addresses."""
    taken = {address["address"] for node in _all(scope) for address in node["status"].get("addresses", [])}
    mine = of_pool(pool, scope)
    switches = [need(scope, SWITCH, each) for each in pool.state["vswitchIds"]]
    if pool.state.get("multiAzPolicy") == "BALANCE":
        zones = [node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in mine]
        switches.sort(key=lambda switch: zones.count(switch.state["zoneId"]))
    kind = next(_to_be_had(pool, scope), None)
    for switch in switches:
        free = next((each for each in addresses(switch) if each not in taken), None)
        if kind and free:
            last = int(mine[-1]["metadata"]["annotations"][NUMBER]) if mine else -1
            return Machine(last + 1, kind, switch.state["zoneId"], free)
    return None


def _region(zone: str) -> str:
    """Return the region of cn-hangzhou-h or ap-southeast-1a."""
    return zone[:-1].removesuffix("-")


def _to_be_had(pool: Stored, scope: Scope) -> Iterator[str]:
    gone = scope.cloud.settings.get("soldOut", [])
    return (name for name in pool.state["instanceTypes"] if name not in gone)


def _labels(pool: Stored, scope: Scope, machine: Machine, name: str) -> dict[str, str]:
    kind = machine_of(machine.type, scope)
    found = {
        CLUSTER_LABEL: pool.state["clusterId"],
        POOL_LABEL: pool.state["nodePoolId"],
        "kubernetes.io/arch": kind.architecture.value if kind else "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": machine.type,
        "topology.kubernetes.io/region": _region(machine.zone),
        "topology.kubernetes.io/zone": machine.zone,
    }
    if is_scaled(pool.state):
        found["k8s.aliyun.com"] = "true"
    if kind and kind.gpus:
        found |= {
            "aliyun.accelerator/nvidia_count": str(kind.gpus.count),
            "aliyun.accelerator/nvidia_mem": f"{round(kind.gpus.memory_gb * 1024)}MiB",
            "aliyun.accelerator/nvidia_name": f"NVIDIA-{kind.gpus.nvidia_name.replace(' ', '-')}",
        }
    return {**found, **{each["key"]: each.get("value", "") for each in pool.state.get("labels") or []}}


def _capacity(pool: Stored, scope: Scope, machine: Machine) -> tuple[dict[str, str], dict[str, str]]:
    """Return what a node has, and what ACK leaves of it for pods."""
    kind = machine_of(machine.type, scope)
    assert kind, f"a pool was made of {machine.type}, which is not in the catalogue"
    cluster = need(scope, "alicloud:cs/managedKubernetes:ManagedKubernetes", pool.state["clusterId"]).state
    flannel = 1 << (32 - cluster["nodeCidrMask"]) if cluster.get("podCidr") else None
    count = most_pods(kind, flannel)
    has, left = capacity(kind, count)
    more = {
        "pods": str(count),
        "ephemeral-storage": f"{pool.state.get('systemDiskSize') or 120}Gi",
        **({"nvidia.com/gpu": str(kind.gpus.count)} if kind.gpus else {}),
    }
    return {**has, **more}, {**left, **more}
