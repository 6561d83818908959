"""AckSlurmOperator: Alibaba Cloud's ack-slurm-operator, by its own chart."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm.ack.model.ack_slurm import OperatorChartSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.manifests.objects import merged


class AckSlurmOperatorArgs(Args):
    """Arguments of `AckSlurmOperator`."""

    operator: OperatorChartSpec = OperatorChartSpec()
    """The chart, its version and its values."""
    copilot: bool = False
    """Run the copilot, for colocation."""
    watch_namespace: str = "slurm"
    """The namespace of the Slurm clusters that the copilot looks after; `operator.watchNamespace` wins."""


class AckSlurmOperator(Component[AckSlurmOperatorArgs]):
    """ack-slurm-operator, the CRDs that its chart holds, and the copilot. Slurm clusters depend on it.

    It is a release of Helm's, as from the App Marketplace, because the chart isn't public and may have hooks. Helm
    leaves CRDs from a chart's folder `crds` where they are on removal, and with them all Slurm clusters; whether this
    chart keeps them there isn't known. Not checked on a real ACK cluster: that the chart is in the repository where the
    guide finds ack-slurm-cluster.
    """

    namespace: pulumi.Output[str]
    """The operator's namespace."""
    version: pulumi.Output[str]
    """The chart's version."""

    def __init__(
        self, name: str, args: AckSlurmOperatorArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckSlurmOperatorArgs, args)
        super().__init__(name, args, opts)
        what = args.operator
        derived = {"enableCopilot": args.copilot, "watchNamespace": what.watch_namespace or args.watch_namespace}
        values: dict[str, Any] = merged(derived, what.values)
        namespace = k8s.core.v1.Namespace(
            f"{name}-namespace", metadata={"name": what.namespace}, opts=child_options(self, opts)
        )
        release = k8s.helm.v3.Release(
            f"{name}-operator",
            name="ack-slurm-operator",
            namespace=what.namespace,
            chart=what.chart,
            version=what.version,
            repository_opts={"repo": what.repository} if what.repository else None,
            values=values,
            opts=child_options(self, opts, [namespace]),
        )
        self._last = [release]
        self.namespace = pulumi.Output.from_input(what.namespace)
        self.version = release.version.apply(lambda version: version or "")
        self.finish(*self._last)
