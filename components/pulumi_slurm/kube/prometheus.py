"""Prometheus: a small one that scrapes slurmctld, for the autoscalers of node sets."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests import prometheus as manifests
from pulumi_slurm.manifests.parts.prometheus import PrometheusPart


class PrometheusArgs(PrometheusPart, Args):
    """Arguments of `Prometheus`."""


class Prometheus(Component[PrometheusArgs]):
    """A Prometheus with one replica and without a volume, which keeps two hours of slurmctld's metrics."""

    address: pulumi.Output[str]
    """Where it is found from inside the Kubernetes cluster."""

    def __init__(self, resource_name: str, args: PrometheusArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster = self._args.cluster
        objects = self.create_in_turn(self._args.manifests())
        self.address = pulumi.Output.from_input(manifests.prometheus_address(cluster))
        self.finish(*objects[-1:])
