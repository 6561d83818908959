"""Groups of nodes as node sets: machines, GRES, features, and who sets the number of pods."""

import re
from collections.abc import Mapping
from typing import Any

from pulumi_slurm.importing.draft import Draft
from pulumi_slurm.importing.fields import as_text, with_text
from pulumi_slurm.importing.lenient import Read
from pulumi_slurm.importing.node_groups import OF_ONE_NODE, NodeGroup
from pulumi_slurm.importing.node_names import new_names, node_set_names
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.values import Value

KIND = "NodeName"

PROMETHEUS = "http://prometheus.monitoring:9090"
"""Stands in an autoscaler until the user writes the real address."""

_NOT_FOR_PODS = re.compile(r"\(.*?\)|:no_consume")
"""Sockets of devices, which slurmd finds, and a flag that the specification has no field for."""

_STATES_OF_KINDS = {"UNKNOWN", "CLOUD", "FUTURE"}
"""States that say nothing of a single node."""

_FIELDS = {"Features": "features", "Gres": "extraGres", "Weight": "weight"}

_HARDWARE = ("CPUs", "RealMemory", "Gres", "Features", "Weight", "State")


def add_node_sets(draft: Draft, read: Read, groups: list[NodeGroup]) -> dict[str, str]:
    """Put the groups into the draft; return the new name of every node, by the old one, in their order."""
    renamed: dict[str, str] = {}
    draft.cluster["nodeSets"] = []
    for group, (name, prefix) in zip(groups, node_set_names(groups), strict=True):
        old = hostlist.compress(group.hosts)
        location = read.location(f"NodeName={group.hosts[0]}")
        if group.options.get("State") == "FUTURE":
            draft.leave_out(location, f"NodeName={old} State=FUTURE", "A node set grows by its replicas.")
            continue
        draft.came_from(("nodeSets", name), location, f"NodeName={old}")
        draft.cluster["nodeSets"].append(_node_set(draft, read, group, name, prefix))
        renamed |= zip(group.hosts, new_names(group, prefix), strict=True)
    _leave_out_what_is_of_one_node(draft, read)
    scaled = [item["name"] for item in draft.cluster["nodeSets"] if "autoscaling" in item]
    if scaled:
        draft.to_do.append(
            f"KEDA starts and stops the pods of {', '.join(scaled)}. It asks Prometheus: write its address for "
            f"{PROMETHEUS}."
        )
    return renamed


def _node_set(draft: Draft, read: Read, group: NodeGroup, name: str, prefix: str) -> dict[str, Any]:
    options = group.options
    line, shown = f"NodeName={group.hosts[0]}", f"NodeName={hostlist.compress(group.hosts)}"
    for key in _FIELDS.keys() & options.keys():
        draft.came_from(
            ("nodeSets", name, _FIELDS[key]),
            read.location(line, key),
            f"{shown} {key}={as_text(KIND, key, options[key])}",
        )
    made: dict[str, Any] = {"name": name, "machine": _machine(draft, group, name)}
    if prefix != f"{name}-":
        made["hostNamePrefix"] = prefix
    if group.padding:
        made["ordinalPadding"] = group.padding
    if options.get("State") == "CLOUD":
        made["autoscaling"] = _autoscaling(read.conf, len(group.hosts))
    else:
        made["replicas"] = len(group.hosts)
    gres = _gres(options)
    if _NOT_FOR_PODS.search(",".join(_items(options.get("Gres")))):
        text = f"{shown} Gres={as_text(KIND, 'Gres', options['Gres'])}"
        draft.leave_out(
            read.location(line, "Gres"), text, "Name, type and number are carried over; sockets and flags are not."
        )
    gpus = [item for item in gres if item[0] == "gpu" and item[2] != "0"]
    if gpus:
        _, kind, count = gpus[0]
        made["machine"]["gpus"] = {**({"type": kind} if kind else {}), "count": _number(count)}
    for _, kind, count in gpus[1:]:
        where = read.location(line, "Gres")
        draft.leave_out(where, f"{shown} Gres=gpu:{kind}:{count}", "The GPUs of a machine are all of one type here.")
    made["extraGres"] = [":".join(filter(None, item)) for item in gres if item[0] != "gpu"]
    made["features"] = list(_items(options.get("Features")))
    made["weight"] = options.get("Weight")
    made["slurmdOptions"] = {key: as_text(KIND, key, options[key]) for key in options if key not in _HARDWARE}
    for key in made["slurmdOptions"]:
        text = f"{shown} {key}={as_text(KIND, key, options[key])}"
        draft.came_from(("nodeSets", name, "slurmdOptions", key), read.location(line, key), text)
    return {field: value for field, value in made.items() if value not in (None, [], {})}


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


def _autoscaling(conf: Conf, most: int) -> dict[str, Any]:
    idle = conf.options.get("SuspendTime")
    made: dict[str, Any] = {"minReplicas": 0, "maxReplicas": most, "prometheusAddress": PROMETHEUS}
    return {**made, "cooldownSeconds": idle} if isinstance(idle, int) and idle >= 0 else made


def _gres(options: Mapping[str, Value]) -> list[tuple[str, str, str]]:
    """Return name, type and count of each item of Gres; sockets and flags say nothing to a pod."""
    found = []
    for item in _items(options.get("Gres")):
        name, *rest = _NOT_FOR_PODS.sub("", item).split(":")
        count = rest.pop() if rest and re.fullmatch(r"[0-9]+[KMGTPkmgtp]?", rest[-1]) else "1"
        found.append((name, rest[0] if rest else "", count))
    return found


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _leave_out_what_is_of_one_node(draft: Draft, read: Read) -> None:
    for entry in read.conf.of("NodeName"):
        line = f"NodeName={entry.name}"
        first = f"NodeName={hostlist.expand(entry.name)[0]}"
        for key in sorted(OF_ONE_NODE - {"Reason"} & entry.options.keys()):
            text = f"{line} {key}={as_text(KIND, key, entry.options[key])}"
            draft.leave_out(read.location(first, key), text, "Pods have addresses, host names and ports of their own.")
        said = {key: value for key, value in entry.options.items() if key in ("State", "Reason")}
        if said.get("State") in _STATES_OF_KINDS:
            del said["State"]
        if said:
            text = f"{line} {with_text(KIND, said)}"
            draft.leave_out(read.location(first, *said), text, "States of single nodes are set with scontrol.")


def _items(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else tuple(filter(None, str(value or "").split(",")))
