"""How a plain Kubernetes object becomes a Pulumi resource, and what all components of this package share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import pulumi
import pulumi_kubernetes as k8s
from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, model_validator
from pydantic.alias_generators import to_snake

from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.loading import load_model
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.base import Model

A = TypeVar("A", bound="Args")


class SpecRunError(SpecError, pulumi.RunError):
    """A `SpecError` in a Pulumi program: the engine prints it without a traceback."""


Model.raised_as = SpecRunError


class Args(Model):
    """The base of every component's arguments: one frozen model that also accepts a plain mapping."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    @model_validator(mode="wrap")
    @classmethod
    def _show_warnings(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Let the preview show what rules warn of."""
        with collected_warnings() as warned:
            args = handler(data)
        for warning in warned:
            pulumi.log.warn(warning.line)
        return args


def parse_args(model: type[A], args: A | Mapping[str, Any]) -> A:
    """Return a component's arguments as a model; raise ``SpecRunError`` on an error."""
    if isinstance(args, model):
        return args
    try:
        return load_model(model, args, model.__name__)
    except SpecError as error:
        raise SpecRunError(error.errors, error.subject) from None


def component_inputs(args: BaseModel, *secrets: str) -> dict[str, Any]:
    """Return arguments as a component's inputs, for reviewers to see in a preview; ``secrets`` are left out."""
    return args.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=set(secrets))


def child_options(
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None,
    depends_on: Sequence[pulumi.Resource] = (),
    **more: Any,
) -> pulumi.ResourceOptions:
    """Return the options of a component's child; ``depends_on`` are others of its children.

    Parents don't hand ``depends_on`` down, so a component that has to come after another would be ready for it while
    its children are made too early. It is therefore passed on here, and nothing else is.

    A child that comes after another gets the other's alone, which has the component's by the same way. When a step
    fails, the engine walks every path of dependencies, not every resource, and with each dependency stated at each
    level these become too many to end: see `markAsDependency` in its pkg/resource/graph/dependency_graph.go, v3.259.

    For the same reason, what comes after a component is given its `ends`: ``depends_on=component.ends``. The component
    itself stands for all of its children, so it does too, by many times the paths.
    """
    inherited = getattr(opts, "depends_on", None) or []
    before = list(inherited) if isinstance(inherited, Sequence) else [inherited]
    return pulumi.ResourceOptions(parent=parent, depends_on=list(depends_on) or before, **more)


def protection(wanted: bool) -> bool | None:
    """Return what a child's option ``protect`` is to be.

    None, not False, where it isn't wanted, so that a protection that a user gives to the component still counts.
    """
    return wanted or None


def create(name: str, made: Manifest, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    """Return the resource for a plain object; kinds that Kubernetes doesn't ship become CustomResources."""
    rest = {to_snake(key): value for key, value in made.items() if key not in ("apiVersion", "kind")}
    rest["metadata"] = _metadata(made)
    if made["kind"] in _ENDS_LATER:
        opts = pulumi.ResourceOptions.merge(opts, _LOOK_AGAIN)
    kind = _KINDS.get((made["apiVersion"], made["kind"]))
    if kind is not None:
        return kind()(name, opts=opts, **rest)
    return k8s.apiextensions.CustomResource(name, api_version=made["apiVersion"], kind=made["kind"], opts=opts, **rest)


def create_all(name: str, made: Sequence[Manifest], opts: pulumi.ResourceOptions) -> list[pulumi.CustomResource]:
    """Return the resources for plain objects of different kinds, each named after its kind."""
    return [create(f"{name}-{item['kind'].lower()}", item, opts) for item in made]


def create_in_turn(
    name: str,
    made: Sequence[Manifest],
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None,
    depends_on: Sequence[pulumi.Resource] = (),
) -> list[pulumi.Resource]:
    """Make such resources one after another, as children of a component; return what comes last."""
    last = list(depends_on)
    for item in made:
        last = [create(f"{name}-{item['kind'].lower()}", item, child_options(parent, opts, last))]
    return last


# Called late, because looking up the first class of a group loads the whole group.
_KINDS: dict[tuple[str, str], Callable[[], type[pulumi.CustomResource]]] = {
    ("v1", "ConfigMap"): lambda: k8s.core.v1.ConfigMap,
    ("v1", "PersistentVolume"): lambda: k8s.core.v1.PersistentVolume,
    ("v1", "PersistentVolumeClaim"): lambda: k8s.core.v1.PersistentVolumeClaim,
    ("v1", "Secret"): lambda: k8s.core.v1.Secret,
    ("v1", "Service"): lambda: k8s.core.v1.Service,
    ("v1", "ServiceAccount"): lambda: k8s.core.v1.ServiceAccount,
    ("apps/v1", "DaemonSet"): lambda: k8s.apps.v1.DaemonSet,
    ("apps/v1", "Deployment"): lambda: k8s.apps.v1.Deployment,
    ("apps/v1", "StatefulSet"): lambda: k8s.apps.v1.StatefulSet,
    ("batch/v1", "Job"): lambda: k8s.batch.v1.Job,
    ("discovery.k8s.io/v1", "EndpointSlice"): lambda: k8s.discovery.v1.EndpointSlice,
    ("rbac.authorization.k8s.io/v1", "ClusterRole"): lambda: k8s.rbac.v1.ClusterRole,
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"): lambda: k8s.rbac.v1.ClusterRoleBinding,
    ("rbac.authorization.k8s.io/v1", "Role"): lambda: k8s.rbac.v1.Role,
    ("rbac.authorization.k8s.io/v1", "RoleBinding"): lambda: k8s.rbac.v1.RoleBinding,
    ("policy/v1", "PodDisruptionBudget"): lambda: k8s.policy.v1.PodDisruptionBudget,
    ("autoscaling/v2", "HorizontalPodAutoscaler"): lambda: k8s.autoscaling.v2.HorizontalPodAutoscaler,
}


def secret(
    name: str, made: Manifest, data: Mapping[str, pulumi.Input[str]], opts: pulumi.ResourceOptions
) -> k8s.core.v1.Secret:
    """Return a Secret whose values are secret in state and previews from here on."""
    values = {key: pulumi.Output.secret(value) for key, value in data.items()}
    return k8s.core.v1.Secret(name, metadata=_metadata(made), type="Opaque", string_data=values, opts=opts)


_ENDS_LATER = {"PersistentVolume", "PersistentVolumeClaim"}
"""Kinds that take a moment to go however they are deleted, because Kubernetes protects them by finalizers."""
_LOOK_AGAIN = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(delete="2m"))
"""When the provider has missed an object's end (see `_metadata`), it finds it gone after this time."""
_WAITED_FOR = {"NodeSet"}
"""Kinds whose parts have to be gone before what they depend on goes."""


def _metadata(made: Manifest) -> Any:
    """Return an object's metadata with how Pulumi is to change and to delete it.

    By force: each run that makes an object writes under a name of its own, so what a killed run has made, the next one
    could take over but never change.

    In the background: Pulumi deletes in the foreground, where an object stays until its parts are gone, if only for a
    moment. The provider then watches for its end, and where that comes between its last look and the beginning of its
    watch, it waits in vain until its time is over: ten minutes. See `Range` in its pkg/await/condition/deleted.go. And
    the operator makes the parts of its objects anew while they wait for these to be gone, except those of a NodeSet.
    """
    annotations = {**made["metadata"].get("annotations", {}), "pulumi.com/patchForce": "true"}
    if made["kind"] not in _WAITED_FOR:
        annotations["pulumi.com/deletionPropagationPolicy"] = "background"
    return {**made["metadata"], "annotations": annotations}
