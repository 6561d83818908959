"""Keda: KEDA, which sets the replicas of node sets from zero to as many as their jobs need."""

from typing import Any, Unpack, overload

import pulumi

from pulumi_slurm.dicts import KedaArgsDict
from pulumi_slurm.kube.charts import helm_chart
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.namespace import create_namespace
from pulumi_slurm.model.operator_settings import KedaSettings

_INSTEAD = "Where KEDA runs already, leave this out."


class KedaArgs(KedaSettings, Args):
    """Arguments of `Keda`."""

    values: dict[str, pulumi.Input[Any]] = {}
    """Further values of the chart, such as images of a mirror."""


class Keda(Component[KedaArgs]):
    """KEDA, installed once per Kubernetes cluster by its own chart, with its CRDs.

    Slurm clusters that it scales depend on it: KEDA takes its finalizer off a ScaledObject, and without KEDA that would
    never be deleted.

    Example::

        keda = Keda("keda", {}, pulumi.ResourceOptions(provider=provider))
        SlurmCluster("hpc", args, pulumi.ResourceOptions(provider=provider, depends_on=[keda]))
    """

    namespace: pulumi.Output[str]
    """KEDA's namespace."""

    @overload
    def __init__(self, resource_name: str, args: KedaArgs | KedaArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[KedaArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        namespace = create_namespace(f"{self._name}-namespace", args.namespace, self.child(), instead=_INSTEAD)
        chart = helm_chart(
            f"{self._name}-chart",
            self.child(namespace),
            release="keda",
            namespace=args.namespace,
            chart=args.chart,
            version=args.version,
            values=args.values,
        )
        self.namespace = pulumi.Output.from_input(args.namespace)
        self.finish(chart)
