"""What a stack's settings come to as files of text, of which two sets can be compared by ``diff -r``.

Nothing in them differs unless something in a cluster does: no secrets, hashes, or order of registration.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.manifests.objects import BELONGS_TO
from pulumi_slurm.manifests.yaml_text import yaml_text
from pulumi_slurm_cli.checking.check import Level, finding
from pulumi_slurm_cli.checking.reports import Format, report
from pulumi_slurm_cli.offline.recorded_file import record_file
from pulumi_slurm_cli.offline.recording import RecordedResource, Recording

Files = dict[str, str]
"""Texts by path, sorted."""

NOT_KNOWN = "[unknown]"
"""What stands in place of a value that only a run knows."""
_KUBERNETES = "kubernetes:"
_SECRET, _CONFIG_MAP = "kubernetes:core/v1:Secret", "kubernetes:core/v1:ConfigMap"
_NO_RESOURCES = ("slurm:", "pulumi:")
"""Components, and providers."""


@dataclass(frozen=True)
class Rendering:
    """The files of a stack, and what there is to say of them."""

    files: Files
    notes: list[str]
    """Lines: warnings of the settings, and what no cloud was asked."""


def render(text: str, name: str) -> Rendering:
    """Return the files of a stack's file with a text; messages show its name.

    Raises:
        UnreadableFileError: with all that `pulumi-slurm check` refuses, or what only a run of the stack can know.
    """
    file, recording = record_file(text, name)
    warnings = [finding(file, name, Level.WARNING, one) for one in recording.judgement.warnings]
    notes = [report([one], Format.TEXT) for one in warnings]
    if asked := sorted({question.token.rpartition(":")[2] for question in recording.not_looked_up}):
        notes.append(f"{name}: what the cloud says is {NOT_KNOWN} here: {', '.join(asked)}")
    if pools := ", ".join(recording.unread_pools):
        notes.append(f"{name}: CPUs, memory and GPUs on {pools} aren't those of a run, which looks these pools up")
    return Rendering(files_of(recording), notes)


def files_of(recording: Recording) -> Files:
    """Return the Kubernetes objects, the files of Slurm, and the resources of a cloud, with a table of these.

    Secrets are left out, and what only a run knows is `NOT_KNOWN`.
    """
    config = recording.judgement.config
    assert config is not None
    objects = [one for one in recording.resources if one.type.startswith(_KUBERNETES) and one.type != _SECRET]
    cloud = [one for one in recording.resources if not one.type.startswith((_KUBERNETES, *_NO_RESOURCES))]
    files = {f"objects/{name}": text for name, text in _objects(objects, config.slurm_namespace).items()}
    files |= {f"slurm/{name}": text for name, text in config.slurm_files().items()}
    if cloud:
        files |= {f"cloud/{name}": text for name, text in _resources(cloud).items()} | {"cloud.md": _table(cloud)}
    return dict(sorted(files.items()))


def _objects(resources: Iterable[RecordedResource], namespace: str) -> Files:
    """Return a file for each object, called after kind and name, and after its namespace unless that is Slurm's.

    What is no object, such as a release of a chart, is called after its resource.
    """
    objects = [(resource, _without_noise(_shown(resource.inputs))) for resource in resources]
    files = [_name(item) for resource, item in objects if resource.type == _CONFIG_MAP]
    hashed = {name: _HASH.sub(_HASHED, name) for name in files}
    texts: list[tuple[str, str]] = []
    for resource, original in objects:
        item = _with_names(original, hashed)
        of = item.get("metadata", {}).get("namespace", namespace)
        name = f"{resource.type.rpartition(':')[2].lower()}-{_name(item) or resource.name}.yaml"
        texts.append((name if of == namespace else f"{of}.{name}", yaml_text(item)))
    return _under_names(texts)


def _resources(resources: Iterable[RecordedResource]) -> Files:
    """Return a file for each resource, called after its module, type and name."""
    return _under_names((f"{_short(one.type)}-{one.name}.yaml", yaml_text(_shown(one.inputs))) for one in resources)


def _under_names(texts: Iterable[tuple[str, str]]) -> Files:
    """Return texts by name, of which the second of a name gets a number."""
    files: Files = {}
    for name, text in texts:
        file = name.replace("/", "_")
        free = (file if number == 1 else f"{file}.{number}" for number in count(1))
        files[next(one for one in free if one not in files)] = text
    return files


def _table(resources: Iterable[RecordedResource]) -> str:
    rows = [(_short(one.type), one.name, "; ".join(_important(_shown(one.inputs)))) for one in resources]
    lines = ["| Resource | Name | What it has |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {' | '.join(map(_cell, row))} |" for row in sorted(rows))]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _important(value: Any, at: str = "") -> Iterator[str]:
    """Yield the few of a resource's arguments that a reviewer looks for, by their paths."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _important(value[key], f"{at}.{key}" if at else key)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            yield from _important(item, f"{at}[{index}]")
    elif at.rpartition(".")[2] in _IMPORTANT:
        shown = value if isinstance(value, str) else json.dumps(value)
        yield f"{at} = {', '.join(map(str, value)) if isinstance(value, list) else shown}"


_IMPORTANT = frozenset(
    {
        *("machineType", "instanceType", "instanceTypes", "type", "count", "spot", "spotStrategy", "flexStart"),
        *("nodeCount", "initialNodeCount", "minNodeCount", "maxNodeCount", "totalMinNodeCount", "totalMaxNodeCount"),
        *("desiredSize", "minSize", "maxSize", "location", "nodeLocations", "zone", "zones", "zoneId"),
        *("diskSize", "diskSizeGb", "diskType", "systemDiskSize", "systemDiskCategory", "capacity", "capacityGb"),
        *("capacityGib", "dbInstanceStorage", "tier", "edition", "category", "clusterSpec", "fileSystemType"),
        *("version", "minMasterVersion", "databaseVersion", "engineVersion", "channel", "bandwidth"),
        *("ipCidrRange", "cidrBlock", "masterIpv4CidrBlock", "deletionProtection", "deletionProtectionEnabled"),
        *("member", "role", "service"),
    }
)
"""Names of what things are, how many, how large, where, of which release, and who may do what."""


def _short(token: str) -> str:
    """Return "container.NodePool" of "sdk:container/nodePool:NodePool"."""
    _, module, kind = token.split(":")
    return f"{module.partition('/')[0]}.{kind}"


def _shown(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _shown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return NOT_KNOWN if value == UNKNOWN else value


def _name(item: Mapping[str, Any]) -> str:
    name = item.get("metadata", {}).get("name")
    return name if isinstance(name, str) and name != NOT_KNOWN else ""


_HASH = re.compile(r"(?<![0-9a-z])[0-9a-f]{8}\Z")
_HASHED = "hash"
_OURS, _PULUMIS = "slurm.pulumi.com/", "pulumi.com/"


def _without_noise(item: Any) -> Any:
    """Return an object without annotations for Pulumi's provider, its stack, and hashes of what stands elsewhere."""
    if isinstance(item, dict):
        kept = {key: _without_noise(value) for key, value in item.items()}
        if isinstance(annotations := kept.get("annotations"), dict):
            kept["annotations"] = {
                key: _HASH.sub(_HASHED, value) if key.startswith(_OURS) and isinstance(value, str) else value
                for key, value in annotations.items()
                if not key.startswith(_PULUMIS) and key != BELONGS_TO
            }
            if not kept["annotations"] and annotations:
                del kept["annotations"]
        return kept
    return [_without_noise(value) for value in item] if isinstance(item, list) else item


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with other names in place of some."""
    if isinstance(value, dict):
        return {key: _with_names(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_names(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value
