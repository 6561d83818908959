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


def _delete_in_background(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    """Keep the provider from missing the end of a chart's objects; see `_metadata` of `kube.resources`.

    What takes a moment to go however it is deleted, it may still miss, so it has to look again soon. A CRD can take
    more than five minutes: a look of the API server that finds its storage not ready yet is repeated at once, with the
    CRD as it was, and once that is refused, the next look is that of the informer's resync. See `sync` in
    pkg/controller/finalizer/crd_finalizer.go of apiextensions-apiserver, `NewSharedInformerFactory` in its
    pkg/apiserver/apiserver.go, v0.35.4, and https://github.com/operator-framework/operator-controller/issues/1437.
    """
    if not args.type_.startswith("kubernetes:") or args.type_.startswith("kubernetes:helm.sh/"):
        return None
    metadata: Any = args.props.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), "pulumi.com/deletionPropagationPolicy": "background"}
    props = {**args.props, "metadata": {**metadata, "annotations": annotations}}
    longest = "6m" if args.type_.endswith(":CustomResourceDefinition") else "1m"
    timeouts = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(delete=longest))
    return pulumi.ResourceTransformResult(props=props, opts=pulumi.ResourceOptions.merge(args.opts, timeouts))
