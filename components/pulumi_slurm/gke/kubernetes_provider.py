"""The provider for what runs on a GKE cluster."""

import pulumi
import pulumi_kubernetes as k8s


def kubernetes_provider(
    resource_name: str,
    kubeconfig: pulumi.Input[str],
    project: pulumi.Input[str],
    location: pulumi.Input[str],
    cluster: pulumi.Input[str],
    opts: pulumi.ResourceOptions,
) -> k8s.Provider:
    """Create the provider. A rotated key updates its Secret in place."""
    return k8s.Provider(
        resource_name,
        kubeconfig=kubeconfig,
        # Otherwise the provider would treat a changed kubeconfig as another cluster, and replace everything on it.
        cluster_identifier=pulumi.Output.concat("projects/", project, "/locations/", location, "/clusters/", cluster),
        enable_secret_mutable=True,
        enable_config_map_mutable=True,
        opts=opts,
    )
