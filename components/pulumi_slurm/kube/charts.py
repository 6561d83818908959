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
    """Keep the provider from missing the end of a chart's objects; see the function of that name for our own objects.

    A CRD takes a moment to go however it is deleted, so for CRDs the provider has to look again soon.
    """
    if not args.type_.startswith("kubernetes:") or args.type_.startswith("kubernetes:helm.sh/"):
        return None
    metadata: Any = args.props.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), "pulumi.com/deletionPropagationPolicy": "background"}
    props = {**args.props, "metadata": {**metadata, "annotations": annotations}}
    soon = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(delete="1m"))
    return pulumi.ResourceTransformResult(props=props, opts=pulumi.ResourceOptions.merge(args.opts, soon))
