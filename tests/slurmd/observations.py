"""Ways to see how slurmctld took a line."""

from collections.abc import Callable

from tests.slurmd.cluster import Cluster
from tests.slurmd.shown import shown_config, shown_partitions

Seen = Callable[[Cluster], bool]


def has(key: str, value: str) -> Seen:
    """See a value in `scontrol show config`."""
    return lambda cluster: shown_config(cluster.controller.host).get(key.lower()) == value


def partition_has(option: str, *values: str, name: str = "p") -> Seen:
    """See one of these values in `scontrol show partition`."""
    return lambda cluster: shown_partitions(cluster.controller.host)[name].get(option) in values


def logged(words: str) -> Seen:
    """See words in slurmctld's log."""
    return lambda cluster: cluster.controller.daemon is not None and words in cluster.controller.daemon.log


def either(one: Seen, other: Seen) -> Seen:
    """See one of two things, of which each release shows one."""
    return lambda cluster: one(cluster) or other(cluster)


def no_partition(cluster: Cluster) -> bool:
    """See that there is no partition at all."""
    return not shown_partitions(cluster.controller.host)
