"""The base of the components of a whole Slurm cluster on a cloud."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Self, TypeVar, cast

import pulumi
from pydantic import field_validator, model_validator
from pydantic.alias_generators import to_snake

from pulumi_slurm.clouds.cloud import ROOT_KEY, CloudSpec
from pulumi_slurm.clouds.on_cloud import OnCloud, default_name
from pulumi_slurm.errors import FieldError, SpecError, field_errors, raise_errors
from pulumi_slurm.kube import Keda, KedaArgs
from pulumi_slurm.kube.component import (
    Args,
    Component,
    Options,
    SpecRunError,
    after_all,
    are_checked,
    checked_before,
    parse_args,
)
from pulumi_slurm.kube.namespace import create_cluster_namespace, outlives_the_cluster
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_outputs import SlurmOutputs
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.operator_settings import SlinkyOperatorSettings
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.slinky.cluster import SlurmCluster, SlurmClusterArgs
from pulumi_slurm.slinky.operator import SlinkyOperator, SlinkyOperatorArgs


class CloudSlurmArgs(OnCloud, Args):
    """The base of the arguments: both clusters as in a stack's file, and secrets."""

    root_key: pulumi.Input[str] | None = None
    """The root key that keys are derived from; the stack secret `slurm:rootKey` by default."""
    ldap_bind_password: pulumi.Input[str] | None = None
    """The password of `cluster.identity.ldap.bindDn`; the stack secret `slurm:ldapBindPassword` by default."""

    _root_key = field_validator("root_key")(check_root_key)

    @model_validator(mode="before")
    @classmethod
    def _has_the_name_of_the_slurm_cluster(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        cloud_spec, slurm = data.get(cls._cloud.key), data.get("cluster")
        slurm_name = slurm.get("name") if isinstance(slurm, dict) else None
        if isinstance(slurm, SlurmSpec):
            slurm_name = slurm.name
        try:
            name = default_name(cls._cloud, slurm_name) if isinstance(slurm_name, str) else None
        except SpecError as error:
            raise field_errors(error.errors) from None
        if isinstance(cloud_spec, dict):
            return {**data, cls._cloud.key: {"name": name, **cloud_spec}}
        if isinstance(cloud_spec, CloudSpec):
            return {**data, cls._cloud.key: with_fields(cloud_spec, name=cloud_spec.name or name)}
        return data

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        if not are_checked():
            raise_errors(self.errors())
        return self


A = TypeVar("A", bound=CloudSlurmArgs)


def with_secrets(args: A) -> A:
    """Return arguments with the stack's secrets in place of those that are missing.

    Raises:
        SpecRunError: with each that is missing, or that is known and can't be used.
    """
    stack = pulumi.Config("slurm")
    needed = {"rootKey": ROOT_KEY, **args.needed_secrets()}
    errors = []
    for key, need in needed.items():
        passed = getattr(args, to_snake(key))
        value = stack.get(key) if passed is None else passed
        # An Output is looked at where it is used, once it is known.
        if isinstance(value, str | None) and (issue := need.issue(key, value)):
            fix = issue.fix if value else f"Pass it, or set it for the stack: {need.command(key)}"
            errors.append(FieldError((key,), FieldError.ABSENT, issue.problem, fix))
    if errors:
        raise SpecRunError(errors, type(args).__name__)
    of_stack = {to_snake(key): stack.get_secret(key) for key in needed if getattr(args, to_snake(key)) is None}
    # `root_key` takes the stack's by itself.
    of_stack.pop("root_key", None)
    return args.model_copy(update=of_stack)


class CloudSlurm(SlurmOutputs, Component[A], Generic[A]):
    """The base: what is on the Kubernetes cluster, and the outputs that all clouds have."""

    kubernetes_cluster: pulumi.Output[str]
    """The name of the Kubernetes cluster."""
    kubeconfig: pulumi.Output[str]
    """A kubeconfig for it. It is a secret."""
    rest_url: pulumi.Output[str | None]
    """Where slurmrestd is found from inside the Kubernetes cluster; None without slurmrestd."""

    def __init__(
        self, resource_name: str, args: A | Mapping[str, Any] | None, opts: Options, fields: Mapping[str, Any]
    ) -> None:
        parsed = with_secrets(cast(A, parse_args(self._args_model, args, fields)))
        key = parsed.cloud().key
        # The Slurm part shows its specification itself.
        shown = parsed.model_dump(mode="json", by_alias=True, exclude_defaults=True, include={key})
        super().__init__(resource_name, parsed, opts, inputs=shown)
        self._root_key = root_key(self._args.root_key)
        self._provider_of_objects: pulumi.ProviderResource
        self._beside: list[pulumi.Resource] = []
        """What comes before nothing in it, and yet before what comes after it."""
        with checked_before():
            self._slurm = self._build()
        self.finish(self._slurm, *self._beside)

    @property
    def provider(self) -> pulumi.ProviderResource:
        """The provider for what else is to run on the Kubernetes cluster."""
        return self._provider_of_objects

    @property
    def slurm(self) -> Any:
        """The Slurm cluster in it."""
        return self._slurm

    def _build(self) -> Any:
        """Create all of it, and set the outputs; return the Slurm cluster."""
        raise NotImplementedError

    def _slinky_operator(self, clusters: OnCloud, after: Sequence[pulumi.Resource]) -> list[pulumi.Resource]:
        """Install slurm-operator unless it is there already; return what has to come before the Slurm cluster."""
        if clusters.operator.preinstalled:
            return []
        settings = {name: getattr(clusters.operator, name) for name in SlinkyOperatorSettings.model_fields}
        args = SlinkyOperatorArgs(version=clusters.slurm.operator_version, **settings)
        return after_all(SlinkyOperator(f"{self._name}-slinky", args, self.child(*after, provider=self.provider)))

    def _keda(self, clusters: OnCloud, after: Sequence[pulumi.Resource]) -> list[pulumi.Resource]:
        """Install KEDA where that is wanted; return what has to come before the Slurm cluster."""
        if clusters.keda is None:
            return []
        args = KedaArgs(**dict(clusters.keda))
        return after_all(Keda(f"{self._name}-keda", args, self.child(*after, provider=self.provider)))

    def _namespace(self, clusters: OnCloud, after: Sequence[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create the Slurm cluster's namespace, unless another program does; return what comes before what is in it."""
        spec = clusters.slurm
        if not clusters.create_namespace:
            return after_all(*after)
        options = self.child(*after, provider=self.provider, retain_on_delete=outlives_the_cluster(clusters.cluster))
        return [create_cluster_namespace(f"{self._name}-namespace", spec, options, self._root_key)]

    def _slurm_cluster(self, clusters: OnCloud, after: Sequence[pulumi.Resource]) -> SlurmCluster:
        """Create the Slurm cluster that slurm-operator runs, and take over its outputs."""
        args = SlurmClusterArgs(
            spec=clusters.slurm,
            pools=clusters.pools,
            root_key=self._root_key,
            ldap_bind_password=self._args.ldap_bind_password,
            create_namespace=False,
        )
        cluster = SlurmCluster(self._name, args, self.child(*after, provider=self.provider))
        self._take_over(cluster)
        return cluster

    def _take_over(self, slurm: Component[Any]) -> None:
        """Have the outputs of the Slurm cluster."""
        for output in slurm.output_types():
            setattr(self, output, getattr(slurm, output))
