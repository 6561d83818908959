"""Groups of nodes as node sets: machines, GRES, features, and who sets the number of pods."""

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self

from pulumi_slurm.configuration.node_sets import default_weight
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm_cli.importing.conf_file import ConfFile
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.fields import as_text, with_text
from pulumi_slurm_cli.importing.node_groups import OF_ONE_NODE, NodeGroup
from pulumi_slurm_cli.importing.node_names import new_names, node_set_names
from pulumi_slurm_cli.importing.old_cluster import OldCluster

KEYWORD = "NodeName"

PROMETHEUS = "http://prometheus.monitoring:9090"
"""Stands in an autoscaler until the user writes the real address."""

_NOT_FOR_PODS = re.compile(r"\(.*?\)|:no_consume")
"""Sockets of devices, which slurmd finds, and a flag that the specification has no field for."""

_STATES_OF_NODE_SETS = frozenset({"UNKNOWN", "CLOUD", "FUTURE"})
"""States that say nothing about a single node."""

_COUNT = re.compile(r"([0-9]{1,15})([KMGTP]?)", re.IGNORECASE)
_EXPONENTS = MappingProxyType({unit: exponent for exponent, unit in enumerate(["", *"KMGTP"])})

_FIELDS = MappingProxyType({"Features": "features", "Gres": "extraGres", "Weight": "weight"})

_HARDWARE = ("CPUs", "RealMemory", "Gres", "Features", "Weight", "State")


@dataclass(frozen=True, slots=True)
class _Gres:
    """An item of Gres, without what says nothing to a pod: sockets and flags."""

    text: str
    name: str
    type: str
    count: int

    @classmethod
    def of(cls, item: str) -> Self | None:
        """Return what an item says; None when it ends with neither a number nor a type."""
        text = _NOT_FOR_PODS.sub("", item)
        name, *type_and_count = text.split(":")
        count = 1
        if type_and_count and (match := _COUNT.fullmatch(type_and_count[-1])):
            type_and_count.pop()
            count = int(match[1]) * 1024 ** _EXPONENTS[match[2].upper()]
        return cls(text, name, "".join(type_and_count), count) if len(type_and_count) < 2 else None


def add_node_sets(draft: Draft, conf_file: ConfFile, old: OldCluster, groups: list[NodeGroup]) -> dict[str, str]:
    """Put the groups into the draft; return the new name of every node, by the old one, in their order."""
    renamed: dict[str, str] = {}
    draft.cluster["nodeSets"] = []
    for group, (name, prefix) in zip(groups, node_set_names(groups), strict=True):
        location, text = conf_file.location(f"NodeName={group.hosts[0]}"), f"NodeName={group.old_names}"
        if group.options.get("State") == "FUTURE":
            draft.leave_out(location, f"{text} State=FUTURE", "A node set grows by its replicas.")
            continue
        draft.set_origin(("nodeSets", name), location, text)
        draft.cluster["nodeSets"].append(_node_set(draft, conf_file, group, name, prefix))
        renamed |= zip(group.hosts, new_names(group, prefix), strict=True)
    _leave_out_options_of_single_nodes(draft, conf_file)
    _leave_out_second_lines(draft, old)
    scaled = [item["name"] for item in draft.cluster["nodeSets"] if "autoscaling" in item]
    if scaled:
        draft.to_do.append(
            f"KEDA starts and stops the pods of {', '.join(scaled)}. It asks Prometheus: write its address for "
            f"{PROMETHEUS}."
        )
    return renamed


