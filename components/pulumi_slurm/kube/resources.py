"""How a plain Kubernetes object becomes a Pulumi resource."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any
from weakref import WeakKeyDictionary

import pulumi
from pulumi.runtime.settings import get_monitor

from pulumi_slurm.manifests.objects import Manifest


class KubernetesObject(pulumi.CustomResource):
    """A Kubernetes object, registered by its type token.

    The classes of pulumi_kubernetes register the same, and are loaded by the group: as many as a program of this
    package uses take about as long to load as Pulumi itself.
    """

    metadata: pulumi.Output[Any]
    """The object's metadata, as a mapping."""
    status: pulumi.Output[Any]
    """What Kubernetes reports of the object, as a mapping; None where it reports nothing."""

    def __init__(self, name: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> None:
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(version=sdk_version()))
        # What is no property here is no output later.
        super().__init__(type_token(manifest), name, {"status": None, **manifest}, opts)
        _refuse_a_second(self, name, manifest)


_names_by_object: WeakKeyDictionary[Any, dict[Hashable, str]] = WeakKeyDictionary()
"""Of each run of a program, by its monitor: which resource an object is."""


def _refuse_a_second(resource: KubernetesObject, name: str, manifest: Manifest) -> None:
    """Raise pulumi.RunError if another resource of the program is the same object.

    The API server wouldn't: each would be applied over the other, by force, and the one that goes would delete it.
    """
    metadata = manifest["metadata"]
    identity = (
        *(manifest["apiVersion"].partition("/")[0], manifest["kind"]),
        *(metadata.get("namespace"), metadata.get("name")),
    )
    if metadata.get("name") is None or any(isinstance(part, pulumi.Output) for part in identity):
        return
    names = _names_by_object.setdefault(get_monitor(), {})
    other = names.setdefault((resource.get_provider(type_token(manifest)), *identity), name)
    if other != name:
        one = f"{manifest['kind']} {'/'.join(part for part in identity[2:] if part)}"
        raise pulumi.RunError(f"{other} and {name} are one object, {one}. Choose another name for one of them.")


def type_token(manifest: Manifest) -> str:
    """Return the type of the resource for a plain object."""
    api_version = manifest["apiVersion"]
    return f"kubernetes:{'core/v1' if api_version == 'v1' else api_version}:{manifest['kind']}"


@cache
def sdk_version() -> str:
    """Return the release of the SDK, by which the engine finds the provider's plugin."""
    return version("pulumi-kubernetes")


def create(name: str, manifest: Manifest, opts: pulumi.ResourceOptions, *, annotate: bool = True) -> KubernetesObject:
    """Return the resource for a plain object.

    Without ``annotate`` its metadata is as it stands: the operator copies annotations of its objects to their pods,
    which those of Pulumi would replace. See `annotated` for what is missing then.
    """
    if manifest["kind"] in _ENDS_LATER:
        opts = pulumi.ResourceOptions.merge(opts, _LOOK_AGAIN)
    metadata = annotated(manifest) if annotate else manifest["metadata"]
    return KubernetesObject(name, {**manifest, "metadata": metadata}, opts)


def create_all(name: str, manifests: Sequence[Manifest], opts: pulumi.ResourceOptions) -> list[KubernetesObject]:
    """Return the resources for plain objects of different kinds, each named after its kind."""
    return [create(f"{name}-{manifest['kind'].lower()}", manifest, opts) for manifest in manifests]


def create_secret(
    name: str, manifest: Manifest, data: Mapping[str, pulumi.Input[str]], opts: pulumi.ResourceOptions
) -> KubernetesObject:
    """Return a Secret whose values are secret in state and previews from here on."""
    values = pulumi.Output.secret(dict(data))
    hidden = pulumi.ResourceOptions(additional_secret_outputs=["data", "stringData"])
    secret = {**manifest, "type": "Opaque", "stringData": values}
    return create(name, secret, pulumi.ResourceOptions.merge(opts, hidden))


def load_balancer_address(service: KubernetesObject) -> pulumi.Output[str | None]:
    """Return the address that a Service of type LoadBalancer got; None where it has none."""

    def address(status: Any) -> str | None:
        ingress = ((status or {}).get("loadBalancer") or {}).get("ingress") or []
        addresses = (entry.get("ip") or entry.get("hostname") for entry in ingress)
        return next((address for address in addresses if address), None)

    return service.status.apply(address)


_ENDS_LATER = frozenset({"PersistentVolume", "PersistentVolumeClaim"})
"""Kinds that take a moment to go however they are deleted, because Kubernetes protects them by finalizers."""
_LOOK_AGAIN = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(delete="2m"))
"""When the provider has missed an object's end (see `annotated`), it finds it gone after this time."""
_WAITED_FOR = frozenset({"NodeSet"})
"""Kinds whose parts have to be gone before what they depend on goes."""


def annotated(manifest: Manifest) -> Any:
    """Return an object's metadata with how Pulumi is to change and to delete it.

    A Job that has failed is replaced by the next run, which would otherwise find it as it is, and fail too. See `Diff`
    in provider/pkg/provider/provider.go of pulumi-kubernetes, v4.18.1.

    By force: each run that makes an object writes under a name of its own, so what a killed run has made, the next one
    could take over but never change.

    In the background: Pulumi deletes in the foreground, where an object stays until its parts are gone, if only for a
    moment. The provider then watches for its end, and where that comes between its last look and the beginning of its
    watch, it waits in vain until its time is over: ten minutes. See `Range` in its pkg/await/condition/deleted.go. And
    the operator, before 1.1.1, makes the parts of its objects anew while they wait for these to be gone, except those
    of a NodeSet: `Sync` in internal/controller of slurm-operator.
    """
    annotations = {**manifest["metadata"].get("annotations", {}), "pulumi.com/patchForce": "true"}
    if manifest["kind"] == "Job":
        annotations["pulumi.com/replaceUnready"] = "true"
    if manifest["kind"] not in _WAITED_FOR:
        annotations["pulumi.com/deletionPropagationPolicy"] = "background"
    return {**manifest["metadata"], "annotations": annotations}
