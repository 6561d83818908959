"""What belongs to one resource of one stack alone: a namespace, and the place of the Slurm cluster in it.

An annotation names the resource. Pulumi's provider applies objects on the server's side, so another resource meets a
conflict with it, before anything is made that comes after. In a preview the provider forces what is to be created
(`patchForce` in provider/pkg/await/await.go of pulumi-kubernetes, v4.25), so there we look at what the API server
answers to that dry run: an object with a resourceVersion has been there before.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pulumi

from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube.resources import KubernetesObject, type_token
from pulumi_slurm.manifests.objects import BELONGS_TO, Manifest

_FIELD = f"f:{BELONGS_TO}"
_ID_CHARACTERS = 8


def create_own(
    name: str,
    manifest: Manifest,
    opts: pulumi.ResourceOptions,
    on_conflict: Callable[[KubernetesObject], None],
    stack: pulumi.Output[str] | None = None,
) -> KubernetesObject:
    """Return the resource for a plain object that is to belong to it alone.

    ``on_conflict`` is called in the preview of its creation, if there is such an object that doesn't. ``stack`` is a
    `stack_id`.
    """
    metadata = manifest["metadata"]
    urn = _urn(name, manifest, opts)
    belongs_to = pulumi.Output.concat(urn, " of stack ", stack) if stack else urn
    annotations = {**metadata.get("annotations", {}), BELONGS_TO: belongs_to}
    resource = KubernetesObject(name, {**manifest, "metadata": {**metadata, "annotations": annotations}}, opts)

    async def look(live_metadata: Any) -> bool:
        is_taken = _is_another(live_metadata) and not await pulumi.Output.from_input(resource.id).is_known()
        if is_taken:
            on_conflict(resource)
        return is_taken

    if pulumi.runtime.is_dry_run():
        _: pulumi.Output[bool] = resource.metadata.apply(look)
    return resource


def stack_id(root_key: pulumi.Output[str]) -> pulumi.Output[str]:
    """Return what tells a stack from one with the same URNs in another backend, from which its root key can't be told.

    Two people who try the same settings have such stacks.
    """
    return pulumi.Output.unsecret(root_key.apply(lambda root: derive(root, "", Purpose.STACK)[:_ID_CHARACTERS]))


def _urn(name: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.Output[str]:
    """Return a resource's URN, as an Output that doesn't depend on its parent: a parent waits for its children."""
    urn: Awaitable[Any] = pulumi.create_urn(name, type_token(manifest), opts.parent).future()
    return pulumi.Output.from_input(urn)


def _is_another(metadata: Mapping[str, Any]) -> bool:
    """Return whether an object of a dry run has been there before, and belonged to nothing, or to something else.

    The managers of a field are those who applied the value that it has now, of which the dry run is one.
    """
    managers = [entry for entry in metadata.get("managedFields") or () if _manages_the_annotation(entry)]
    return "resourceVersion" in metadata and len(managers) == 1


def _manages_the_annotation(entry: Mapping[str, Any]) -> bool:
    fields = entry.get("fieldsV1") or {}
    return _FIELD in ((fields.get("f:metadata") or {}).get("f:annotations") or {})
