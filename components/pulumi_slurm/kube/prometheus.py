"""Prometheus: a small one that scrapes slurmctld, for the autoscalers of node sets."""

from typing import Any, Unpack, overload

import pulumi

from pulumi_slurm.dicts import PrometheusArgsDict
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests import prometheus as manifests
from pulumi_slurm.manifests.objects import ClusterRef, by_kind
from pulumi_slurm.model import PrometheusSpec


class PrometheusArgs(Args):
    """Arguments of `Prometheus`."""

    cluster: ClusterRef
    """The cluster whose slurmctld it scrapes."""
    prometheus: PrometheusSpec = PrometheusSpec()
    """Its image, interval and resources."""


class Prometheus(Component[PrometheusArgs]):
    """A Prometheus with one replica and without a volume, which keeps two hours of slurmctld's metrics.

    Example::

        Prometheus("hpc-metrics", {"cluster": {"name": "hpc"}})
    """

    address: pulumi.Output[str]
    """Where it is found from inside the Kubernetes cluster."""

    @overload
    def __init__(self, resource_name: str, args: PrometheusArgs | PrometheusArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[PrometheusArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster = self._args.cluster
        objects = self.create_in_turn(by_kind("", manifests.prometheus(cluster, self._args.prometheus)))
        self.address = pulumi.Output.from_input(manifests.prometheus_address(cluster))
        self.finish(*objects[-1:])
