"""A small Prometheus that scrapes slurmctld, for the autoscalers of node sets."""

from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.prometheus import prometheus
from pulumi_slurm.model import PrometheusSpec


class PrometheusPart(Part):
    """A small Prometheus."""

    prometheus: PrometheusSpec = PrometheusSpec()
    """Its image, interval and placement."""

    def manifests(self) -> Manifests:
        """Return its objects."""
        return by_kind("", prometheus(self.cluster, self.prometheus))