def _node_set(draft: Draft, conf_file: ConfFile, group: NodeGroup, name: str, prefix: str) -> dict[str, Any]:
    options = group.options
    line, entry = f"NodeName={group.hosts[0]}", f"NodeName={group.old_names}"
    for key in _FIELDS.keys() & options.keys():
        draft.set_origin(
            ("nodeSets", name, _FIELDS[key]),
            conf_file.location(line, key),
            f"{entry} {key}={as_text(KEYWORD, key, options[key])}",
        )
    node_set: dict[str, Any] = {"name": name, "machine": _machine(draft, group, name)}
    if prefix != f"{name}-":
        node_set["hostNamePrefix"] = prefix
    if group.padding:
        node_set["ordinalPadding"] = group.padding
    if options.get("State") == "CLOUD":
        node_set["autoscaling"] = _autoscaling(conf_file.conf, len(group.hosts))
    else:
        node_set["replicas"] = len(group.hosts)
    gres: list[_Gres] = []
    for item in _items(options.get("Gres")):
        if parts := _Gres.of(item):
            gres.append(parts)
        else:
            location = conf_file.location(line, "Gres")
            draft.leave_out(location, f"{entry} Gres={item}", "Slurm reads no number at its end.")
    if _NOT_FOR_PODS.search(",".join(_items(options.get("Gres")))):
        text = f"{entry} Gres={as_text(KEYWORD, 'Gres', options['Gres'])}"
        draft.leave_out(
            conf_file.location(line, "Gres"), text, "Name, type and number are carried over; sockets and flags are not."
        )
    gres = _added_up(gres)
    # Of several types, the most frequent one.
    gpus = sorted((item for item in gres if item.name == "gpu" and item.count), key=lambda item: -item.count)
    if gpus:
        gpu_type = {"type": gpus[0].type} if gpus[0].type else {}
        node_set["machine"]["gpus"] = {**gpu_type, "count": gpus[0].count}
    for gpu in gpus[1:]:
        location = conf_file.location(line, "Gres")
        draft.leave_out(location, f"{entry} Gres={gpu.text}", "The GPUs of a machine are all of one type here.")
    node_set["extraGres"] = [item.text for item in gres if item.name != "gpu"]
    node_set["features"] = list(_items(options.get("Features")))
    # Slurm's default, in place of the one that nodes with GPUs have here.
    node_set["weight"] = options.get("Weight", default_weight(gpus=False) if gpus else None)
    node_set["slurmdOptions"] = {key: as_text(KEYWORD, key, options[key]) for key in options if key not in _HARDWARE}
    for key in node_set["slurmdOptions"]:
        text = f"{entry} {key}={as_text(KEYWORD, key, options[key])}"
        draft.set_origin(("nodeSets", name, "slurmdOptions", key), conf_file.location(line, key), text)
    return {field: value for field, value in node_set.items() if value not in (None, [], {})}


def _added_up(items: list[_Gres]) -> list[_Gres]:
    """Return items without two of one name and type: Slurm adds their numbers up.

    Source: _get_gres_cnt in src/interfaces/gres.c of https://github.com/SchedMD/slurm, slurm-26-05-3-1.
    """
    by_kind: dict[tuple[str, str], _Gres] = {}
    for item in items:
        same, kind = by_kind.get((item.name, item.type)), (item.name, item.type)
        total = item.count + (same.count if same else 0)
        text = ":".join([*filter(None, kind), str(total)])
        by_kind[kind] = replace(item, text=text, count=total) if same else item
    return [*by_kind.values()]


def _machine(draft: Draft, group: NodeGroup, name: str) -> dict[str, Any]:
    options = group.options
    cpus, mib = options.get("CPUs", 1), options.get("RealMemory")
    if "CPUs" not in options:
        draft.to_do.append(f"Node set {name}: its lines give no CPUs, for which Slurm takes 1. Write what there is.")
    if not isinstance(mib, int):
        mib = 1024 * cpus if isinstance(cpus, int) else 1024
        draft.to_do.append(
            f"Node set {name}: its lines give no RealMemory; 1 GiB for each CPU is a guess. Write what there is."
        )
    return {"cpus": cpus, "memory": f"{mib // 1024}Gi" if mib % 1024 == 0 else f"{mib}Mi"}


def _autoscaling(conf: Conf, max_replicas: int) -> dict[str, Any]:
    idle = conf.options.get("SuspendTime")
    autoscaling: dict[str, Any] = {"minReplicas": 0, "maxReplicas": max_replicas, "prometheusAddress": PROMETHEUS}
    return {**autoscaling, "cooldownSeconds": idle} if isinstance(idle, int) and idle >= 0 else autoscaling


def _leave_out_options_of_single_nodes(draft: Draft, conf_file: ConfFile) -> None:
    for entry in conf_file.conf.of("NodeName"):
        assert entry.location
        line = f"NodeName={entry.name}"
        for key in sorted(OF_ONE_NODE - {"Reason"} & entry.options.keys()):
            text = f"{line} {key}={as_text(KEYWORD, key, entry.options[key])}"
            draft.leave_out(entry.location, text, "Pods have addresses, host names and ports of their own.")
        state_and_reason = {key: value for key, value in entry.options.items() if key in ("State", "Reason")}
        if state_and_reason.get("State") in _STATES_OF_NODE_SETS:
            del state_and_reason["State"]
        if state_and_reason:
            text = f"{line} {with_text(KEYWORD, state_and_reason)}"
            draft.leave_out(entry.location, text, "States of single nodes are set with scontrol.")


def _leave_out_second_lines(draft: Draft, old: OldCluster) -> None:
    earlier: set[str] = set()
    for line in old.node_lines:
        if again := earlier.intersection(line.hosts):
            assert line.entry.location
            reason = "An earlier line is about the same nodes, with which slurmctld wouldn't start: that one is kept."
            draft.leave_out(line.entry.location, f"NodeName={hostlist.compress(again)}", reason)
        earlier.update(line.hosts)


def _items(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else tuple(filter(None, str(value or "").split(",")))
