"""The lines that we add to the operator's slurm.conf: options, then partitions of node sets."""

from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.model import PartitionSpec, SlurmSpec
from pulumi_slurm.model.cluster_volumes import HEALTH_CHECK_FOLDER
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.rules.operator_lines import OptionTexts, lines_operator_omits
from pulumi_slurm.rules.slurm_conf_lines import option_texts
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf

HEALTH_CHECK_SECONDS = 300
"""Slurm's own default, 0, runs no check."""


def additions(spec: SlurmSpec) -> Conf:
    """Return the lines to append to the operator's slurm.conf; Slurm uses the last value of a key."""
    entries = tuple(partition_entry(p.name, _node_sets(spec, p), p) for p in spec.partitions)
    texts = {**lines_operator_omits(spec), **_health_check(spec), **option_texts(spec)}
    return Conf(File.SLURM, parse_options(File.SLURM, texts), entries)


def _health_check(spec: SlurmSpec) -> OptionTexts:
    paths = [f"{HEALTH_CHECK_FOLDER}/{name}" for name in spec.hooks.health_check]
    return {"HealthCheckProgram": paths[0], "HealthCheckInterval": HEALTH_CHECK_SECONDS} if paths else {}


def _node_sets(spec: SlurmSpec, partition: PartitionSpec) -> list[str]:
    names = {node_set.name: node_set.slurm_name for node_set in spec.node_sets}
    return [name if name == ALL_NODE_SETS else names[name] for name in partition.node_sets]
