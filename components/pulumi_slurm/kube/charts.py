"""Helm charts of operators, as children of a component."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s


def helm_chart(
    name: str,
    opts: pulumi.ResourceOptions,
    *,
    release: str,
    chart: str,
    version: str,
    namespace: str | None = None,
    values: Mapping[str, Any] | None = None,
) -> k8s.helm.v4.Chart:
    """Return the resource called ``name`` for a chart: an OCI address with a version, or a folder."""
    return k8s.helm.v4.Chart(
        name,
        name=release,
        namespace=namespace,
        chart=chart,
        # A folder has one release, its own.
        version=version if chart.startswith("oci://") else None,
        values=values,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(transforms=[_delete_in_background])),
    )


_LOOK_AGAIN = pulumi.CustomTimeouts(delete="1m")
"""When the provider missed an object's end, it finds it gone after this time; see `annotated` of `kube.resources`."""
_END_OF_A_CRD = pulumi.CustomTimeouts(delete="6m")
"""The API server can take five minutes to end the deletion of a CRD.

Where it finds the CRD's storage not ready, it notes that and tries again at once, with the CRD as it was before the
note. That is a conflict, which it leaves to the next change of the CRD, and its own note doesn't count as one: what
comes next is the informer's resync. See `sync` and `updateCustomResourceDefinition` in
pkg/controller/finalizer/crd_finalizer.go of apiextensions-apiserver and `NewSharedInformerFactory` in its
pkg/apiserver/apiserver.go, v0.35.4, and https://github.com/operator-framework/operator-controller/issues/1437.
"""


def _delete_in_background(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    """Keep the provider from missing the end of a chart's objects; see `annotated` of `kube.resources`.

    CRDs are written by force.
    """
    if not args.type_.startswith("kubernetes:") or args.type_.startswith("kubernetes:helm.sh/"):
        return None
    metadata: Any = args.props.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), "pulumi.com/deletionPropagationPolicy": "background"}
    is_crd = args.type_.endswith(":CustomResourceDefinition")
    if is_crd:
        # A destroyed stack may have kept it, with another release's versions.
        annotations["pulumi.com/patchForce"] = "true"
    props = {**args.props, "metadata": {**metadata, "annotations": annotations}}
    timeouts = _END_OF_A_CRD if is_crd else _LOOK_AGAIN
    opts = pulumi.ResourceOptions.merge(args.opts, pulumi.ResourceOptions(custom_timeouts=timeouts))
    return pulumi.ResourceTransformResult(props=props, opts=opts)
