"""From the nodes of a live cluster to the pools of a stack's settings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.providers.provider import INSTANCE_TYPE, PROVIDERS, Provider
from pulumi_slurm_cli.pools.machine import PRODUCT, machine_of
from pulumi_slurm_cli.pools.node import LiveNode, names
from pulumi_slurm_cli.pools.provider import provider_of

_AS_LARGE = 1.05
"""By how much the memory of nodes without a label of their kind differs at most within a pool."""
_LONGEST_NAME = 40
_AN_ID = re.compile(r"np[0-9a-f]{8,}")
"""The pools of ACK have ids for names."""
_OF_ONE_NODE_OR_PASSING = re.compile(
    r"kubernetes\.io/(hostname|os|arch)|beta\.kubernetes\.io/.*|.*topology.*|feature\.node\.kubernetes\.io/.*"
    r"|.*version.*|karpenter\.sh/.*|slinky\.slurm\.net/.*|failure-domain\..*"
)


@dataclass(frozen=True)
class LivePools:
    """What was found in a live cluster."""

    provider: Provider
    """Whose cluster it probably is."""
    pools: list[dict[str, Any]]
    """The pools, as they are written in settings."""
    notes: list[str]
    """What to know of each pool and of nodes that are in none, and what to do."""


def live_pools(nodes: Sequence[LiveNode]) -> LivePools:
    """Return pools that select exactly the nodes of each kind, none of which has less than its pool says."""
    provider = provider_of(nodes)
    usable = [node for node in nodes if node.runs_no_workers is None]
    left_out: dict[str, list[LiveNode]] = {}
    for node in nodes:
        if node.runs_no_workers:
            left_out.setdefault(node.runs_no_workers, []).append(node)
    pools: list[dict[str, Any]] = []
    notes: list[str] = []
    used_names: set[str] = {node.labels[POOL_LABEL] for node in usable if POOL_LABEL in node.labels}
    for kind, members in _groups(usable, provider):
        machine, machine_notes = machine_of(members, provider)
        if machine is None:
            left_out.setdefault("slurmd finds no room there beside Kubernetes' own pods", []).extend(members)
            continue
        name, labels = _name(kind, members, used_names), _labels(kind, members, usable)
        used_names.add(name)
        pool = _pool(name, machine, labels, members)
        # A cloud may add nodes; machines of one's own are as many as there are.
        pools.append({**pool, "maxNodes": len(members)} if provider is Provider.BARE else pool)
        if not labels:
            command = f"kubectl label node {' '.join(node.name for node in members)} {POOL_LABEL}={name}"
            machine_notes = [*machine_notes, f"no label tells these nodes from others. Run before: {command}"]
        count = counted(len(members), "node")
        notes += [f"{name}: {text}" for text in (f"{count}, {names(members)}.", *machine_notes)]
    notes += [f"Left out: {names(those)}; {reason}." for reason, those in left_out.items()]
    return LivePools(provider, pools, notes)


def _groups(nodes: Sequence[LiveNode], provider: Provider) -> Iterator[tuple[Mapping[str, str], list[LiveNode]]]:
    """Yield the nodes of each kind with the labels that say the kind: pool and machine type, where there are such.

    A cloud's machines of a type are alike; where there is none, k3s gives all nodes one type.
    """
    pool_labels = PROVIDERS[provider].pool_labels
    by_kind: dict[tuple[tuple[str, str], ...], list[LiveNode]] = {}
    for node in nodes:
        pool_label = next((label for label in pool_labels if node.labels.get(label)), None)
        kind = [label for label in (pool_label, INSTANCE_TYPE) if label and node.labels.get(label)]
        by_kind.setdefault(tuple((label, node.labels[label]) for label in kind), []).append(node)
    for labels, members in sorted(by_kind.items()):
        for alike in [members] if labels and provider is not Provider.BARE else _of_one_size(members):
            yield dict(labels), alike


def _of_one_size(nodes: Sequence[LiveNode]) -> Iterator[list[LiveNode]]:
    """Yield nodes with the same CPUs, GPUs and taints, and about the same memory."""
    by_size: dict[Any, list[LiveNode]] = {}
    for node in nodes:
        by_size.setdefault((node.cpus, node.gpus or (), node.taints), []).append(node)
    for _, members in sorted(by_size.items(), key=lambda item: repr(item[0])):
        group: list[LiveNode] = []
        for node in sorted(members, key=lambda node: (node.memory_mib, node.name)):
            if group and node.memory_mib > group[0].memory_mib * _AS_LARGE:
                yield group
                group = []
            group.append(node)
        yield group


def _pool(name: str, machine: dict[str, Any], labels: dict[str, str], members: Sequence[LiveNode]) -> dict[str, Any]:
    """Return a pool of some nodes, as it is written in settings."""
    taints = {(key, effect): value for node in members for key, value, effect in node.taints}
    written = [
        {
            "key": key,
            **({"value": value} if value is not None else {}),
            **({"effect": effect} if effect != "NoSchedule" else {}),
        }
        for (key, effect), value in taints.items()
    ]
    pool = {"name": name, "machine": machine, "nodeLabels": labels or {POOL_LABEL: name}}
    return {**pool, "taints": written} if written else pool


def _labels(kind: Mapping[str, str], members: Sequence[LiveNode], nodes: Sequence[LiveNode]) -> dict[str, str]:
    """Return labels that these nodes have and no other; none if there are no such labels."""
    chosen = dict(kind)
    member_names = {node.name for node in members}
    others = [node for node in nodes if node.name not in member_names and chosen.items() <= node.labels.items()]
    common = dict(set.intersection(*(set(node.labels.items()) for node in members)))
    candidates = [key for key in common if key not in chosen and not _OF_ONE_NODE_OR_PASSING.fullmatch(key)]
    for key in sorted(candidates, key=lambda key: (key != PRODUCT, "/" in key, key)):
        if not others and chosen:
            break
        remaining = [node for node in others if node.labels.get(key) == common[key]]
        if len(remaining) < len(others) or not chosen:
            chosen[key], others = common[key], remaining
    return {} if others else chosen


def _name(kind: Mapping[str, str], members: Sequence[LiveNode], used_names: set[str]) -> str:
    """Return a name that no other pool has: that of the pool in its cloud, or of the machine type."""
    readable = [value for value in kind.values() if not _AN_ID.fullmatch(value)]
    wanted = readable[0] if readable else "gpu" if members[0].gpus else "cpu"
    base = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")[:_LONGEST_NAME].strip("-")
    base = base if base[:1].isalpha() else f"pool-{base}".strip("-")
    choices = [base, *([_with_type(base, kind)] if kind.get(INSTANCE_TYPE, wanted) != wanted else [])]
    numbered = (f"{base}-{number}" for number in range(2, len(used_names) + 3))
    return next(name for name in [*choices, *numbered] if name not in used_names)


def _with_type(base: str, kind: Mapping[str, str]) -> str:
    machine_type = re.sub(r"[^a-z0-9]+", "-", kind[INSTANCE_TYPE].lower()).strip("-")
    return f"{base}-{machine_type}"[: _LONGEST_NAME + 20].strip("-")
