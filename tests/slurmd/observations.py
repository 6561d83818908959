"""Observations of how slurmctld took a line."""

from collections.abc import Callable

from tests.slurmd.cluster import Cluster
from tests.slurmd.scontrol import show_config, show_partitions

Observation = Callable[[Cluster], bool]


def has(key: str, value: str) -> Observation:
    """See a value in `scontrol show config`."""
    return lambda cluster: show_config(cluster.controller.host).get(key.lower()) == value


def partition_has(option: str, *values: str, name: str = "p") -> Observation:
    """See one of these values in `scontrol show partition`."""
    return lambda cluster: show_partitions(cluster.controller.host)[name].get(option) in values


def logged(words: str) -> Observation:
    """See words in slurmctld's log."""
    return lambda cluster: cluster.controller.daemon is not None and words in cluster.controller.daemon.log


def either(first: Observation, second: Observation) -> Observation:
    """See one of two things, of which each release shows one."""
    return lambda cluster: first(cluster) or second(cluster)


def no_partition(cluster: Cluster) -> bool:
    """See that there is no partition at all."""
    return not show_partitions(cluster.controller.host)
