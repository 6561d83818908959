"""Lines of slurm.conf as fields, and what they come to afterwards."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.operator_lines import lines_operator_writes
from pulumi_slurm.model import SlurmConfSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse, with_defaults
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.diff import Difference, compare
from pulumi_slurm.slurmconf.implied import default
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.adopting.refusal import IN_THE_CHART, Refusal, path_of
from pulumi_slurm_cli.importing.fields import PARTITION, as_field, as_text, field_of, partition_fields, weight_of


def read_lines(text: str, series: Series, path: str) -> tuple[Conf, list[Refusal]]:
    """Return what lines of slurm.conf say; ``path`` is where they stand."""
    try:
        return with_defaults(parse(text, File.SLURM, series)), []
    except ConfError as error:
        lines = [(f"{path}, line {line.location.line}", line.issue) for line in error.errors]
        return Conf(File.SLURM), [Refusal(at, issue.problem, f"{issue.fix} {IN_THE_CHART}") for at, issue in lines]


def options(conf: Conf, path: str) -> tuple[dict[str, Any], list[Refusal]]:
    """Return `slurmConf` for the options among lines."""
    fields: dict[str, Any] = {}
    refused = []
    for key, value in conf.options.items():
        if field := field_of(SlurmConfSpec, key):
            fields[field] = as_field(SlurmConfSpec, field, None, key, value)
        elif name := weight_of(key, value):
            fields.setdefault("priorityWeights", {})[name] = value
        elif isinstance(value, tuple) and _repeats(key):
            if len(value) > 1:
                problem = "slurmConf has one line for each key, and this one stands on several"
                refused.append(Refusal(f"{path}: {key}", problem, IN_THE_CHART))
            fields.setdefault("extra", {})[key] = str(value[0])
        else:
            fields.setdefault("extra", {})[key] = as_text(None, key, value)
    for entry in conf.entries:
        if entry.keyword != PARTITION:
            instead = "externalNodes" if entry.keyword == "NodeName" else "nodeSets"
            problem = f"a specification has no such line, but {instead}"
            refused.append(Refusal(f"{path}: {entry.keyword}={entry.name}", problem, IN_THE_CHART))
    return fields, refused


def _repeats(key: str) -> bool:
    catalogue_key = find(File.SLURM, key)
    return catalogue_key is not None and catalogue_key.repeats


def partitions(conf: Conf, node_sets: Mapping[str, str], path: str) -> tuple[list[dict[str, Any]], list[Refusal]]:
    """Return `partitions` for the lines of partitions; ``node_sets`` are names in a specification by those in Slurm."""
    accepted, refused = [], []
    for entry in conf.of(PARTITION):
        at = f"{path}: {PARTITION}={entry.name}"
        nodes = entry.options.get("Nodes", "")
        names = [*nodes] if isinstance(nodes, tuple) else [name for name in str(nodes).split(",") if name]
        unknown = [name for name in names if name not in node_sets and name.upper() != "ALL"]
        if unknown or not names:
            problem = f"{', '.join(unknown) or 'nothing'} is no node set of this release"
            refused.append(Refusal(f"{at} Nodes", problem, IN_THE_CHART))
            continue
        fields = options_of_partition({key: value for key, value in entry.options.items() if key != "Nodes"})
        members = ["ALL"] if "ALL" in map(str.upper, names) else [node_sets[name] for name in names]
        accepted.append({"name": entry.name, "nodeSets": members, **fields})
    return accepted, refused


def options_of_partition(options: Mapping[str, Value]) -> dict[str, Any]:
    """Return the fields of a partition for its options; those that only state a default are left out."""
    fields: dict[str, Any] = {}
    for key, value in options.items():
        if default(PARTITION, key) == value:
            continue
        if of_option := partition_fields(key, value):
            fields |= of_option
        else:
            fields.setdefault("extra", {})[key] = as_text(PARTITION, key, value)
    return fields


def own_partition(name: str, config: str, series: Series, path: str) -> tuple[Entry | None, list[Refusal]]:
    """Return the line of a partition that a NodeSet makes of itself."""
    conf, refused = read_lines(f"{PARTITION}={name} Nodes={name} {config}", series, path)
    return next(iter(conf.of(PARTITION)), None), refused


def changes(spec: SlurmSpec, lines: Conf, own_partitions: list[Entry], series: Series) -> list[Difference]:
    """Return what a specification changes in slurm.conf; ``lines`` and ``own_partitions`` are what it says before."""
    written = parse_options(File.SLURM, lines_operator_writes(spec))
    added = additions(spec)
    old = Conf(File.SLURM, {**written, **lines.options}, (*lines.of(PARTITION), *own_partitions))
    partition_entries = [entry for entry in added.entries if entry.keyword == PARTITION]
    new = Conf(File.SLURM, {**written, **added.options}, (*partition_entries, *_own(spec)))
    return compare(old, new, series)


def _own(spec: SlurmSpec) -> Iterator[Entry]:
    for node_set in spec.node_sets:
        if node_set.partition:
            yield partition_entry(node_set.slurm_name, [node_set.slurm_name], node_set.partition)


def key_values(text: str, title: str, field: str) -> tuple[dict[str, str], list[Refusal]]:
    """Return lines of the form key=value by key, without comments."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    pairs = [line.partition("=") for line in lines if line]
    refused = [
        Refusal(path_of(title, "spec", field), f"{key} is no key and value", IN_THE_CHART)
        for key, equals, _ in pairs
        if not equals
    ]
    return {key.strip(): value.strip() for key, equals, value in pairs if equals}, refused
