"""AckSlurmOperator: Alibaba Cloud's ack-slurm-operator, installed by its chart."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm.ack_slurm.dicts import AckSlurmOperatorArgsDict
from pulumi_slurm.ack_slurm.model.options import OperatorChartSpec
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.namespace import create_namespace
from pulumi_slurm.manifests.objects import merged

_INSTEAD = "Where it is yours, write createNamespace: false."


class AckSlurmOperatorArgs(Args):
    """Arguments of `AckSlurmOperator`."""

    operator: OperatorChartSpec = OperatorChartSpec()
    """The chart, its version and its values."""
    install_copilot: bool = False
    """Run the copilot, for colocation."""
    watch_namespace: str = "slurm"
    """The namespace of the Slurm clusters that the copilot manages; `operator.watchNamespace` takes precedence."""
    create_namespace: bool = True
    """Create the operator's namespace. Write False if it exists, for example with Secrets of yours."""


class AckSlurmOperator(Component[AckSlurmOperatorArgs]):
    """ack-slurm-operator, the CRDs in its chart, and the copilot. Slurm clusters depend on it.

    It is a Helm release, as from the App Marketplace, because the chart isn't public and may have hooks. When a release
    is removed, Helm keeps CRDs from the chart's folder `crds` and with them all Slurm clusters; other CRDs would be
    deleted with all clusters.

    Example::

        operator = AckSlurmOperator("operator", {"watch_namespace": "slurm"})
        AckSlurmCluster("hpc", args, pulumi.ResourceOptions(depends_on=[operator]))
    """

    namespace: pulumi.Output[str]
    """The operator's namespace."""
    version: pulumi.Output[str]
    """The chart's version."""

    @overload
    def __init__(
        self, resource_name: str, args: AckSlurmOperatorArgs | AckSlurmOperatorArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckSlurmOperatorArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args, chart = self._args, self._args.operator
        derived = {
            "enableCopilot": args.install_copilot,
            "watchNamespace": chart.watch_namespace or args.watch_namespace,
        }
        values: dict[str, Any] = merged(derived, chart.values)
        namespace = (
            [create_namespace(f"{self._name}-namespace", chart.namespace, self.child(), instead=_INSTEAD)]
            if args.create_namespace
            else []
        )
        release = k8s.helm.v3.Release(
            f"{self._name}-operator",
            name="ack-slurm-operator",
            namespace=chart.namespace,
            chart=chart.chart,
            version=chart.version,
            repository_opts={"repo": chart.repository} if chart.repository else None,
            values=values,
            opts=self.child(*namespace),
        )
        self.namespace = pulumi.Output.from_input(chart.namespace)
        self.version = release.version.apply(lambda version: version or "")
        self.finish(release)
