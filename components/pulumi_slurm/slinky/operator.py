"""SlinkyOperator: cert-manager, the CRDs, the operator and its webhook.

Installed once per Kubernetes cluster, by Slinky's and cert-manager's own charts. The CRDs have a chart of their own:
deleting a CRD deletes every Slurm cluster made of it, so they stay when the operator goes.
"""

from dataclasses import replace
from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import field_validator, model_validator

from pulumi_slurm.dicts import SlinkyOperatorArgsDict
from pulumi_slurm.errors import FieldError, Severity, raise_errors
from pulumi_slurm.kube.charts import helm_chart
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.namespace import OPERATOR_LABELS, create_namespace
from pulumi_slurm.manifests.objects import merged
from pulumi_slurm.model.operator_settings import SlinkyOperatorSettings
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR, next_release_without, operator_version
from pulumi_slurm.rules.operator import operator_release_is_listed, unlisted_release
from pulumi_slurm.rules.run import code_of

_INSTEAD = "Where slurm-operator runs already, leave this out; in a stack's file write operator: {preinstalled: true}."
_INSTEAD_OF_CERT_MANAGER = "Where cert-manager runs already, write installCertManager: false."


class SlinkyOperatorArgs(SlinkyOperatorSettings, Args):
    """Arguments of `SlinkyOperator`."""

    version: str = DEFAULT_OPERATOR
    """The release of slurm-operator. A patch release that is not known here is installed with a warning."""
    values: dict[str, pulumi.Input[Any]] = {}
    """Further values of the operator's chart, such as images of a mirror."""
    cert_manager_values: dict[str, pulumi.Input[Any]] = {}
    """Further values of cert-manager's chart, such as images of a mirror."""

    @field_validator("version")
    @classmethod
    def _version_is_known(cls, value: str) -> str:
        return operator_version(value).version

    @model_validator(mode="after")
    def _version_is_listed(self) -> Self:
        operator = operator_version(self.version)
        if not operator.is_listed:
            raise_errors([replace(unlisted_release("version", operator), code=code_of(operator_release_is_listed))])
        defect = OperatorDefect.WEBHOOK_STOPS_SCHEDULING
        if defect in operator.defects:
            fix = f'Write "{next_release_without(defect, operator)}".'
            raise_errors([FieldError(("version",), self.version, defect.value, fix, severity=Severity.WARNING)])
        return self


class SlinkyOperator(Component[SlinkyOperatorArgs]):
    """slurm-operator and what it needs. Slurm clusters depend on it, so that they go before it does.

    Example::

        operator = SlinkyOperator("slinky", {"version": "1.1.3"}, pulumi.ResourceOptions(provider=provider))
        SlurmCluster("hpc", args, pulumi.ResourceOptions(provider=provider, depends_on=[operator]))
    """

    version: pulumi.Output[str]
    """The release that is installed."""
    namespace: pulumi.Output[str]
    """The operator's namespace."""

    @overload
    def __init__(
        self, resource_name: str, args: SlinkyOperatorArgs | SlinkyOperatorArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[SlinkyOperatorArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        before: list[pulumi.Resource] = []
        if args.install_cert_manager:
            before.append(self._cert_manager(args))
        if args.install_crds:
            before.append(self._crds(args))
        namespace = create_namespace(
            f"{self._name}-namespace", args.namespace, self.child(), OPERATOR_LABELS, instead=_INSTEAD
        )
        values: dict[str, Any] = {
            # cert-manager keeps one certificate; the chart alone would make a new one whenever it is rendered.
            "certManager": {"enabled": True},
            "crds": {"enabled": False},
            "webhook": {"replicas": args.webhook_replicas},
        }
        operator = helm_chart(
            f"{self._name}-operator",
            self.child(*before, namespace),
            release="slurm-operator",
            namespace=args.namespace,
            chart=args.operator_chart,
            version=args.version,
            values=merged(values, args.values),
        )
        self.version = pulumi.Output.from_input(args.version)
        self.namespace = pulumi.Output.from_input(args.namespace)
        self.finish(operator)

    def _cert_manager(self, args: SlinkyOperatorArgs) -> pulumi.Resource:
        namespace = create_namespace(
            f"{self._name}-cert-manager-namespace", "cert-manager", self.child(), instead=_INSTEAD_OF_CERT_MANAGER
        )
        return helm_chart(
            f"{self._name}-cert-manager",
            self.child(namespace),
            release="cert-manager",
            namespace="cert-manager",
            chart=args.cert_manager_chart,
            version=args.cert_manager_version,
            values=merged({"crds": {"enabled": True}}, args.cert_manager_values),
        )

    def _crds(self, args: SlinkyOperatorArgs) -> pulumi.Resource:
        return helm_chart(
            f"{self._name}-crds",
            self.child(retain_on_delete=args.retain_crds),
            release="slurm-operator-crds",
            chart=args.crds_chart,
            version=args.version,
        )
